//! A real home: the devices of a Z-Wave JS server, over its WebSocket API.
//!
//! `address` says where it is, `socket` speaks WebSocket, `wire` has the messages,
//! `connection` exchanges them, `nodes` is what the server tells, `parts` what that is in devices.
//! Here is when to connect, and when to believe a device: a set is only believed when the device
//! itself says so.

mod address;
mod connection;
mod nodes;
mod parts;
mod socket;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use self::address::Address;
use self::connection::Connection;
use self::nodes::{Status, ValueId};
use self::parts::Part;
use self::wire::SetOutcome;
use crate::device::{Command, Device, Health};
use crate::error::{ZwaveError, ZwaveErrorKind};

/// Waits before each further attempt to connect: what listens again soon is not missed.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];
/// After so long no further attempt is made.
const ATTEMPTS_LIMIT: Duration = Duration::from_secs(3);
/// For a command and all looks at the device after it; below the limit of a tool call (30 s).
const SET_LIMIT: Duration = Duration::from_secs(20);
const CHECK_DEVICE: &str = "Check that it has power and is in reach.";
/// What the model reads behind "It is not known whether it changed": no success, no failure.
const NOT_KNOWN: &str = "Do not say that it worked or that it failed. Ask for its state.";
/// A failure is believed for so long: several calls at once need not each try for themselves.
const FAILURE_HOLDS: Duration = Duration::from_secs(1);
/// So long the server counts as healthy after it said so, unless the connection breaks.
const HEALTH_HOLDS: Duration = Duration::from_secs(60);
/// Waits before each look at a device that was told something: a lamp is there at once, one that
/// fades and the bolt of a lock take seconds.
const LOOKS: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(300),
    Duration::from_millis(700),
    Duration::from_millis(1_500),
    Duration::from_millis(2_500),
];

/// The home behind a Z-Wave JS server. Connected to when first needed, and again when the
/// connection broke.
#[derive(Debug)]
pub(crate) struct ServerHome {
    address: Address,
    link: Mutex<Link>,
}

#[derive(Debug, Default)]
struct Link {
    connection: Option<Arc<Connection>>,
    /// The last attempt that failed, and when.
    failure: Option<(Instant, ZwaveError)>,
    /// When the server last said that it is well, on this connection.
    healthy: Option<Instant>,
}

impl ServerHome {
    /// The home at `url`; nothing is connected yet.
    pub(crate) fn new(url: &str) -> Result<Self, ZwaveError> {
        Ok(Self {
            address: Address::parse(url)?,
            link: Mutex::default(),
        })
    }

    /// All devices as last reported, in no particular order.
    pub(crate) async fn devices(&self) -> Result<Vec<Device>, ZwaveError> {
        let connection = self.connection().await?;
        if connection.with_network(|network| network.stale) {
            connection.refresh().await?;
        }
        Ok(connection.with_network(|network| {
            let parts = parts::parts(network);
            parts.iter().map(Part::device).collect()
        }))
    }

    /// Reads a device afresh. One that cannot be asked now is told as last reported.
    pub(crate) async fn read(&self, device: &Device) -> Result<Device, ZwaveError> {
        let connection = self.connection().await?;
        if let Err(error) = poll(&connection, device).await {
            if error.kind() == ZwaveErrorKind::Lost {
                return Err(error);
            }
            tracing::warn!(device = %device.name, error = error.detail(), "not read afresh");
        }
        current(&connection, device)
    }

    /// Carries out a command, and returns the device as it reports itself afterwards, whether it
    /// obeyed or not.
    pub(crate) async fn set(
        &self,
        device: &Device,
        command: Command,
    ) -> Result<Device, ZwaveError> {
        let connection = self.connection().await?;
        let told = timeout(SET_LIMIT, tell(&connection, device, command)).await;
        let told = told.unwrap_or_else(|_| Err(connection.late(SET_LIMIT)));
        told.map_err(|error| about(device, &error))
    }

    /// Whether the server and its controller answer.
    pub(crate) async fn health(&self) -> Result<Health, ZwaveError> {
        let connection = self.connection().await?;
        let healthy = self.link.lock().await.healthy;
        if healthy.is_none_or(|since| since.elapsed() >= HEALTH_HOLDS) {
            connection.ask("controller.get_state", json!({})).await?;
            self.link.lock().await.healthy = Some(Instant::now());
        }
        Ok(Health::of(&self.devices().await?))
    }

    /// The open connection, or a new one.
    async fn connection(&self) -> Result<Arc<Connection>, ZwaveError> {
        let mut link = self.link.lock().await;
        if let Some(connection) = link.connection.as_ref().filter(|open| !open.is_closed()) {
            return Ok(connection.clone());
        }
        link.connection = None;
        link.healthy = None;
        if let Some((when, error)) = &link.failure
            && when.elapsed() < FAILURE_HOLDS
        {
            return Err(error.clone());
        }
        let opened = self.open().await.map(Arc::new);
        link.failure = opened
            .as_ref()
            .err()
            .map(|error| (Instant::now(), error.clone()));
        link.connection = opened.as_ref().ok().cloned();
        opened
    }

