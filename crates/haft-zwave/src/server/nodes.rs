//! What is known of the network: its nodes and their values, kept up to date by events.
//!
//! Values of command classes that no tool speaks of are not kept.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::wire::{Change, Event, Listening, Metadata, NodeState, ValueState};

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
            match serde_json::from_str::<NodeState<'_>>(raw.get()) {
                Ok(state) if state.is_controller_node => {}
                Ok(state) => {
                    network.nodes.insert(state.node_id, Node::of(state));
                }
                Err(error) => tracing::warn!(%error, "a Z-Wave node cannot be read"),
            }
        }
        Ok(network)
    }

    /// Takes note of what happened.
    pub(super) fn apply(&mut self, event: Event, now: Timestamp) {
        match (event.source.as_str(), event.event.as_str()) {
            (
                "driver" | "controller",
                "driver ready" | "all nodes ready" | "node added" | "node removed",
            )
            | ("node", "ready" | "interview completed" | "value added" | "metadata updated") => {
                self.stale = true;
            }
            _ => {}
        }
        let Some(node) = event.node_id.and_then(|id| self.nodes.get_mut(&id)) else {
            return;
        };
        match event.event.as_str() {
            "value updated" => {
                let change = event
                    .args
                    .and_then(|args| serde_json::from_value(args).ok());
                if let Some(change) = change {
                    node.change(change, now);
                }
            }
            "statistics updated" => {
                let seen = event.statistics.and_then(|statistics| statistics.last_seen);
                node.last_seen = node.last_seen.max(seen.as_deref().and_then(time));
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
    fn of(state: NodeState<'_>) -> Self {
        let mut values = BTreeMap::new();
        for raw in state.values {
            let Ok(value) = serde_json::from_str::<ValueState>(raw.get()) else {
                continue;
            };
            if class::KNOWN.contains(&value.command_class)
                && values.len() < MAX_VALUES
                && let Some(id) = ValueId::of(&value)
            {
                values.insert(id, Reading::of(value.metadata, value.value));
            }
        }
        Self {
            id: state.node_id,
            name: state.name.as_deref().map(clean).unwrap_or_default(),
            location: state.location.as_deref().map(clean).unwrap_or_default(),
            status: match state.status {
                1 => Status::Asleep,
                3 => Status::Dead,
                _ => Status::Alive,
            },
            last_seen: state.last_seen.as_deref().and_then(time),
            values,
        }
    }

    fn change(&mut self, change: Change, now: Timestamp) {
        let id = ValueId {
            endpoint: change.endpoint,
            class: change.command_class,
            property: match change.property {
                Value::String(property) => property,
                _ => return,
            },
            key: change.property_key.as_ref().and_then(Key::of),
        };
        self.report(&id, change.new_value, now);
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

    fn of(state: &ValueState) -> Option<Self> {
        let key = match &state.property_key {
            None => None,
            Some(key) => Some(Key::of(key)?),
        };
        Some(Self {
            key,
            ..Self::new(
                state.endpoint,
                state.command_class,
                state.property.as_str()?,
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
    fn of(metadata: Metadata, value: Option<Value>) -> Self {
        let words = |states: Map<String, Value>| {
            let word = |(number, word): (String, Value)| {
                Some((number.parse().ok()?, clean(word.as_str()?)))
            };
            states.into_iter().filter_map(word).collect()
        };
        Self {
            value,
            unit: metadata.unit.as_deref().map(clean),
            states: metadata.states.map(words).unwrap_or_default(),
            reported: None,
        }
    }
}

fn time(text: &str) -> Option<Timestamp> {
    text.parse().ok()
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
