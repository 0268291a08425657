//! A device and its commands, independent of the backend.
//!
//! The JSON form is part of the tools' artifacts. `names` finds a device by its name.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tolerance of a target temperature in degrees: thermostats round to half a degree, some to a
/// whole one.
const TARGET_STEP: f64 = 1.0;

/// The type of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeviceKind {
    /// Can be switched on and off.
    Switch,
    /// Can be switched on and off, and has a level.
    Dimmer,
    /// Heats to a target temperature, or is off.
    Thermostat,
    /// Measures or detects something; takes no command.
    Sensor,
    /// Locks and unlocks.
    Lock,
}

impl DeviceKind {
    /// The kind as a word, as in the JSON form.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::Dimmer => "dimmer",
            Self::Thermostat => "thermostat",
            Self::Sensor => "sensor",
            Self::Lock => "lock",
        }
    }
}

/// One device at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Device {
    /// The identifier, unique within the home and only meaningful to the backend.
    #[serde(skip)]
    pub(crate) key: String,
    /// The name its owner gave it.
    pub(crate) name: String,
    /// The room it is in; may be empty.
    pub(crate) location: String,
    /// The type of the device.
    #[serde(rename = "type")]
    pub(crate) kind: DeviceKind,
    /// What a sensor measures ("temperature", "motion", ...).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quantity: Option<String>,
    /// The last known state in a word or two: "on", "off", "locked", "21.5 °C".
    pub(crate) state: String,
    /// Whether the device is on, if it can be switched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<bool>,
    /// A dimmer's brightness in percent, 0 (off) to 99.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<u8>,
    /// The measured value of a sensor or thermostat: a number or a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Value>,
    /// The unit of `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<String>,
    /// The target temperature of a thermostat, in `unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<f64>,
    pub(crate) online: bool,
    /// When the device last reported; unknown if it never did.
    pub(crate) last_seen: Option<Timestamp>,
}

/// The result of a health check of a home that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// The number of all devices.
    pub devices: usize,
    /// The number of online devices.
    pub online: usize,
}

impl Health {
    pub(crate) fn of(devices: &[Device]) -> Self {
        Self {
            devices: devices.len(),
            online: devices.iter().filter(|device| device.online).count(),
        }
    }
}

/// A command for a device. The tool checks which type supports which command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    /// Switch on, heat, or lock.
    On,
    /// Switch off, or unlock.
    Off,
    /// Set a dimmer's brightness, in percent from 1 to 99.
    Level(u8),
    /// Set a thermostat's target temperature in degrees, and heat.
    Target(f64),
}

impl Device {
    /// The state as the end of a sentence that begins "the device is", such as "on at 40 percent".
    pub(crate) fn condition(&self) -> String {
        match self.kind {
            DeviceKind::Dimmer => match self.level {
                Some(level) if level > 0 => format!("on at {level} percent"),
                _ => self.state.clone(),
            },
            DeviceKind::Thermostat => self.thermostat_condition(),
            DeviceKind::Switch | DeviceKind::Sensor | DeviceKind::Lock => self.state.clone(),
        }
    }

    fn thermostat_condition(&self) -> String {
        let mut condition = self.state.clone();
        if let (Some(true), Some(target)) = (self.on, self.target) {
            condition += &format!(
                ", set to {}",
                with_unit(&target.into(), self.unit.as_deref())
            );
        }
        if let Some(value) = &self.value {
            condition += &format!(", measuring {}", with_unit(value, self.unit.as_deref()));
        }
        condition
    }

    /// True if the device has the state that `command` requests.
    pub(crate) fn obeys(&self, command: Command) -> bool {
        match command {
            Command::On | Command::Off if self.kind == DeviceKind::Lock => {
                let wanted = if command == Command::On {
                    "locked"
                } else {
                    "unlocked"
                };
                self.state == wanted
            }
            Command::On => self.on == Some(true),
            Command::Off => self.on == Some(false),
            Command::Level(level) => self.level == Some(level),
            Command::Target(target) => {
                let near = |now: f64| (now - target).abs() < TARGET_STEP;
                self.on == Some(true) && self.target.is_some_and(near)
            }
        }
    }

    /// "Kitchen Light is on", without the full stop. With `now`, for a state that was just reached,
    /// "is now on".
    pub(crate) fn statement(&self, now: bool) -> String {
        let word = matches!(self.value, Some(Value::String(_))) && self.kind == DeviceKind::Sensor;
        let verb = match (word, now) {
            (true, _) => "reports",
            (false, true) => "is now",
            (false, false) => "is",
        };
        format!("{} {verb} {}", self.name, self.condition())
    }

    /// "Kitchen Light (Kitchen)".
    pub(crate) fn name_and_room(&self) -> String {
        if self.location.is_empty() {
            return self.name.clone();
        }
        format!("{} ({})", self.name, self.location)
    }

    pub(crate) fn availability(&self) -> &'static str {
        if self.online { "online" } else { "offline" }
    }
}

/// A measured value in words: "21.5 °C", "58 %", "no motion".
pub(crate) fn with_unit(value: &Value, unit: Option<&str>) -> String {
    let value = match value {
        Value::String(word) => word.clone(),
        Value::Number(number) => match number.as_f64() {
            // 21.0 would be read aloud as "twenty-one point zero".
            Some(number) => number.to_string(),
            None => number.to_string(),
        },
        other => other.to_string(),
    };
    match unit {
        Some(unit) => format!("{value} {unit}"),
        None => value,
    }
}

#[cfg(test)]
mod tests;
