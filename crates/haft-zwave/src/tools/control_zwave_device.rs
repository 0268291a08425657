//! `control_zwave_device`: on, off and levels.
//!
//! The answer is the state that the device reports afterwards, because a sent command may have no
//! effect.

use std::ops::RangeInclusive;

use haft_core::{ToolError, ToolOutput};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::arguments::{InputReader, invalid};
use super::devices;
use crate::device::{Command, Device, DeviceKind};
use crate::home::Home;
use crate::names::Purpose;
use crate::speech;

/// The highest level of a Z-Wave dimmer (Multilevel Switch command class).
const MAX_LEVEL: u32 = 99;
/// Target temperatures that a home thermostat accepts, in degrees Celsius.
const CELSIUS: RangeInclusive<u32> = 5..=35;
/// Target temperatures that a home thermostat accepts, in degrees Fahrenheit.
const FAHRENHEIT: RangeInclusive<u32> = 41..=95;

pub(super) const DESCRIPTION: &str = "Control a smart home device: turn it on or off, or dim a \
    light. action \"dim\" REQUIRES level in percent. On a thermostat, action \"on\" with level \
    sets the target temperature in degrees. On a lock, \"on\" locks and \"off\" unlocks. Call it \
    once per device.";

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "deviceName": {
                "type": "string",
                "description": "Name of the device, such as \"Kitchen Light\"",
            },
            "action": {
                "type": "string",
                "enum": ["on", "off", "dim"],
                "description": "What to do",
            },
            "level": {
                "type": "integer",
                "minimum": 0,
                "maximum": 100,
                "description": "Brightness in percent; required for dim",
            },
        },
        "required": ["deviceName", "action"],
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    On,
    Off,
    Dim,
}

pub(super) async fn run(home: &Home, input: &InputReader<'_>) -> Result<ToolOutput, ToolError> {
    let name = input.device_name()?;
    let action = action(input)?;
    let level = input.whole("level", 0..=100)?;
    if action == Action::Dim && level.is_none() {
        return Err(invalid(
            "To dim a device, say the level: a whole number from 0 to 100.",
        ));
    }
    let device = devices::find(home, name, Purpose::Control).await?;
    let command = command(&device, action, level)?;
    if !device.online {
        return Err(ToolError::new(offline(&device, Timestamp::now())));
    }
    let device = home.set(&device, command).await?;
    if !device.obeys(command) {
        tracing::warn!(device = %device.name, ?command, state = %device.state, "not obeyed");
        return Err(ToolError::new(format!(
            "{} took the command, but it still reports {}.",
            device.name,
            device.condition()
        )));
    }
    let text = report(&device, action, level);
    tracing::debug!(device = %device.name, ?command, state = %device.state, "device controlled");
    Ok(ToolOutput::from(text).with_artifact(json!({"device": device})))
}

/// The effect of a command as words: "unlock Front Door". `None` for a command that would be
/// refused.
pub(super) async fn effect(home: &Home, input: &InputReader<'_>) -> Option<String> {
    let action = action(input).ok()?;
    let level = input.whole("level", 0..=100).ok()?;
    let name = input.device_name().ok()?;
    let device = devices::find(home, name, Purpose::Control).await.ok()?;
    let command = command(&device, action, level).ok()?;
    let name = &device.name;
    let is_lock = device.kind == DeviceKind::Lock;
    Some(match command {
        Command::On if is_lock => format!("lock {name}"),
        Command::Off if is_lock => format!("unlock {name}"),
        Command::On => format!("turn on {name}"),
        Command::Off => format!("turn off {name}"),
        Command::Level(level) => format!("set {name} to {level} percent"),
        Command::Target(target) => format!("set {name} to {target} degrees"),
    })
}

fn action(input: &InputReader<'_>) -> Result<Action, ToolError> {
    match input.text("action")? {
        Some(word) if word.eq_ignore_ascii_case("on") => Ok(Action::On),
        Some(word) if word.eq_ignore_ascii_case("off") => Ok(Action::Off),
        Some(word) if word.eq_ignore_ascii_case("dim") => Ok(Action::Dim),
        Some(word) => Err(invalid(format!(
            "The action must be on, off or dim, not \"{word}\"."
        ))),
        None => Err(invalid("The action is missing. It must be on, off or dim.")),
    }
}

/// The command for the device, or a sentence about why the device does not support it.
///
/// Models write the level 0 beside "on" if they have no level, so it is ignored.
fn command(device: &Device, action: Action, level: Option<u32>) -> Result<Command, ToolError> {
    let level_given = level.filter(|level| *level > 0);
    match (device.kind, action) {
        (DeviceKind::Sensor, _)
        | (DeviceKind::Switch | DeviceKind::Lock | DeviceKind::Thermostat, Action::Dim) => {
            Err(invalid(cannot(device)))
        }
        (DeviceKind::Thermostat, Action::On) => match level_given {
            Some(target) if targets(device).contains(&target) => {
                Ok(Command::Target(f64::from(target)))
            }
            Some(target) => Err(invalid(format!(
                "{} cannot be set to {target} degrees, only from {} to {}.",
                device.name,
                targets(device).start(),
                targets(device).end()
            ))),
            None => Ok(Command::On),
        },
        (DeviceKind::Dimmer, Action::On | Action::Dim) => match level_given {
            Some(level) => Ok(Command::Level(capped(level))),
            None if action == Action::Dim => Ok(Command::Off),
            None => Ok(Command::On),
        },
        (_, Action::On) => Ok(Command::On),
        (_, Action::Off) => Ok(Command::Off),
    }
}

fn targets(device: &Device) -> RangeInclusive<u32> {
    match device.unit.as_deref() {
        Some("°F") => FAHRENHEIT,
        _ => CELSIUS,
    }
}

fn capped(level: u32) -> u8 {
    u8::try_from(level.min(MAX_LEVEL)).unwrap_or(u8::MAX)
}

fn cannot(device: &Device) -> String {
    let name = &device.name;
    match device.kind {
        DeviceKind::Sensor => format!("{name} is a sensor: it can be read, not controlled."),
        DeviceKind::Lock => {
            format!("{name} is a lock: it cannot be dimmed, only locked (on) or unlocked (off).")
        }
        DeviceKind::Thermostat => format!(
            "{name} is a thermostat: it cannot be dimmed, only turned on or off, or on with the \
             target temperature as level."
        ),
        DeviceKind::Switch | DeviceKind::Dimmer => {
            format!("{name} is a switch: it cannot be dimmed, only turned on or off.")
        }
    }
}

fn offline(device: &Device, now: Timestamp) -> String {
    let seen = device
        .last_seen
        .map(|time| format!(" and was last seen at {}", speech::clock(time, now)));
    format!(
        "{} is offline{}. Nothing was changed.",
        device.name,
        seen.unwrap_or_default()
    )
}

fn report(device: &Device, action: Action, level: Option<u32>) -> String {
    let set = level.filter(|_| action != Action::Off);
    match (device.kind, device.level, set) {
        (DeviceKind::Dimmer, Some(now), Some(wanted)) if now > 0 && wanted > 0 => {
            let maximum = if wanted > MAX_LEVEL {
                ", its maximum"
            } else {
                ""
            };
            format!("{} is now at {now} percent{maximum}.", device.name)
        }
        _ => format!("{}.", device.statement(true)),
    }
}

#[cfg(test)]
mod tests;
