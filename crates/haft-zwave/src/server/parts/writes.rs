//! The values that a command writes.

use serde_json::{Value, json};

use super::{MODE_OFF, Part, Role, SECURED};
use crate::device::Command;
use crate::server::nodes::{ValueId, class};

/// Sets a dimmer to its previous level (Multilevel Switch command class).
const LAST_LEVEL: u64 = 255;

impl Part<'_> {
    /// The values to write for `command`, in this order; empty if the device does not support it.
    pub(in crate::server) fn to_write(&self, command: Command) -> Vec<(ValueId, Value)> {
        let on = !matches!(command, Command::Off);
        let target = |class: u32, property: &str| ValueId::new(self.endpoint, class, property);
        match &self.role {
            Role::Switch => vec![(target(class::BINARY_SWITCH, "targetValue"), json!(on))],
            Role::Dimmer => {
                let level = match command {
                    Command::Off => 0,
                    Command::Level(level) => u64::from(level.min(99)),
                    Command::On | Command::Target(_) => LAST_LEVEL,
                };
                vec![(
                    target(class::MULTILEVEL_SWITCH, "targetValue"),
                    json!(level),
                )]
            }
            Role::DoorLock => {
                let mode = if on { SECURED } else { 0 };
                vec![(target(class::DOOR_LOCK, "targetMode"), json!(mode))]
            }
            Role::PlainLock => vec![(target(class::LOCK, "locked"), json!(on))],
            Role::Thermostat => self.to_write_thermostat(command),
            Role::Sensor(_) => Vec::new(),
        }
    }

    fn to_write_thermostat(&self, command: Command) -> Vec<(ValueId, Value)> {
        let mut writes = Vec::new();
        if self.node.values.contains_key(&self.mode()) {
            let now = self.number(&self.mode()).unwrap_or(MODE_OFF);
            let wanted = match command {
                Command::Off => MODE_OFF,
                _ if now != MODE_OFF => now,
                _ => self.running_mode(),
            };
            writes.push((self.mode(), json!(wanted)));
        }
        if let Command::Target(target) = command {
            writes.push((self.setpoint(), json!(target)));
        }
        writes
    }
}