    async fn open(&self) -> Result<Connection, ZwaveError> {
        let begun = Instant::now();
        let mut opened = Connection::open(&self.address).await;
        for wait in WAITS {
            match &opened {
                Err(error)
                    if error.kind() == ZwaveErrorKind::Unreachable
                        && begun.elapsed() < ATTEMPTS_LIMIT =>
                {
                    sleep(wait).await;
                    opened = Connection::open(&self.address).await;
                }
                _ => break,
            }
        }
        opened
    }
}

/// Writes what `command` means, and looks at the device until it has obeyed or time is up.
async fn tell(
    connection: &Connection,
    device: &Device,
    command: Command,
) -> Result<Device, ZwaveError> {
    let (node, writes) = with_part(connection, device, |part| {
        (part.node.id, part.to_write(command))
    })?;
    if writes.is_empty() {
        return Err(not_taken());
    }
    for (nth, (id, value)) in writes.into_iter().enumerate() {
        let written = write(connection, node, &id, value).await;
        // What came before it has been sent, whatever becomes of this one.
        written.map_err(|error| if nth == 0 { error } else { after_write(error) })?;
    }
    looked_at(connection, device, command)
        .await
        .map_err(after_write)
}

/// Looks at the device until it has obeyed or time is up.
async fn looked_at(
    connection: &Connection,
    device: &Device,
    command: Command,
) -> Result<Device, ZwaveError> {
    for wait in LOOKS {
        sleep(wait).await;
        poll(connection, device).await?;
        let now = current(connection, device)?;
        if now.obeys(command) {
            return Ok(now);
        }
    }
    current(connection, device)
}

/// A failure after a part of a command has been sent: no failure says any more that nothing
/// changed.
fn after_write(error: ZwaveError) -> ZwaveError {
    match error.kind() {
        ZwaveErrorKind::Lost | ZwaveErrorKind::Timeout => error,
        _ => connection::unclear(error.detail()),
    }
}

/// Reads the values of a device from the device itself, unless it sleeps.
async fn poll(connection: &Connection, device: &Device) -> Result<(), ZwaveError> {
    let (node, status, ids) = with_part(connection, device, |part| {
        (part.node.id, part.node.status, part.to_poll())
    })?;
    if status == Status::Asleep {
        return Ok(());
    }
    for id in ids {
        let fields = json!({"nodeId": node, "valueId": id.to_json()});
        let polled = connection.ask("node.poll_value", fields).await?;
        connection.with_network(|network| {
            if let Some(node) = network.nodes.get_mut(&node) {
                node.report(&id, polled.get("value").cloned(), Timestamp::now());
            }
        });
    }
    Ok(())
}

async fn write(
    connection: &Connection,
    node: u32,
    id: &ValueId,
    value: Value,
) -> Result<(), ZwaveError> {
    let fields = json!({"nodeId": node, "valueId": id.to_json(), "value": value});
    let set = connection.ask("node.set_value", fields).await?;
    match wire::set_outcome(&set) {
        SetOutcome::Taken => Ok(()),
        SetOutcome::Refused(why) => Err(not_taken().with_detail(why)),
        SetOutcome::Unclear(why) => Err(connection::unclear(&why)),
    }
}

/// The device as known now.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method by itself is not general enough in its lifetimes"
)]
fn current(connection: &Connection, device: &Device) -> Result<Device, ZwaveError> {
    with_part(connection, device, |part| part.device())
}

fn with_part<T>(
    connection: &Connection,
    device: &Device,
    look: impl FnOnce(&Part<'_>) -> T,
) -> Result<T, ZwaveError> {
    connection.with_network(|network| {
        let parts = parts::parts(network);
        let part = parts.iter().find(|part| part.key() == device.key);
        part.map(look)
            .ok_or_else(|| ZwaveError::device_gone(&device.name))
    })
}

fn not_taken() -> ZwaveError {
    let message = "The device did not take the command.";
    ZwaveError::new(ZwaveErrorKind::Refused, message, CHECK_DEVICE)
}

/// What a failure means for a device that was to be changed.
fn about(device: &Device, error: &ZwaveError) -> ZwaveError {
    let name = &device.name;
    let (message, hint) = match error.kind() {
        ZwaveErrorKind::Lost | ZwaveErrorKind::Unclear => (
            format!("{error} It is not known whether {name} changed."),
            NOT_KNOWN,
        ),
        ZwaveErrorKind::Timeout => (
            format!("{name} did not answer in time. It is not known whether it changed."),
            NOT_KNOWN,
        ),
        ZwaveErrorKind::Refused => (format!("{name} did not take the command."), CHECK_DEVICE),
        _ => return error.clone(),
    };
    ZwaveError::new(error.kind(), message, hint).with_detail(error.detail())
}

#[cfg(test)]
mod tests;
