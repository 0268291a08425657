//! The state of the network: its nodes and their values, kept up to date by events.
//!
//! Values of command classes that no tool uses are discarded.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::{Listening, number, text};

/// The numbers of the command classes that are used (Z-Wave specification).
pub(super) mod class {
    pub(in crate::server) const BINARY_SWITCH: u32 = 37;
    pub(in crate::server) const MULTILEVEL_SWITCH: u32 = 38;
    pub(in crate::server) const BINARY_SENSOR: u32 = 48;
    pub(in crate::server) const MULTILEVEL_SENSOR: u32 = 49;
    pub(in crate::server) const THERMOSTAT_MODE: u32 = 64;
    pub(in crate::server) const THERMOSTAT_SETPOINT: u32 = 67;
    pub(in crate::server) const DOOR_LOCK: u32 = 98;
    pub(in crate::server) const NOTIFICATION: u32 = 113;
    pub(in crate::server) const LOCK: u32 = 118;
    /// All command classes that are used.
    pub(super) const KNOWN: [u32; 9] = [
        BINARY_SWITCH,
        MULTILEVEL_SWITCH,
        BINARY_SENSOR,
        MULTILEVEL_SENSOR,
        THERMOSTAT_MODE,
        THERMOSTAT_SETPOINT,
        DOOR_LOCK,
        NOTIFICATION,
        LOCK,
    ];
}

/// The highest number of nodes in a Z-Wave Long Range network (classic Z-Wave has 232).
const MAX_NODES: usize = 4_000;
/// The maximum number of used values of a node; a node with more is skipped.
const MAX_VALUES: usize = 500;
/// The maximum length of a name in characters. Node Naming and Location allows 16 bytes, the
/// server's own names are longer.
const MAX_NAME: usize = 60;

/// All nodes except the controller.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub(super) nodes: BTreeMap<u32, Node>,
    /// Set after an event whose effect is only visible in a newly fetched state.
    pub(super) stale: bool,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) id: u32,
    /// The name its owner gave it; may be empty.
    pub(super) name: String,
    pub(super) location: String,
    pub(super) status: Status,
    pub(super) last_seen: Option<Timestamp>,
    pub(super) values: BTreeMap<ValueId, Reading>,
}

/// Whether a node can be reached (`NodeStatus` of zwave-js).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The node runs on a battery, reports by itself, and receives messages only when it wakes up.
    Asleep,
    /// The node does not answer.
    Dead,
    /// The node is awake, as far as is known.
    Alive,
}

/// The identifier of a value of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueId {
    pub(super) endpoint: u32,
    pub(super) class: u32,
    pub(super) property: String,
    pub(super) key: Option<Key>,
}

/// The key of a property with several values, such as the setpoints for heating and cooling.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Number(u64),
    Text(String),
}

/// The last report of a value.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) value: Option<Value>,
    pub(super) unit: Option<String>,
    /// Names of numeric values.
    pub(super) states: BTreeMap<u64, String>,
    /// The time of the last report, if there was one since the connection was opened.
    pub(super) reported: Option<Timestamp>,
}

impl Network {
    /// Parses the network from the result of `start_listening`.
    pub(super) fn read(listening: &RawValue) -> Result<Self, serde_json::Error> {
        let listening: Listening<'_> = serde_json::from_str(listening.get())?;
        let mut network = Self::default();
        for raw in listening.state.nodes.into_iter().take(MAX_NODES) {
            let state: Value = serde_json::from_str(raw.get()).unwrap_or_default();
            if state.get("isControllerNode") == Some(&Value::Bool(true)) {
                continue;
            }
            match Node::of(&state) {
                Some(node) => {
                    network.nodes.insert(node.id, node);
                }
                None => tracing::warn!("a Z-Wave node cannot be read"),
            }
        }
        Ok(network)
    }

