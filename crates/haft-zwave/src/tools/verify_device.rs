//! `verify_device`: whether a device exists, and its state.

use haft_core::{ToolError, ToolOutput};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::arguments::InputReader;
use super::devices;
use crate::device::Device;
use crate::home::Home;
use crate::names::{self, Match, Purpose};
use crate::speech;

pub(super) const DESCRIPTION: &str = "Check that a smart home device exists, and tell its type, \
    room, state and when it was last seen. Use it for questions such as \"is the kitchen light \
    on?\" or \"is the front door locked?\".";

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "deviceName": {
                "type": "string",
                "description": "Name of the device, such as \"Kitchen Light\"",
            },
        },
        "required": ["deviceName"],
    })
}

/// Looks the device up. A device that does not exist is a valid answer here, not an error.
pub(super) async fn run(home: &Home, input: &InputReader<'_>) -> Result<ToolOutput, ToolError> {
    let name = input.device_name()?;
    let all = home.devices().await?;
    let (text, artifact) = match names::find(name, &all, Purpose::Any) {
        Match::One(device) => (
            describe(device, Timestamp::now()),
            json!({"exists": true, "device": device}),
        ),
        Match::Several(candidates) => (
            devices::ambiguous(name, &candidates),
            json!({"exists": false, "devices": candidates}),
        ),
        Match::Nothing(suggestions) => (
            devices::unknown(name, &suggestions),
            json!({"exists": false, "suggestions": suggestions}),
        ),
    };
    Ok(ToolOutput::from(text).with_artifact(artifact))
}

fn describe(device: &Device, now: Timestamp) -> String {
    let room = match device.location.as_str() {
        "" => String::new(),
        room => format!(" in the {room}"),
    };
    let kind = device.kind.word();
    let seen = device.last_seen.map(|time| speech::clock(time, now));
    if !device.online {
        let seen = seen.map_or_else(
            || "was never seen".to_owned(),
            |time| format!("was last seen at {time}"),
        );
        return format!(
            "{} exists, a {kind}{room}, but it is offline and {seen}. Its last known state: {}.",
            device.name,
            device.condition()
        );
    }
    let seen = seen
        .map(|time| format!(", last seen at {time}"))
        .unwrap_or_default();
    format!(
        "{}. It is a {kind}{room}, online{seen}.",
        device.statement(false)
    )
}
