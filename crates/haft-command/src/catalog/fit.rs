//! Commands to devices as calls of one tool. Each `fit_*` gives the call, or nothing where a
//! required argument would have to be invented.

use haft_core::{Arguments, Tool};
use serde_json::{Value, json};

use super::RankedCall;
use super::schema::{
    DEVICE, LEVEL, finished, parameter, property, required, squeezed, takes, wire_name, with_device,
};
use crate::intent::Action;

const ACTION: &str = "action|command|state|status|power|on|ison|turnon|operation|mode|locked|lock";
const TEMPERATURE: &str = "temperature|targettemperature|setpoint|targettemp|degrees";

/// True when a tool is about devices at all: `create_user(name, state)` is not.
fn is_about_devices(tool: &dyn Tool) -> bool {
    let text = format!("{} {}", wire_name(tool), tool.description()).to_lowercase();
    let words = "device|light|lamp|switch|home|hass|plug|zwave|z-wave|appliance|lock|turn|\
        thermostat|climate";
    words.split('|').any(|word| text.contains(word))
}

fn words_for(action: Action) -> &'static [&'static str] {
    match action {
        Action::On => &["on", "turnon", "switchon", "activate", "enable"],
        Action::Off => &["off", "turnoff", "switchoff", "deactivate", "disable"],
        Action::Toggle => &["toggle"],
        Action::Lock => &["lock", "locked"],
        Action::Unlock => &["unlock", "unlocked"],
        Action::Open => &["open"],
        Action::Close => &["close", "closed"],
        Action::Brighter(_) | Action::Warmer(_) => &[],
        Action::Level(_) => &[
            "dim",
            "setlevel",
            "setbrightness",
            "brightness",
            "level",
            "set",
            "on",
            "turnon",
        ],
        Action::Temperature(_) => &["settemperature", "temperature", "setpoint", "set", "heat"],
    }
}

/// True when the tool's own name says what it does: `turn_on`, `HassTurnOff`, `lock_door`.
pub(super) fn named_for(tool: &dyn Tool, action: Action) -> bool {
    let name = squeezed(wire_name(tool));
    match action {
        Action::On => name.contains("turnon") || name.contains("switchon"),
        Action::Off => name.contains("turnoff") || name.contains("switchoff"),
        Action::Toggle => name.contains("toggle"),
        Action::Lock => {
            name.contains("lock")
                && !name.contains("unlock")
                && !name.contains("clock")
                && !name.contains("block")
        }
        Action::Unlock => name.contains("unlock"),
        Action::Open => name.contains("open") && !name.contains("opena"),
        Action::Close => name.contains("close"),
        Action::Level(_) | Action::Temperature(_) | Action::Brighter(_) | Action::Warmer(_) => {
            false
        }
    }
}

/// Fills the parameter that says what to do, if there is one and it can say it.
fn with_action(tool: &dyn Tool, action: Action) -> Option<(String, Value)> {
    let key = parameter(tool, ACTION, &["string", "boolean"])?;
    let schema = property(tool, &key)?;
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        let choice = words_for(action).iter().find_map(|word| {
            choices.iter().find(|choice| {
                choice
                    .as_str()
                    .is_some_and(|choice| squeezed(choice) == *word)
            })
        })?;
        return Some((key, choice.clone()));
    }
    let is_lock = squeezed(&key).starts_with("lock");
    let truth = match action {
        Action::On | Action::Level(_) => (!is_lock).then_some(true),
        Action::Off => (!is_lock).then_some(false),
        Action::Lock => is_lock.then_some(true),
        Action::Unlock => is_lock.then_some(false),
        Action::Toggle
        | Action::Open
        | Action::Close
        | Action::Temperature(_)
        | Action::Brighter(_)
        | Action::Warmer(_) => None,
    };
    if schema.get("type").is_some_and(|kind| kind == "boolean") {
        return Some((key, truth?.into()));
    }
    let word = match action {
        Action::On => "on",
        Action::Off => "off",
        _ => return None,
    };
    Some((key, word.into()))
}

