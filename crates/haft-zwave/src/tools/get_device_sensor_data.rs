//! `get_device_sensor_data`: the value that a device measures, and its age.

use haft_core::{ToolError, ToolOutput};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::arguments::InputReader;
use super::devices;
use crate::device::Device;
use crate::home::Home;
use crate::names::Purpose;
use crate::speech;

/// A reading older than this is reported with a warning: 5 minutes, in seconds.
const STALE_SECONDS: i64 = 300;

pub(super) const DESCRIPTION: &str = "Read a sensor or another smart home device: temperature, \
    humidity, motion, door contact and so on, with the time of the reading. Use it for questions \
    such as \"what is the temperature in the living room?\".";

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "deviceName": {
                "type": "string",
                "description": "Name of the device, such as \"Living Room Temperature\"",
            },
        },
        "required": ["deviceName"],
    })
}

pub(super) async fn run(home: &Home, input: &InputReader<'_>) -> Result<ToolOutput, ToolError> {
    let device = devices::find(home, input.device_name()?, Purpose::Reading).await?;
    let device = home.read(&device).await?;
    Ok(reading(&device, home.label(), Timestamp::now()))
}

fn reading(device: &Device, source: &str, now: Timestamp) -> ToolOutput {
    let age = device
        .last_seen
        .map(|time| (now.as_second() - time.as_second()).max(0));
    let stale = !device.online || age.is_none_or(|age| age > STALE_SECONDS);
    let when = match (device.last_seen, age) {
        (Some(time), Some(age)) => {
            format!(
                ", read {} at {}",
                speech::ago(age),
                speech::clock(time, now)
            )
        }
        _ => String::new(),
    };
    let warning = match (device.online, stale) {
        (false, _) => " The device is offline, so this is its last known state.",
        (true, true) => " This reading may be out of date.",
        (true, false) => "",
    };
    let text = format!(
        "{}{when}. Source: {source}.{warning}",
        device.statement(false)
    );
    let artifact = json!({
        "device": device,
        "value": device.value.clone().unwrap_or_else(|| device.state.clone().into()),
        "unit": device.unit,
        "source": source,
        "ageSeconds": age,
        "timestamp": device.last_seen,
        "stale": stale,
    });
    ToolOutput::from(text).with_artifact(artifact)
}

#[cfg(test)]
mod tests;