    /// Updates the state after an event.
    pub(super) fn apply(&mut self, event: &Value, now: Timestamp) {
        let what = text(event, "event").unwrap_or_default();
        match (text(event, "source").unwrap_or_default(), what) {
            (
                "driver" | "controller",
                "driver ready" | "all nodes ready" | "node added" | "node removed",
            )
            | ("node", "ready" | "interview completed" | "value added" | "metadata updated") => {
                self.stale = true;
            }
            _ => {}
        }
        let node = number(event, "nodeId").and_then(|id| self.nodes.get_mut(&id));
        let Some(node) = node else {
            return;
        };
        match what {
            "value updated" => {
                if let Some(change) = event.get("args")
                    && let Some(id) = ValueId::of(change)
                {
                    node.report(&id, change.get("newValue").cloned(), now);
                }
            }
            "statistics updated" => {
                let seen = event.get("statistics").and_then(last_seen);
                node.last_seen = node.last_seen.max(seen);
            }
            "dead" => node.status = Status::Dead,
            "sleep" => node.status = Status::Asleep,
            "alive" | "wake up" => {
                node.status = Status::Alive;
                node.last_seen = Some(now);
            }
            _ => {}
        }
    }
}

impl Node {
    /// Parses a node; `None` if it has no number.
    fn of(state: &Value) -> Option<Self> {
        let mut values = BTreeMap::new();
        let reported = state.get("values").and_then(Value::as_array);
        for value in reported.into_iter().flatten() {
            if let Some(id) = ValueId::of(value)
                && class::KNOWN.contains(&id.class)
                && values.len() < MAX_VALUES
            {
                values.insert(id, Reading::of(value));
            }
        }
        Some(Self {
            id: number(state, "nodeId")?,
            name: text(state, "name").map(clean).unwrap_or_default(),
            location: text(state, "location").map(clean).unwrap_or_default(),
            status: match number(state, "status") {
                Some(1) => Status::Asleep,
                Some(3) => Status::Dead,
                _ => Status::Alive,
            },
            last_seen: last_seen(state),
            values,
        })
    }

    /// Stores a value that the device reported.
    pub(super) fn report(&mut self, id: &ValueId, value: Option<Value>, now: Timestamp) {
        if let Some(reading) = self.values.get_mut(id) {
            reading.value = value;
            reading.reported = Some(now);
            self.last_seen = Some(now);
        }
    }
}

impl ValueId {
    /// A value without a key.
    pub(super) fn new(endpoint: u32, class: u32, property: &str) -> Self {
        Self {
            endpoint,
            class,
            property: property.to_owned(),
            key: None,
        }
    }

    /// Parses the identifier of a value in a state or an event.
    fn of(value: &Value) -> Option<Self> {
        let endpoint = number(value, "endpoint").unwrap_or(0);
        let key = match value.get("propertyKey") {
            None | Some(Value::Null) => None,
            Some(key) => Some(Key::of(key)?),
        };
        Some(Self {
            key,
            ..Self::new(
                endpoint,
                number(value, "commandClass")?,
                text(value, "property")?,
            )
        })
    }

    /// The identifier as commands contain it.
    pub(super) fn to_json(&self) -> Value {
        let mut id = json!({
            "endpoint": self.endpoint,
            "commandClass": self.class,
            "property": self.property,
        });
        let key = match &self.key {
            None => return id,
            Some(Key::Number(number)) => json!(number),
            Some(Key::Text(text)) => json!(text),
        };
        if let Some(id) = id.as_object_mut() {
            id.insert("propertyKey".to_owned(), key);
        }
        id
    }
}

impl Key {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            other => other.as_u64().map(Self::Number),
        }
    }
}

impl Reading {
    fn of(state: &Value) -> Self {
        let metadata = state.get("metadata").unwrap_or(&Value::Null);
        let states = metadata.get("states").and_then(Value::as_object);
        let word =
            |(number, word): (&String, &Value)| Some((number.parse().ok()?, clean(word.as_str()?)));
        Self {
            value: state.get("value").filter(|value| !value.is_null()).cloned(),
            unit: text(metadata, "unit").map(clean),
            states: states.into_iter().flatten().filter_map(word).collect(),
            reported: None,
        }
    }
}

fn last_seen(state: &Value) -> Option<Timestamp> {
    text(state, "lastSeen")?.parse().ok()
}

/// Makes a name safe to read aloud and to show to a model: one short line without invisible
/// characters.
fn clean(text: &str) -> String {
    let visible = |c: &char| {
        !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let text: String = text
        .chars()
        .filter(visible)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_NAME).collect()
}

#[cfg(test)]
mod tests;
