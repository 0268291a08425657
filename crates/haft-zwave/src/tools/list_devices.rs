//! `list_devices`: every device in detail, a page at a time.

use std::ops::RangeInclusive;

use haft_core::{ToolError, ToolOutput};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::arguments::InputReader;
use crate::device::Device;
use crate::home::Home;
use crate::speech;

const DEFAULT_LIMIT: u32 = 10;
const LIMITS: RangeInclusive<u32> = 1..=100;

pub(super) const DESCRIPTION: &str = "List all smart home devices in detail, a page at a time: \
    type, room, state, whether active, last seen. Offline devices are included. For a short \
    overview use list_zwave_devices.";

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "limit": {
                "type": "integer",
                "minimum": LIMITS.start(),
                "maximum": LIMITS.end(),
                "default": DEFAULT_LIMIT,
                "description": "How many devices to list",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "How many devices to skip",
            },
        },
    })
}

pub(super) async fn run(home: &Home, input: &InputReader<'_>) -> Result<ToolOutput, ToolError> {
    let limit = input.whole("limit", LIMITS)?.unwrap_or(DEFAULT_LIMIT) as usize;
    let offset = input.whole("offset", 0..=u32::MAX)?.unwrap_or(0) as usize;
    let devices = home.devices().await?;
    let total = devices.len();
    let page: Vec<_> = devices.iter().skip(offset).take(limit).collect();
    let end = offset + page.len();
    let next = (end < total).then_some(end);

    let mut text = header(&page, offset, total);
    let now = Timestamp::now();
    for device in &page {
        text += "\n- ";
        text += &line(device, now);
    }
    if let Some(next) = next {
        text += &format!("\nFor more, call list_devices with offset {next}.");
    }
    let artifact = json!({
        "devices": page,
        "total": total,
        "limit": limit,
        "offset": offset,
        "nextOffset": next,
    });
    Ok(ToolOutput::from(text).with_artifact(artifact))
}

fn header(page: &[&Device], offset: usize, total: usize) -> String {
    if page.is_empty() {
        let count = speech::count_of(total, "device");
        return format!("Nothing to show: the home has {count}, and offset is {offset}.");
    }
    format!(
        "Showing {} of {}:",
        page.len(),
        speech::count_of(total, "device")
    )
}

fn line(device: &Device, now: Timestamp) -> String {
    let room = match device.location.as_str() {
        "" => String::new(),
        room => format!(" in {room}"),
    };
    let activity = if device.online { "active" } else { "inactive" };
    let seen = match device.last_seen {
        Some(time) => format!("last seen {}", speech::clock(time, now)),
        None => "never seen".to_owned(),
    };
    format!(
        "{} ({}){room}: {}, {activity}, {seen}",
        device.name,
        device.kind.word(),
        device.condition()
    )
}