pub(super) fn fit_switch(tool: &dyn Tool, device: &str, action: Action) -> Option<RankedCall> {
    if tool.annotations().read_only || !is_about_devices(tool) {
        return None;
    }
    let mut arguments = with_device(tool, device)?;
    let switch = switch(tool, action)?;
    arguments.extend(switch.argument);
    Some(finished(tool, arguments)?.ranked(switch.rank))
}

/// True when the tool switches devices, whichever.
pub(super) fn switches(tool: &dyn Tool) -> bool {
    let has_device = parameter(tool, DEVICE, &["string"]).is_some();
    has_device
        && !tool.annotations().read_only
        && is_about_devices(tool)
        && switch(tool, Action::On).is_some()
}

/// How a tool does an action.
struct Switch {
    /// How well, the lower the better.
    rank: u8,
    /// The argument that says what to do; `None` where the name of the tool does.
    argument: Option<(String, Value)>,
}

fn switch(tool: &dyn Tool, action: Action) -> Option<Switch> {
    plain_switch(tool, action).or_else(|| lock_as_switch(tool, action))
}

fn plain_switch(tool: &dyn Tool, action: Action) -> Option<Switch> {
    if named_for(tool, action) {
        return Some(Switch {
            rank: 0,
            argument: None,
        });
    }
    with_action(tool, action).map(|argument| Switch {
        rank: 1,
        argument: Some(argument),
    })
}

/// Many systems lock with "on"; it counts only where the tool itself speaks of locks.
fn lock_as_switch(tool: &dyn Tool, action: Action) -> Option<Switch> {
    let as_switch = match action {
        Action::Lock => Action::On,
        Action::Unlock => Action::Off,
        _ => return None,
    };
    let description = tool.description().to_lowercase();
    if !description
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "lock" | "locks"))
    {
        return None;
    }
    plain_switch(tool, as_switch).map(|switch| Switch { rank: 2, ..switch })
}

pub(super) fn fit_level(tool: &dyn Tool, device: &str, percent: f64) -> Option<RankedCall> {
    if tool.annotations().read_only || !is_about_devices(tool) {
        return None;
    }
    let mut arguments = with_device(tool, device)?;
    if let Some((key, value)) = with_action(tool, Action::Level(percent)) {
        arguments.insert(key, value);
    }
    let key = parameter(tool, LEVEL, &["integer", "number"])?;
    let maximum = property(tool, &key)
        .and_then(|schema| schema.get("maximum"))
        .and_then(Value::as_f64);
    let level = match maximum {
        Some(255.0) => whole((percent * 2.55).round()),
        Some(1.0) => json!(percent / 100.0),
        _ => whole(percent),
    };
    if !level.as_f64().is_some_and(|level| takes(tool, &key, level)) {
        return None;
    }
    arguments.insert(key, level);
    Some(finished(tool, arguments)?.ranked(0))
}

pub(super) fn fit_temperature(tool: &dyn Tool, device: &str, degrees: f64) -> Option<RankedCall> {
    if tool.annotations().read_only || !is_about_devices(tool) {
        return None;
    }
    let mut arguments = Arguments::new();
    let device_key = parameter(tool, DEVICE, &["string"]);
    let needs_device = device_key.is_some_and(|key| required(tool).any(|name| name == key));
    if needs_device || device != "thermostat" {
        arguments = with_device(tool, device)?;
    }
    if let Some((key, value)) = with_action(tool, Action::Temperature(degrees)) {
        arguments.insert(key, value);
    }
    let (rank, key) = match parameter(tool, TEMPERATURE, &["integer", "number"]) {
        Some(key) => (0, key),
        // Some tools take a thermostat's target as the level of "on", and say so.
        None => {
            // For them a level of zero is no target but none at all.
            let says_so = tool.description().to_lowercase().contains("thermostat");
            let level = parameter(tool, LEVEL, &["integer", "number"])
                .filter(|_| says_so && degrees > 0.0)?;
            arguments = with_device(tool, device)?;
            arguments.extend([with_action(tool, Action::On)?]);
            (1, level)
        }
    };
    if !takes(tool, &key, degrees) {
        return None;
    }
    arguments.insert(key, whole(degrees));
    Some(finished(tool, arguments)?.ranked(rank))
}

/// `40` rather than `40.0`.
pub(crate) fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e9 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole and small, checked above"
        )]
        return json!(number as i64);
    }
    json!(number)
}
