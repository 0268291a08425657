//! The backend for a real home: the devices of a Z-Wave JS server, over its WebSocket API.
//!
//! From the network up: `address` parses the server's address, `socket` implements WebSocket,
//! `wire` has the messages, `connection` exchanges them, `nodes` is the state that the server
//! reports, `parts` maps nodes to devices, and `command` decides when a command has succeeded: only
//! when the device itself reports the new state. This file decides when to connect.

mod address;
mod command;
mod connection;
mod nodes;
mod parts;
mod socket;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use self::address::Address;
use self::command::{about, tell};
use self::connection::Connection;
use self::nodes::Status;
use self::parts::Part;
use crate::device::{Command, Device, Health};
use crate::error::{ZwaveError, ZwaveErrorKind};

/// The delays before each further attempt to connect, so that a restarting server is found again
/// soon.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];
/// No further attempt is made after this time.
const ATTEMPTS_LIMIT: Duration = Duration::from_secs(3);
/// The time limit of a command with all reads of the device after it; shorter than the limit of a
/// tool call (30 s).
const SET_LIMIT: Duration = Duration::from_secs(20);
/// How long a failed connection attempt counts for other calls, so that simultaneous calls do not
/// each try to connect.
const FAILURE_HOLDS: Duration = Duration::from_secs(1);
/// How long a server counts as healthy after its last health check, unless the connection breaks.
const HEALTH_HOLDS: Duration = Duration::from_secs(60);

/// The home of a Z-Wave JS server. The connection is opened at the first call, and again after it
/// broke.
#[derive(Debug)]
pub(crate) struct ServerHome {
    address: Address,
    link: Mutex<Link>,
}

#[derive(Debug, Default)]
struct Link {
    connection: Option<Arc<Connection>>,
    failure: Option<FailedAttempt>,
    /// The time of the last successful health check on this connection.
    healthy: Option<Instant>,
}

/// The last attempt to connect, which failed.
#[derive(Debug)]
struct FailedAttempt {
    at: Instant,
    error: ZwaveError,
}

impl ServerHome {
    /// A home at `url`; does not connect yet.
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

    /// Reads the current state of a device. If the device cannot be polled, its last reported state
    /// is returned.
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

    /// Executes a command, and returns the device as it reports itself afterwards, whether it
    /// reached the requested state or not.
    pub(crate) async fn set(
        &self,
        device: &Device,
        command: Command,
    ) -> Result<Device, ZwaveError> {
        let connection = self.connection().await?;
        let result = timeout(SET_LIMIT, tell(&connection, device, command)).await;
        let result = result.unwrap_or_else(|_| Err(connection.late(SET_LIMIT)));
        result.map_err(|error| about(device, &error))
    }

    /// Checks whether the server and its controller answer.
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
        if let Some(FailedAttempt { at, error }) = &link.failure
            && at.elapsed() < FAILURE_HOLDS
        {
            return Err(error.clone());
        }
        let opened = self.open().await.map(Arc::new);
        link.failure = opened.as_ref().err().map(|error| FailedAttempt {
            at: Instant::now(),
            error: error.clone(),
        });
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

/// Requests the values of a device from the device itself, unless it sleeps.
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

/// The device with its last known state.
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

#[cfg(test)]
mod tests;
