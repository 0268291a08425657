//! `control_zwave_device`: on, off, levels, and what locks and covers do.
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
    sets the target temperature in degrees. A lock takes \"lock\" and \"unlock\". Call it \
    once per device.";

/// The actions, as they are said in a call.
const ACTIONS: [(&str, Action); 8] = [
    ("on", Action::On),
    ("off", Action::Off),
    ("dim", Action::Dim),
    ("lock", Action::Lock),
    ("unlock", Action::Unlock),
    ("toggle", Action::Toggle),
    ("open", Action::Open),
    ("close", Action::Close),
];

/// Words in the names of dimmers that move something: Z-Wave has motors among the dimmers.
const COVERS: &str = "awning blind curtain drape gardine jalousie markise persiana rollladen rollo \
    shade shutter store tapparella vorhang";

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
                "enum": ACTIONS.map(|(word, _)| word),
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
    Lock,
    Unlock,
    Toggle,
    Open,
    Close,
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
        _ if action == Action::Open => format!("open {name}"),
        _ if action == Action::Close => format!("close {name}"),
        Command::On if is_lock => format!("lock {name}"),
        Command::Off if is_lock => format!("unlock {name}"),
        Command::On => format!("turn on {name}"),
        Command::Off => format!("turn off {name}"),
        Command::Level(level) => format!("set {name} to {level} percent"),
        Command::Target(target) => format!("set {name} to {target} degrees"),
    })
}

fn action(input: &InputReader<'_>) -> Result<Action, ToolError> {
    const CHOICES: &str = "on, off, dim, lock, unlock, toggle, open or close";
    let Some(word) = input.text("action")? else {
        return Err(invalid(format!(
            "The action is missing. It must be {CHOICES}."
        )));
    };
    let known = ACTIONS
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name));
    known
        .map(|(_, action)| *action)
        .ok_or_else(|| invalid(format!("The action must be {CHOICES}, not \"{word}\".")))
}

/// The command for the device, or a sentence about why the device does not support it.
///
/// Models write the level 0 beside "on" if they have no level, so it is ignored.
fn command(device: &Device, action: Action, level: Option<u32>) -> Result<Command, ToolError> {
    let level_given = level.filter(|level| *level > 0);
    match (device.kind, action) {
        (DeviceKind::Lock, Action::On | Action::Lock) => Ok(Command::On),
        (DeviceKind::Lock, Action::Off | Action::Unlock) => Ok(Command::Off),
        (DeviceKind::Dimmer, Action::Open) if is_cover(device) => Ok(Command::Level(capped(100))),
        (DeviceKind::Dimmer, Action::Close) if is_cover(device) => Ok(Command::Off),
        (DeviceKind::Switch | DeviceKind::Dimmer | DeviceKind::Thermostat, Action::Toggle) => {
            Ok(match device.on {
                Some(true) => Command::Off,
                _ => Command::On,
            })
        }
        (DeviceKind::Sensor | DeviceKind::Lock, _)
        | (DeviceKind::Switch | DeviceKind::Thermostat, Action::Dim)
        | (_, Action::Lock | Action::Unlock | Action::Open | Action::Close) => {
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
        (DeviceKind::Switch, Action::On) => Ok(Command::On),
        (DeviceKind::Switch | DeviceKind::Dimmer | DeviceKind::Thermostat, Action::Off) => {
            Ok(Command::Off)
        }
    }
}

/// True for blinds and the like, by their name.
fn is_cover(device: &Device) -> bool {
    let name = device.name.to_lowercase();
    COVERS.split_whitespace().any(|word| name.contains(word))
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
            format!("{name} is a lock: it can be locked and unlocked, nothing else.")
        }
        DeviceKind::Thermostat => format!(
            "{name} is a thermostat: it can be turned on or off, or on with the target temperature \
             as level, nothing else."
        ),
        DeviceKind::Switch => {
            format!("{name} is a switch: it can be turned on or off, nothing else.")
        }
        DeviceKind::Dimmer if is_cover(device) => {
            format!("{name} is a cover: it can be opened, closed, or set to a level.")
        }
        DeviceKind::Dimmer => {
            format!("{name} is a dimmer: it can be turned on or off, or dimmed, nothing else.")
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
        _ if action == Action::Open => format!("{} is now open.", device.name),
        _ if action == Action::Close => format!("{} is now closed.", device.name),
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
