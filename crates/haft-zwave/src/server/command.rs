//! Sends a command to a device, and waits until the device itself reports the new state.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::connection::{Connection, unclear};
use super::nodes::ValueId;
use super::wire::{SetOutcome, set_outcome};
use super::{current, poll, with_part};
use crate::device::{Command, Device};
use crate::error::{ZwaveError, ZwaveErrorKind};

const CHECK_DEVICE: &str = "Check that it has power and is in reach.";
/// The instruction for the model after "It is not known whether it changed", so that it reports
/// neither success nor failure.
const NOT_KNOWN: &str = "Do not say that it worked or that it failed. Ask for its state.";
/// The delays before each read of a device after a command: a lamp reacts at once, a fading one and
/// the bolt of a lock take seconds.
const LOOKS: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(300),
    Duration::from_millis(700),
    Duration::from_millis(1_500),
    Duration::from_millis(2_500),
];

/// Writes the values of `command`, then reads the device until it has the requested state or the
/// time is over.
pub(super) async fn tell(
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
        // From here on a part of the command may have been executed, even if the next write fails.
        written.map_err(|error| if nth == 0 { error } else { after_write(error) })?;
    }
    let seen = looked_at(connection, device, command).await;
    seen.map_err(after_write)
}

/// Reads the device until it has the requested state or the time is over.
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

/// Changes an error after a part of a command was sent: it must no longer claim that nothing was
/// changed.
fn after_write(error: ZwaveError) -> ZwaveError {
    match error.kind() {
        ZwaveErrorKind::Lost | ZwaveErrorKind::Timeout => error,
        _ => unclear(error.detail()),
    }
}

async fn write(
    connection: &Connection,
    node: u32,
    id: &ValueId,
    value: Value,
) -> Result<(), ZwaveError> {
    let fields = json!({"nodeId": node, "valueId": id.to_json(), "value": value});
    let set = connection.ask("node.set_value", fields).await?;
    match set_outcome(&set) {
        SetOutcome::Taken => Ok(()),
        SetOutcome::Refused(why) => Err(not_taken().with_detail(why)),
        SetOutcome::Unclear(why) => Err(unclear(&why)),
    }
}

fn not_taken() -> ZwaveError {
    let message = "The device did not take the command.";
    ZwaveError::new(ZwaveErrorKind::Refused, message, CHECK_DEVICE)
}

/// The error for a device that was to be changed.
pub(super) fn about(device: &Device, error: &ZwaveError) -> ZwaveError {
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
