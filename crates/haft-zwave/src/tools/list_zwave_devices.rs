//! `list_zwave_devices`: names, rooms and states, for choosing a device.

use haft_core::{ToolError, ToolOutput};
use serde_json::{Value, json};

use super::arguments::InputReader;
use crate::device::Device;
use crate::home::Home;
use crate::{names, speech};

pub(super) const DESCRIPTION: &str = "List the smart home devices with name, room, online status \
    and state. Use it to see what devices there are, or which are on. `filter` narrows the list \
    to a room or a word, such as \"kitchen\" or \"lights\".";

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "includeInactive": {
                "type": "boolean",
                "default": false,
                "description": "Also list devices that are offline",
            },
            "filter": {
                "type": "string",
                "description": "Part of a device name or room; leave it out to list everything",
            },
        },
    })
}

pub(super) async fn run(home: &Home, input: &InputReader<'_>) -> Result<ToolOutput, ToolError> {
    let include_inactive = input.flag("includeInactive")?.unwrap_or(false);
    let filter = input.text("filter")?;
    let mut devices = home.devices().await?;
    let rooms = rooms(&devices);
    devices.retain(|device| filter.is_none_or(|filter| names::passes(filter, device)));
    let fitting = devices.len();
    devices.retain(|device| include_inactive || device.online);
    let hidden = fitting - devices.len();

    let mut text = header(devices.len(), filter);
    for device in &devices {
        text += &format!(
            "\n- {}: {}, {}",
            device.name_and_room(),
            device.availability(),
            device.condition()
        );
    }
    if hidden > 0 {
        let count = speech::count_of(hidden, "offline device");
        text += &format!("\nNot shown: {count} (includeInactive shows them).");
    }
    if fitting == 0 && !rooms.is_empty() {
        text += &format!(" The rooms are {}.", speech::list(&rooms, "and"));
    }
    let artifact = json!({"devices": devices, "total": devices.len(), "hidden": hidden});
    Ok(ToolOutput::from(text).with_artifact(artifact))
}

fn header(count: usize, filter: Option<&str>) -> String {
    let filter = filter
        .map(|filter| format!(" for \"{filter}\""))
        .unwrap_or_default();
    match count {
        0 => format!("No devices{filter}."),
        count => format!("{}{filter}:", speech::count_of(count, "device")),
    }
}

fn rooms(devices: &[Device]) -> Vec<String> {
    let mut rooms: Vec<_> = devices
        .iter()
        .map(|device| device.location.clone())
        .collect();
    rooms.retain(|room| !room.is_empty());
    rooms.sort();
    rooms.dedup();
    rooms
}
