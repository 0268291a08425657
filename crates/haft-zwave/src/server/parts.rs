//! Maps the nodes of the network to devices: decides which values form a lock, a dimmer and so on.
//!
//! A node can be several devices: a double switch, or a sensor that measures more than one
//! quantity. Each such part reads and writes its own values; `writes` says which for a command.

use std::collections::BTreeMap;

use serde_json::Value;

use super::nodes::{Key, Network, Node, Reading, Status, ValueId, class};
use crate::device::{Device, DeviceKind, with_unit};

mod sensors;
mod writes;

/// The mode of a thermostat that is off (Thermostat Mode command class).
const MODE_OFF: u64 = 0;
const MODE_HEAT: u64 = 1;
const MODE_COOL: u64 = 2;
/// Locked (Door Lock command class, "secured"); 0 is unlocked.
const SECURED: u64 = 255;

/// One device of the network.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) node: &'a Node,
    endpoint: u32,
    role: Role,
    /// The name of the device.
    name: String,
}

/// The kind of a part, with the values by which it is read and controlled.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Role {
    Switch,
    Dimmer,
    Thermostat,
    /// The Door Lock command class.
    DoorLock,
    /// The older Lock command class.
    PlainLock,
    /// This value only.
    Sensor(ValueId),
}

/// All devices of the network.
pub(super) fn parts(network: &Network) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for node in network.nodes.values() {
        parts.extend(parts_of(node));
    }
    make_names_unique(&mut parts);
    parts
}

fn parts_of(node: &Node) -> Vec<Part<'_>> {
    let mut roles: Vec<(u32, Role)> = Vec::new();
    for id in node.values.keys() {
        let role = match (id.class, id.property.as_str()) {
            (class::DOOR_LOCK, "currentMode") => Role::DoorLock,
            (class::LOCK, "locked") => Role::PlainLock,
            (class::THERMOSTAT_SETPOINT, "setpoint") | (class::THERMOSTAT_MODE, "mode") => {
                Role::Thermostat
            }
            (class::MULTILEVEL_SWITCH, "currentValue") => Role::Dimmer,
            (class::BINARY_SWITCH, "currentValue") => Role::Switch,
            _ if sensors::is_sensor(node, id) => Role::Sensor(id.clone()),
            _ => continue,
        };
        if !roles.contains(&(id.endpoint, role.clone())) {
            roles.push((id.endpoint, role));
        }
    }
    let heats = |endpoint: u32| {
        roles
            .iter()
            .any(|(other, role)| *other == endpoint && *role == Role::Thermostat)
    };
    // A thermostat's measured values belong to it, and its relay is not a switch of its own.
    let belongs = |(endpoint, role): &(u32, Role)| match role {
        Role::Sensor(id) => heats(*endpoint) && *id == air_temperature(*endpoint),
        Role::Switch | Role::Dimmer => heats(*endpoint),
        _ => false,
    };
    let kept: Vec<_> = roles.iter().filter(|role| !belongs(role)).collect();
    let actors = kept.iter().filter(|(_, role)| role.is_actor()).count();
    let alone = kept.len() == 1;
    kept.into_iter()
        .map(|(endpoint, role)| Part {
            node,
            endpoint: *endpoint,
            role: role.clone(),
            name: match role {
                Role::Sensor(id) if !alone => sensors::name(node, id),
                role if role.is_actor() && actors > 1 => format!("{} {endpoint}", base(node)),
                _ => base(node),
            },
        })
        .collect()
}

/// The node's name, or its number if it has none.
fn base(node: &Node) -> String {
    if node.name.is_empty() {
        format!("Node {}", node.id)
    } else {
        node.name.clone()
    }
}

