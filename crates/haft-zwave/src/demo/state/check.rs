//! Checks of a demo home beyond its JSON structure.

use std::collections::HashSet;

use serde_json::Value;

use super::{DemoDevice, DemoState, MAX_LEVEL};
use crate::device::DeviceKind;

/// The maximum number of devices; a Z-Wave network has at most 232 nodes.
const MAX_DEVICES: usize = 232;
/// The maximum length of a name, a room, a unit or a value in characters.
const MAX_TEXT: usize = 64;

/// A mistake in a home, and the device that has it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The device's name, unless the mistake concerns the whole home.
    pub(crate) device: Option<String>,
    /// The number of devices with that name before this one.
    pub(crate) nth: usize,
    /// The description of the mistake, as the end of a sentence.
    pub(crate) what: String,
}

impl DemoState {
    /// Finds the first mistake, if any.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.devices.len() > MAX_DEVICES {
            return Err(Fault {
                device: None,
                nth: 0,
                what: format!("a home has at most {MAX_DEVICES} devices"),
            });
        }
        let mut names = HashSet::new();
        for device in &self.devices {
            let fault = |nth, what| {
                let shown: String = device.name.chars().take(MAX_TEXT).collect();
                Fault {
                    device: Some(device.name.clone()),
                    nth,
                    what: format!("in \"{shown}\", {what}"),
                }
            };
            device.check().map_err(|what| fault(0, what))?;
            if !names.insert(&device.name) {
                return Err(fault(1, "another device has the same name".to_owned()));
            }
        }
        Ok(())
    }
}

impl DemoDevice {
    fn check(&self) -> Result<(), String> {
        check_text("name", &self.name)?;
        check_text("location", &self.location)?;
        for (field, text) in [("quantity", &self.quantity), ("unit", &self.unit)] {
            text.as_ref()
                .map_or(Ok(()), |text| check_text(field, text))?;
        }
        self.check_fields()?;
        self.check_values()
    }

    /// Rejects fields that the device's type does not have, because they would be ignored silently.
    fn check_fields(&self) -> Result<(), String> {
        use DeviceKind::{Dimmer, Lock, Sensor, Switch, Thermostat};
        let fields: [(&str, bool, &[DeviceKind]); 7] = [
            ("on", self.on.is_some(), &[Switch, Dimmer, Thermostat]),
            ("level", self.level.is_some(), &[Dimmer]),
            ("target", self.target.is_some(), &[Thermostat]),
            ("value", self.value.is_some(), &[Sensor, Thermostat]),
            ("unit", self.unit.is_some(), &[Sensor, Thermostat]),
            ("quantity", self.quantity.is_some(), &[Sensor]),
            ("locked", self.locked.is_some(), &[Lock]),
        ];
        let misplaced = fields
            .iter()
            .find(|(_, set, kinds)| *set && !kinds.contains(&self.kind));
        misplaced.map_or(Ok(()), |(field, ..)| {
            Err(format!("a {} has no \"{field}\"", self.kind.word()))
        })
    }

    fn check_values(&self) -> Result<(), String> {
        if self
            .level
            .is_some_and(|level| !(1..=MAX_LEVEL).contains(&level))
        {
            return Err(format!("\"level\" must be from 1 to {MAX_LEVEL}"));
        }
        if self.report_seconds == Some(0) {
            return Err("\"reportSeconds\" must be 1 or more".to_owned());
        }
        match &self.value {
            None if self.kind == DeviceKind::Sensor => Err("a sensor needs a \"value\"".to_owned()),
            Some(Value::String(word)) => check_text("value", word),
            None | Some(Value::Number(_)) => Ok(()),
            Some(_) => Err("\"value\" must be a number or a text".to_owned()),
        }
    }
}

fn check_text(field: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err(format!("\"{field}\" is empty"));
    }
    if text.chars().count() > MAX_TEXT {
        return Err(format!("\"{field}\" is longer than {MAX_TEXT} characters"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("\"{field}\" holds a control character"));
    }
    Ok(())
}
