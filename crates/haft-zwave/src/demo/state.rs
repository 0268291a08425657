//! The data of a demo home, which is the content of its file, and the behaviour of its devices.
//!
//! There is one flat record per device, because users write the file by hand and an error can then
//! name the line. Checks beyond the JSON structure are in `check`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::device::{Command, Device, DeviceKind, with_unit};

mod check;

pub(crate) use check::Fault;

/// The highest level of a Z-Wave dimmer (Multilevel Switch command class, values 0 to 99).
const MAX_LEVEL: u8 = 99;
/// The default interval between two reports of a device.
const REPORT_SECONDS: u32 = 60;

/// All devices of a demo home.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with a list of \"devices\""
)]
pub(crate) struct DemoState {
    /// The devices, in any order.
    pub(crate) devices: Vec<DemoDevice>,
}

/// One device. Which of the optional fields it may have depends on its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object with \"name\", \"location\" and \"type\""
)]
pub(crate) struct DemoDevice {
    pub(crate) name: String,
    pub(crate) location: String,
    #[serde(rename = "type")]
    pub(crate) kind: DeviceKind,
    /// For a sensor: what it measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quantity: Option<String>,
    /// For a switch, dimmer or thermostat: whether it is on; off if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<bool>,
    /// For a dimmer: the level while it is on; kept while it is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<u8>,
    /// For a thermostat: the target temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<f64>,
    /// For a sensor or thermostat: the measured value, a number or a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Value>,
    /// The unit of `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<String>,
    /// For a lock: whether it is locked; unlocked if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) locked: Option<bool>,
    /// Whether the device is online; online if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) online: Option<bool>,
    /// The last time at which the device was active apart from its regular reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_seen: Option<Timestamp>,
    /// Seconds between two reports of a device that is online.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report_seconds: Option<u32>,
}

impl DemoState {
    /// All devices with the state that they report at `now`.
    pub(crate) fn report(&self, now: Timestamp) -> Vec<Device> {
        self.devices
            .iter()
            .map(|device| device.report(now))
            .collect()
    }

    /// Executes a command; returns false if there is no such device.
    pub(crate) fn apply(&mut self, name: &str, command: Command, now: Timestamp) -> bool {
        let Some(device) = self.devices.iter_mut().find(|device| device.name == name) else {
            return false;
        };
        if device.is_online() {
            device.apply(command);
            device.last_seen = Some(now);
        }
        true
    }
}

impl DemoDevice {
    fn is_online(&self) -> bool {
        self.online.unwrap_or(true)
    }

    fn apply(&mut self, command: Command) {
        match (self.kind, command) {
            (DeviceKind::Lock, Command::On | Command::Off) => {
                self.locked = Some(command == Command::On);
            }
            (DeviceKind::Sensor, _) => {}
            (_, Command::Off) => self.on = Some(false),
            (_, Command::On) => self.on = Some(true),
            (_, Command::Level(level)) => {
                self.on = Some(true);
                self.level = Some(level.clamp(1, MAX_LEVEL));
            }
            (_, Command::Target(target)) => {
                self.on = Some(true);
                self.target = Some(target);
            }
        }
    }

    fn report(&self, now: Timestamp) -> Device {
        let on = self.on.unwrap_or(false);
        let can_switch = !matches!(self.kind, DeviceKind::Sensor | DeviceKind::Lock);
        let level = if on {
            self.level.unwrap_or(MAX_LEVEL)
        } else {
            0
        };
        Device {
            // Names are unique in a demo home.
            key: self.name.clone(),
            name: self.name.clone(),
            location: self.location.clone(),
            kind: self.kind,
            quantity: self.quantity.clone(),
            state: self.state(),
            on: can_switch.then_some(on),
            level: (self.kind == DeviceKind::Dimmer).then_some(level),
            value: self.value.clone(),
            unit: self.unit.clone(),
            target: self.target,
            online: self.is_online(),
            last_seen: self.last_report(now),
        }
    }

    fn state(&self) -> String {
        let word = match self.kind {
            DeviceKind::Sensor => {
                let reading = |value| with_unit(value, self.unit.as_deref());
                return self
                    .value
                    .as_ref()
                    .map_or_else(|| "unknown".to_owned(), reading);
            }
            DeviceKind::Lock if self.locked.unwrap_or(false) => "locked",
            DeviceKind::Lock => "unlocked",
            _ if self.on.unwrap_or(false) => "on",
            _ => "off",
        };
        word.to_owned()
    }

    /// The time of the last report. An online device reports at every full multiple of its
    /// interval, so the age of a reading needs neither state nor a timer.
    fn last_report(&self, now: Timestamp) -> Option<Timestamp> {
        if !self.is_online() {
            return self.last_seen;
        }
        let interval = i64::from(self.report_seconds.unwrap_or(REPORT_SECONDS).max(1));
        let second = now.as_second() - now.as_second().rem_euclid(interval);
        let regular = Timestamp::from_second(second).ok();
        regular.max(self.last_seen.filter(|seen| *seen <= now))
    }
}

#[cfg(test)]
mod tests;
