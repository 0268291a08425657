//! What is known of the network: its nodes and their values, kept up to date by events.
//!
//! Values of command classes that no tool speaks of are not kept.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::{Listening, number, text};

/// The numbers of the command classes that matter here (Z-Wave specification).
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
    /// All of them.
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
/// A node with more values than this that matter here is none.
const MAX_VALUES: usize = 500;
/// In characters. Node Naming and Location allows 16 bytes, the server's own names more.
const MAX_NAME: usize = 60;

/// All nodes but the controller.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub(super) nodes: BTreeMap<u32, Node>,
    /// Whether something happened that only a fresh look at the network shows.
    pub(super) stale: bool,
}

/// One node.
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

/// Whether a node can be spoken to (`NodeStatus` of zwave-js).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It runs on a battery, reports by itself, and listens when it wakes up.
    Asleep,
    /// It does not answer.
    Dead,
    /// It listens, as far as is known.
    Alive,
}

/// Which value of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueId {
    pub(super) endpoint: u32,
    pub(super) class: u32,
    pub(super) property: String,
    pub(super) key: Option<Key>,
}

/// What tells values of one property apart, such as the setpoints for heating and cooling.
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
    /// Words for numbers.
    pub(super) states: BTreeMap<u64, String>,
    /// When it was last reported, if that was since the connection began.
    pub(super) reported: Option<Timestamp>,
}

impl Network {
    /// The network as `start_listening` tells it.
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

    /// Takes note of what happened.
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
    /// Nothing if it does not even say its number.
    fn of(state: &Value) -> Option<Self> {
        let mut values = BTreeMap::new();
        let told = state.get("values").and_then(Value::as_array);
        for value in told.into_iter().flatten() {
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

    /// The device said what this value is.
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

    /// The value that a state or an event speaks of.
    fn of(told: &Value) -> Option<Self> {
        let endpoint = number(told, "endpoint").unwrap_or(0);
        let key = match told.get("propertyKey") {
            None | Some(Value::Null) => None,
            Some(key) => Some(Key::of(key)?),
        };
        Some(Self {
            key,
            ..Self::new(
                endpoint,
                number(told, "commandClass")?,
                text(told, "property")?,
            )
        })
    }

    /// As commands name it.
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

fn last_seen(told: &Value) -> Option<Timestamp> {
    text(told, "lastSeen")?.parse().ok()
}

/// A name as it may be read aloud and shown to a model: one short line, nothing invisible.
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