/// Makes names unique within a room; otherwise a question which one is meant could not be answered.
fn make_names_unique(parts: &mut [Part<'_>]) {
    let place = |part: &Part<'_>| (part.name.to_lowercase(), part.node.location.to_lowercase());
    let mut counts = BTreeMap::new();
    for part in parts.iter() {
        *counts.entry(place(part)).or_insert(0) += 1;
    }
    for part in parts.iter_mut() {
        if counts.get(&place(part)).is_some_and(|count| *count > 1) {
            part.name = format!("{} (node {})", part.name, part.node.id);
        }
    }
}

fn air_temperature(endpoint: u32) -> ValueId {
    ValueId::new(endpoint, class::MULTILEVEL_SENSOR, "Air temperature")
}

impl Role {
    fn is_actor(&self) -> bool {
        !matches!(self, Self::Sensor(_))
    }

    fn kind(&self) -> DeviceKind {
        match self {
            Self::Switch => DeviceKind::Switch,
            Self::Dimmer => DeviceKind::Dimmer,
            Self::Thermostat => DeviceKind::Thermostat,
            Self::DoorLock | Self::PlainLock => DeviceKind::Lock,
            Self::Sensor(_) => DeviceKind::Sensor,
        }
    }
}

impl Part<'_> {
    /// The identifier of the part, which does not depend on its name.
    pub(super) fn key(&self) -> String {
        let role = match &self.role {
            Role::Sensor(id) => format!("{}/{:?}", id.property, id.key),
            role => role.kind().word().to_owned(),
        };
        format!("{}/{}/{role}", self.node.id, self.endpoint)
    }

    /// The device as last reported.
    pub(super) fn device(&self) -> Device {
        let mut device = Device {
            key: self.key(),
            name: self.name.clone(),
            location: self.node.location.clone(),
            kind: self.role.kind(),
            quantity: None,
            state: "unknown".to_owned(),
            on: None,
            level: None,
            value: None,
            unit: None,
            target: None,
            online: self.node.status != Status::Dead,
            last_seen: self.node.last_seen,
        };
        match &self.role {
            Role::Switch => device.switched(self.flag(&self.current())),
            Role::Dimmer => {
                let level = self.number(&self.current());
                device.level = level.and_then(|level| u8::try_from(level.min(99)).ok());
                device.switched(level.map(|level| level > 0));
            }
            Role::DoorLock => {
                let mode = self.number(&self.current());
                device.locked(mode.map(|mode| mode == SECURED));
            }
            Role::PlainLock => device.locked(self.flag(&self.current())),
            Role::Thermostat => self.describe_thermostat(&mut device),
            Role::Sensor(id) => {
                if let Some(reading) = self.node.values.get(id) {
                    sensors::describe(id, reading, &mut device);
                }
            }
        }
        device
    }

    fn describe_thermostat(&self, device: &mut Device) {
        let reading = |id: &ValueId| self.node.values.get(id);
        let measured = reading(&air_temperature(self.endpoint));
        let setpoint = reading(&self.setpoint());
        device.value = measured.and_then(|reading| reading.value.clone());
        let mut readings = [measured, setpoint].into_iter().flatten();
        device.unit = readings.find_map(|reading| reading.unit.clone());
        device.target = setpoint.and_then(|reading| reading.value.as_ref()?.as_f64());
        let on = match reading(&self.mode()) {
            None => Some(true),
            Some(_) => self.number(&self.mode()).map(|mode| mode != MODE_OFF),
        };
        device.switched(on);
    }

    /// The values to request from the device itself, the most important first.
    pub(super) fn to_poll(&self) -> Vec<ValueId> {
        let mut ids = match &self.role {
            Role::Thermostat => vec![self.mode(), self.setpoint(), air_temperature(self.endpoint)],
            _ => vec![self.current()],
        };
        ids.retain(|id| self.node.values.contains_key(id));
        ids
    }

    /// The value that holds the part's state.
    fn current(&self) -> ValueId {
        let (class, property) = match &self.role {
            Role::Switch => (class::BINARY_SWITCH, "currentValue"),
            Role::Dimmer => (class::MULTILEVEL_SWITCH, "currentValue"),
            Role::DoorLock => (class::DOOR_LOCK, "currentMode"),
            Role::PlainLock => (class::LOCK, "locked"),
            Role::Thermostat => return self.mode(),
            Role::Sensor(id) => return id.clone(),
        };
        ValueId::new(self.endpoint, class, property)
    }

    fn mode(&self) -> ValueId {
        ValueId::new(self.endpoint, class::THERMOSTAT_MODE, "mode")
    }

    /// The mode for switching on: heating, if there is a choice.
    fn running_mode(&self) -> u64 {
        let states = self.node.values.get(&self.mode()).map(|mode| &mode.states);
        let has = |mode: &u64| states.is_some_and(|states| states.contains_key(mode));
        let mut modes = [MODE_HEAT, MODE_COOL].into_iter();
        modes.find(has).unwrap_or(MODE_HEAT)
    }

    /// The setpoint of the current mode, or of the mode for switching on; the number of a mode is
    /// also that of its setpoint (Thermostat Setpoint command class).
    fn setpoint(&self) -> ValueId {
        let of = |key: u64| ValueId {
            key: Some(Key::Number(key)),
            ..ValueId::new(self.endpoint, class::THERMOSTAT_SETPOINT, "setpoint")
        };
        let mode = self.number(&self.mode()).filter(|mode| *mode != MODE_OFF);
        let wanted = of(mode.unwrap_or_else(|| self.running_mode()));
        if self.node.values.contains_key(&wanted) {
            return wanted;
        }
        let mut ids = self.node.values.keys();
        ids.find(|id| id.class == class::THERMOSTAT_SETPOINT && id.endpoint == self.endpoint)
            .cloned()
            .unwrap_or(wanted)
    }

    fn value(&self, id: &ValueId) -> Option<&Value> {
        self.node.values.get(id)?.value.as_ref()
    }

    fn number(&self, id: &ValueId) -> Option<u64> {
        self.value(id)?.as_u64()
    }

    fn flag(&self, id: &ValueId) -> Option<bool> {
        self.value(id)?.as_bool()
    }
}

impl Device {
    fn switched(&mut self, on: Option<bool>) {
        self.on = on;
        self.say(on, "on", "off");
    }

    fn locked(&mut self, locked: Option<bool>) {
        self.say(locked, "locked", "unlocked");
    }

    fn say(&mut self, state: Option<bool>, yes: &str, no: &str) {
        if let Some(state) = state {
            self.state = if state { yes } else { no }.to_owned();
        }
    }

    fn measured(&mut self, value: Value, reading: &Reading) {
        self.unit.clone_from(&reading.unit);
        self.state = with_unit(&value, self.unit.as_deref());
        self.value = Some(value);
    }
}

#[cfg(test)]
mod tests;
