//! Describes what a sensor measures or detects, in everyday words.

use serde_json::Value;

use super::super::nodes::{Key, Node, Reading, ValueId, class};
use super::base;
use crate::device::Device;

/// True if a value is a sensor's reading.
///
/// Of the notification values, only those with a lasting state are readings, such as an open door;
/// the server describes each as a variable of its notification type.
pub(super) fn is_sensor(node: &Node, id: &ValueId) -> bool {
    match id.class {
        class::MULTILEVEL_SENSOR | class::BINARY_SENSOR => true,
        class::NOTIFICATION => notification(id).is_some() && !is_duplicate(node, id),
        _ => false,
    }
}

/// True for the second, simpler value of a door that also reports how it is opened.
fn is_duplicate(node: &Node, id: &ValueId) -> bool {
    let simple = ValueId {
        key: Some(Key::Text("Door state (simple)".to_owned())),
        ..id.clone()
    };
    id.key == Some(Key::Text("Door state".to_owned())) && node.values.contains_key(&simple)
}

/// The supported notification variables (Notification command class, names of zwave-js): the
/// variable, the quantity, and the words for "nothing detected" and "detected".
const NOTIFICATIONS: [(&str, &str, [&str; 2]); 6] = [
    ("Motion sensor status", "motion", ["no motion", "motion"]),
    ("Door state (simple)", "contact", ["closed", "open"]),
    ("Door state", "contact", ["closed", "open"]),
    ("Sensor status", "alarm", ["no alarm", "alarm"]),
    ("Cover status", "tampering", ["no tampering", "tampering"]),
    ("Siren status", "siren", ["silent", "sounding"]),
];
/// The state of an open door or window (Notification command class, type Access Control).
const DOOR_OPEN: u64 = 22;

fn notification(id: &ValueId) -> Option<&'static (&'static str, &'static str, [&'static str; 2])> {
    let Some(Key::Text(variable)) = &id.key else {
        return None;
    };
    NOTIFICATIONS.iter().find(|(known, ..)| known == variable)
}

/// The quantity: "temperature", "motion", "smoke alarm".
fn quantity(id: &ValueId) -> String {
    if let Some((_, about, _)) = notification(id) {
        return match *about {
            // "Smoke Alarm", "Water Alarm" and so on: the notification type names the quantity.
            "alarm" => id.property.to_lowercase(),
            about => about.to_owned(),
        };
    }
    match id.property.as_str() {
        "Air temperature" => "temperature".to_owned(),
        "Door/Window" => "contact".to_owned(),
        // A sensor that does not report what it detects.
        "Any" => "detection".to_owned(),
        other => other.to_lowercase(),
    }
}

/// The name of a sensor in a node with several sensors.
pub(super) fn name(node: &Node, id: &ValueId) -> String {
    let (base, quantity) = (base(node), quantity(id));
    if base.to_lowercase().contains(&quantity) {
        return base;
    }
    let mut letters = quantity.chars();
    let first = letters.next().map(char::to_uppercase);
    let capital: String = first.into_iter().flatten().chain(letters).collect();
    format!("{base} {capital}")
}

/// Writes the sensor's reading into `device`.
pub(super) fn describe(id: &ValueId, reading: &Reading, device: &mut Device) {
    device.quantity = Some(quantity(id));
    // The node may have reported something else since.
    device.last_seen = reading.reported.or(device.last_seen);
    match &reading.value {
        Some(value) if value.is_number() && id.class == class::MULTILEVEL_SENSOR => {
            device.measured(value.clone(), reading);
        }
        Some(value) => {
            if let Some(word) = word(id, value, reading) {
                device.measured(Value::String(word), reading);
            }
        }
        None => {}
    }
}

/// The detected state as a word.
fn word(id: &ValueId, value: &Value, reading: &Reading) -> Option<String> {
    if let Some((_, about, [nothing, something])) = notification(id) {
        let number = value.as_u64()?;
        let is_something = match *about {
            "contact" => number == DOOR_OPEN,
            _ => number != 0,
        };
        let plain = if is_something { something } else { nothing };
        return Some(match (*about, is_something) {
            ("alarm", true) => reading
                .states
                .get(&number)
                .map_or_else(|| (*plain).to_owned(), |state| state.to_lowercase()),
            _ => (*plain).to_owned(),
        });
    }
    match (value, id.property.as_str()) {
        (Value::Bool(true), "Door/Window") => Some("open".to_owned()),
        (Value::Bool(false), "Door/Window") => Some("closed".to_owned()),
        (Value::Bool(true), "Any") => Some("something".to_owned()),
        (Value::Bool(false), "Any") => Some("nothing".to_owned()),
        (Value::Bool(true), what) => Some(what.to_lowercase()),
        (Value::Bool(false), what) => Some(format!("no {}", what.to_lowercase())),
        (Value::String(word), _) => Some(word.chars().take(60).collect()),
        _ => None,
    }
}
