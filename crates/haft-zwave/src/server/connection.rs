//! A connection to the server: sends commands, receives answers and events.
//!
//! A task owns the socket and keeps the network state up to date (`exchange`). It ends when the
//! socket closes or when the last handle of the connection is dropped; then all pending commands
//! fail at once.

mod exchange;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use self::exchange::Exchange;
use super::address::Address;
use super::nodes::Network;
use super::socket::Socket;
use super::wire::{Incoming, MIN_SCHEMA, SCHEMA};
use crate::error::{ZwaveError, ZwaveErrorKind};

/// The time limit of a command. An awake device answers within a second; three hops with
/// repetitions take a few.
const COMMAND_LIMIT: Duration = Duration::from_secs(8);
/// The time limit of the server's version message, which it sends at once.
const HELLO_LIMIT: Duration = Duration::from_secs(5);
/// The time limit of the initial state, which is large for a large home.
const STATE_LIMIT: Duration = Duration::from_secs(20);
/// The length of the command queue, and the number of pending commands from which on abandoned ones
/// are removed.
const MAX_WAITING: usize = 64;

/// A connection that has completed the handshake and received the network state.
#[derive(Debug)]
pub(super) struct Connection {
    orders: mpsc::Sender<Order>,
    network: Arc<Mutex<Network>>,
    /// Why the connection ended.
    ended: Arc<OnceLock<String>>,
    address: Address,
}

/// A command and the channel for its answer.
#[derive(Debug)]
struct Order {
    command: &'static str,
    fields: Map<String, Value>,
    answer: oneshot::Sender<Answer>,
}

/// The result, or why there is none.
type Answer = Result<Box<RawValue>, NoResult>;

/// Why an answer has no result.
#[derive(Debug)]
enum NoResult {
    /// The server reported a failure, with this text.
    Refused(String),
    /// The answer is malformed in this way: whether the command was executed is unknown.
    Unclear(String),
}

impl Connection {
    /// Connects, agrees on a version of the API, and fetches the network.
    pub(super) async fn open(address: &Address) -> Result<Self, ZwaveError> {
        let mut socket = Socket::open(address).await?;
        let hello = timeout(HELLO_LIMIT, hello(&mut socket)).await;
        let schema = hello
            .unwrap_or_else(|_| Err("it says nothing".to_owned()))
            .map_err(|what| incompatible(address, &what))?;
        let (orders, received) = mpsc::channel(MAX_WAITING);
        let connection = Self {
            orders,
            network: Arc::default(),
            ended: Arc::default(),
            address: address.clone(),
        };
        let exchange = Exchange::new(socket, connection.network.clone());
        let ended = connection.ended.clone();
        tokio::spawn(async move {
            let why = exchange.run(received).await;
            tracing::debug!(why, "the connection to the Z-Wave server ended");
            // Only the first reason is kept.
            let _ = ended.set(why);
        });
        let version = json!({"schemaVersion": schema});
        connection
            .call("initialize", version, COMMAND_LIMIT)
            .await?;
        connection.refresh().await?;
        Ok(connection)
    }

    /// Fetches the network state again.
    pub(super) async fn refresh(&self) -> Result<(), ZwaveError> {
        // The task stores the new state before it answers, so that no event in between is lost.
        self.call("start_listening", json!({}), STATE_LIMIT)
            .await
            .map(|_| ())
    }

    /// The current state of the network.
    pub(super) fn with_network<T>(&self, look: impl FnOnce(&mut Network) -> T) -> T {
        look(&mut self.network.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn is_closed(&self) -> bool {
        self.orders.is_closed()
    }

    /// Sends a command to a device and parses its result, an object.
    pub(super) async fn ask(
        &self,
        command: &'static str,
        fields: Value,
    ) -> Result<Value, ZwaveError> {
        let result = self.call(command, fields, COMMAND_LIMIT).await?;
        let result = serde_json::from_str(result.get()).unwrap_or_default();
        match result {
            Value::Object(_) => Ok(result),
            _ => Err(unclear("the result is not an object")),
        }
    }

    async fn call(
        &self,
        command: &'static str,
        fields: Value,
        limit: Duration,
    ) -> Result<Box<RawValue>, ZwaveError> {
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let (answer, answered) = oneshot::channel();
        let order = Order {
            command,
            fields,
            answer,
        };
        let exchanged = async {
            self.orders.send(order).await.map_err(|_| self.lost())?;
            answered.await.map_err(|_| self.lost())
        };
        match timeout(limit, exchanged).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(NoResult::Refused(why)))) => Err(refused(&why)),
            Ok(Ok(Err(NoResult::Unclear(why)))) => Err(unclear(&why)),
            Ok(Err(lost)) => Err(lost),
            Err(_) => Err(self.late(limit)),
        }
    }

    fn lost(&self) -> ZwaveError {
        let message = format!(
            "The connection to the Z-Wave server at {} broke.",
            self.address
        );
        let hint = "Try again: it is connected to anew.";
        let why = self.ended.get().map_or("the task ended", String::as_str);
        ZwaveError::new(ZwaveErrorKind::Lost, message, hint).with_detail(why)
    }

    pub(super) fn late(&self, limit: Duration) -> ZwaveError {
        let seconds = limit.as_secs();
        let message = format!("There was no answer within {seconds} seconds.");
        let hint = "Check that the device has power and is in reach.";
        ZwaveError::new(ZwaveErrorKind::Timeout, message, hint)
    }
}

fn refused(why: &str) -> ZwaveError {
    let message = "The Z-Wave server could not do that.";
    let hint = "Check that the device has power and is in reach.";
    ZwaveError::new(ZwaveErrorKind::Refused, message, hint).with_detail(why)
}

/// The error for an answer that cannot be parsed.
pub(super) fn unclear(why: &str) -> ZwaveError {
    let message = "The Z-Wave server gave an answer that cannot be understood.";
    let hint = "Look into the log of the Z-Wave server.";
    ZwaveError::new(ZwaveErrorKind::Unclear, message, hint).with_detail(why)
}

/// Waits for the server's version message and chooses the API version.
async fn hello(socket: &mut Socket) -> Result<u32, String> {
    loop {
        let Some(data) = socket.receive().await? else {
            continue;
        };
        let hello: Incoming<'_> = serde_json::from_slice(&data)
            .ok()
            .filter(|hello: &Incoming<'_>| hello.kind == "version")
            .ok_or("it does not say its version")?;
        let newest = hello.max_schema_version.unwrap_or(0);
        let oldest = hello.min_schema_version.unwrap_or(0);
        let schema = SCHEMA.min(newest);
        if schema < MIN_SCHEMA.max(oldest) {
            return Err(format!(
                "it speaks versions {oldest} to {newest} of the API, and haft {MIN_SCHEMA} to {SCHEMA}"
            ));
        }
        return Ok(schema);
    }
}

fn incompatible(address: &Address, what: &str) -> ZwaveError {
    let message = format!("The server at {address} cannot be used as a Z-Wave JS server: {what}.");
    let hint = "Check the address, and update the Z-Wave JS server if it is old.";
    ZwaveError::new(ZwaveErrorKind::Incompatible, message, hint)
}
