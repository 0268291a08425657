//! What to say about what sensors report, and about rooms.

use super::phrases::{joined, names};
use crate::device::{Listed, plain};
use crate::intent::Target;

/// Whether the motion sensors among `devices` see somebody.
pub(super) fn motion(devices: &[&Listed]) -> Option<String> {
    let sensors: Vec<&Listed> = devices
        .iter()
        .copied()
        .filter(|device| device.has_motion())
        .collect();
    let quiet = |device: &&Listed| {
        let state = device.condition().to_lowercase();
        state.starts_with("no") || matches!(state.as_str(), "clear" | "off" | "false" | "0")
    };
    let moving: Vec<&Listed> = sensors
        .iter()
        .copied()
        .filter(|device| !quiet(device))
        .collect();
    if sensors.is_empty() {
        return None;
    }
    Some(if moving.is_empty() {
        format!("No, {} reports no motion.", names(&sensors))
    } else {
        format!("Yes, {} reports motion.", names(&moving))
    })
}

/// Which rooms there are.
pub(super) fn rooms(all: &[Listed]) -> String {
    let mut rooms: Vec<&str> = Vec::new();
    for device in all {
        if !device.location.is_empty() && !rooms.contains(&device.location.as_str()) {
            rooms.push(&device.location);
        }
    }
    match rooms.as_slice() {
        [] => "The devices do not say which rooms they are in.".to_owned(),
        [only] => format!("All devices are in one room: {only}."),
        _ => format!(
            "There are {} rooms: {}.",
            rooms.len(),
            joined(&rooms, "and")
        ),
    }
}

/// What the devices that measure `quantity` read.
pub(super) fn readings(all: &[Listed], target: &Target, quantity: &str) -> String {
    let measures = |device: &&Listed| {
        let unit = device.unit.as_deref().unwrap_or_default();
        let by_unit = match quantity {
            "temperature" => unit.contains('°'),
            _ => unit == "%",
        };
        let named = device.quantity.as_deref() == Some(quantity)
            || device.name.to_lowercase().contains(quantity)
            || (by_unit && device.quantity.is_none());
        named && (device.value.is_some() || !device.state.is_empty())
    };
    let found: Vec<String> = all
        .iter()
        .filter(|device| matches!(target, Target::All { .. }) || device.is_meant(target))
        .filter(measures)
        .map(|device| {
            let unit = device.unit.as_deref().unwrap_or_default();
            match &device.value {
                Some(value) => format!("{} reads {} {unit}.", device.name, plain(value)),
                None => format!("{} reads {}.", device.name, device.state),
            }
        })
        .collect();
    if found.is_empty() {
        return format!("I find no {quantity} reading for that.");
    }
    found.join(" ")
}
