//! What the bound tools can do, read from their names and schemas.
//!
//! Each `fit_*` function tries to fill one tool's arguments for one wish and gives nothing where
//! a required argument would have to be invented. The tables are at the top: how parameters for
//! devices, actions, levels and temperatures are usually called, in the Z-Wave tools, in Home
//! Assistant's, and in the tools that people write themselves.

use std::sync::Arc;

use haft_core::{Arguments, Tool};
use serde_json::{Value, json};

use super::intent::Action;

/// Parameter names, best first, compared without case, `_` and `-`.
const DEVICE: &[&str] = &[
    "devicename",
    "device",
    "name",
    "entityid",
    "entity",
    "light",
    "lightname",
    "lamp",
    "switch",
    "appliance",
    "deviceid",
    "target",
];
const ACTION: &[&str] = &[
    "action",
    "command",
    "state",
    "status",
    "power",
    "on",
    "ison",
    "turnon",
    "operation",
    "mode",
    "locked",
    "lock",
];
const LEVEL: &[&str] = &[
    "level",
    "brightness",
    "brightnesspct",
    "brightnesspercent",
    "percent",
    "percentage",
    "intensity",
    "dimlevel",
    "value",
];
const TEMPERATURE: &[&str] = &[
    "temperature",
    "targettemperature",
    "setpoint",
    "targettemp",
    "degrees",
];
const ZONE: &[&str] = &["timezone", "tz", "zone", "location", "place", "city"];

/// A call that is wanted, before it has an id.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    pub(super) tool: String,
    pub(super) arguments: Arguments,
}

/// The bound tools.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalog {
    tools: Arc<[Arc<dyn Tool>]>,
}

impl Catalog {
    pub(super) fn new(tools: &[Arc<dyn Tool>]) -> Self {
        Self {
            tools: tools.into(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The call of the tool named `name` that needs no arguments, if it may be made so.
    pub(super) fn plain(&self, name: &str) -> Option<Wanted> {
        let tool = self
            .tools
            .iter()
            .find(|tool| wire_name(tool.as_ref()) == name)?;
        finished(tool.as_ref(), Arguments::new())
    }

    fn best(&self, rank: impl Fn(&dyn Tool) -> Option<(u8, Wanted)>) -> Option<Wanted> {
        let ranked = self.tools.iter().filter_map(|tool| rank(tool.as_ref()));
        ranked
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, wanted)| wanted)
    }

    /// Asks the time at `place`, as said, or here. `iana` finds a zone's name for the tools that
    /// understand nothing else.
    pub(super) fn clock(
        &self,
        place: Option<&str>,
        iana: impl Fn(Option<&str>) -> Option<String>,
    ) -> Option<Wanted> {
        self.best(|tool| {
            if !is_clock(tool) {
                return None;
            }
            let is_ours = wire_name(tool) == "get_current_datetime";
            let Some(zone) = parameter(tool, ZONE, &["string"]) else {
                let wanted = finished(tool, Arguments::new())?;
                return place.is_none().then_some((1, wanted));
            };
            let is_needed = required(tool).any(|name| name == zone);
            let text = match place {
                Some(place) if !is_ours => iana(Some(place)).or(Some(place.to_owned())),
                Some(place) => Some(place.to_owned()),
                None => is_needed.then(|| iana(None)).flatten(),
            };
            let arguments = text.map(|text| (zone, text.into()));
            let wanted = finished(tool, arguments.into_iter().collect())?;
            Some((u8::from(!is_ours), wanted))
        })
    }

    /// Does `action` to the device named `device`.
    pub(super) fn control(&self, device: &str, action: Action) -> Option<Wanted> {
        self.best(|tool| match action {
            Action::Level(percent) => fit_level(tool, device, percent),
            Action::Temperature(degrees) => fit_temperature(tool, device, degrees),
            _ => fit_switch(tool, device, action),
        })
    }

    /// Does `action` to all lights or switches of an area at once, where a tool can.
    pub(super) fn control_area(
        &self,
        area: Option<&str>,
        domain: &str,
        action: Action,
    ) -> Option<Wanted> {
        self.best(|tool| {
            let on = matches!(action, Action::On | Action::Off) && named_for(tool, action);
            let level = if let Action::Level(percent) = action {
                Some(percent)
            } else {
                None
            };
            let domains = parameter(tool, &["domain"], &["string", "array"])?;
            let mut arguments = Arguments::new();
            if let Some(area) = area {
                arguments.insert(parameter(tool, &["area"], &["string"])?, area.into());
            }
            let is_list = property(tool, &domains).is_some_and(|schema| schema["type"] == "array");
            arguments.insert(
                domains,
                if is_list {
                    json!([domain])
                } else {
                    domain.into()
                },
            );
            match level {
                Some(percent) => {
                    let name = parameter(tool, LEVEL, &["integer", "number"])?;
                    arguments.insert(name, whole(percent));
                }
                None if !on => return None,
                None => {}
            }
            Some((0, finished(tool, arguments)?))
        })
    }

    /// Lists all devices, with their states if a tool does that.
    pub(super) fn listing(&self) -> Option<Wanted> {
        self.best(|tool| {
            let name = squeezed(wire_name(tool));
            let is_list = name.contains("livecontext")
                || ((name.contains("list") || name.starts_with("get") || name.contains("all"))
                    && ["devices", "lights", "entities", "states"]
                        .iter()
                        .any(|word| name.contains(word)));
            let mut arguments = Arguments::new();
            if let Some(limit) = parameter(tool, &["limit"], &["integer", "number"]) {
                arguments.insert(limit, 100.into());
            }
            let rank = u8::from(name != "listdevices");
            is_list.then(|| Some((rank, finished(tool, arguments)?)))?
        })
    }

    /// Asks about one device; `measured` prefers tools that read sensors.
    pub(super) fn query(&self, device: &str, measured: bool) -> Option<Wanted> {
        self.best(|tool| {
            let name = squeezed(wire_name(tool));
            let reads_sensor = name.contains("sensor") || name.contains("read");
            let reads_state = [
                "verify",
                "state",
                "status",
                "getdevice",
                "deviceinfo",
                "check",
            ]
            .iter()
            .any(|word| name.contains(word));
            if !(reads_sensor || reads_state) || name.starts_with("set") || name.contains("health")
            {
                return None;
            }
            if parameter(tool, &["action", "command"], &[]).is_some() {
                return None;
            }
            let arguments = with_device(tool, device)?;
            Some((
                u8::from(reads_sensor != measured),
                finished(tool, arguments)?,
            ))
        })
    }

    /// True when any bound tool has to do with devices.
    pub(super) fn has_devices(&self) -> bool {
        self.listing().is_some()
            || self.control("x", Action::On).is_some()
            || self.query("x", false).is_some()
            || self
                .tools
                .iter()
                .any(|tool| fit_switch_with(tool.as_ref(), None, Action::On).is_some())
    }

    pub(super) fn has_clock(&self) -> bool {
        self.clock(None, |_| Some("UTC".to_owned())).is_some()
    }
}

fn is_clock(tool: &dyn Tool) -> bool {
    let name = squeezed(wire_name(tool));
    let description = tool.description().to_lowercase();
    let named = [
        "currenttime",
        "currentdate",
        "datetime",
        "gettime",
        "timenow",
    ];
    let is_clock = named.iter().any(|word| name.contains(word))
        || description.contains("current time")
        || description.contains("current date");
    is_clock
        && !["convert", "set", "parse", "format"]
            .iter()
            .any(|word| name.contains(word))
}

/// The name that goes on the wire.
pub(super) fn wire_name(tool: &dyn Tool) -> &str {
    tool.lc_name().unwrap_or_else(|| tool.name())
}

fn squeezed(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn property<'t>(tool: &'t dyn Tool, name: &str) -> Option<&'t Value> {
    tool.schema().get("properties")?.get(name)
}

/// The tool's parameter for the first of `names`, if its type is one of `types` or not told.
fn parameter(tool: &dyn Tool, names: &[&str], types: &[&str]) -> Option<String> {
    let properties = tool.schema().get("properties")?.as_object()?;
    names.iter().find_map(|name| {
        let (key, _) = properties.iter().find(|(key, schema)| {
            squeezed(key) == *name && (types.is_empty() || has_type(schema, types))
        })?;
        Some(key.clone())
    })
}

fn has_type(schema: &Value, types: &[&str]) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => types.contains(&kind.as_str()),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .any(|kind| kind.as_str().is_some_and(|kind| types.contains(&kind))),
        _ => true,
    }
}

fn required(tool: &dyn Tool) -> impl Iterator<Item = &str> {
    let names = tool.schema().get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// The call, unless a required argument is missing.
fn finished(tool: &dyn Tool, arguments: Arguments) -> Option<Wanted> {
    required(tool)
        .all(|name| arguments.contains_key(name))
        .then(|| Wanted {
            tool: wire_name(tool).to_owned(),
            arguments,
        })
}

/// Puts the device's name where the tool wants it; an enum must hold it.
fn with_device(tool: &dyn Tool, device: &str) -> Option<Arguments> {
    let key = parameter(tool, DEVICE, &["string"])?;
    let choices = property(tool, &key)?.get("enum").and_then(Value::as_array);
    let value = match choices {
        None => device.to_owned(),
        Some(choices) => {
            let wanted = squeezed(device);
            let names = || choices.iter().filter_map(Value::as_str);
            let exact = names().find(|name| squeezed(name) == wanted);
            let mut partial = names().filter(|name| squeezed(name).contains(&wanted));
            exact
                .or_else(|| partial.next().filter(|_| partial.next().is_none()))?
                .to_owned()
        }
    };
    Some(Arguments::from_iter([(key, value.into())]))
}

/// True when a tool is about devices at all: `create_user(name, state)` is not.
fn is_about_devices(tool: &dyn Tool) -> bool {
    let text = format!("{} {}", wire_name(tool), tool.description()).to_lowercase();
    [
        "device",
        "light",
        "lamp",
        "switch",
        "home",
        "hass",
        "plug",
        "zwave",
        "z-wave",
        "appliance",
        "lock",
        "turn",
        "thermostat",
        "climate",
    ]
    .iter()
    .any(|word| text.contains(word))
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
fn named_for(tool: &dyn Tool, action: Action) -> bool {
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
        Action::Level(_) | Action::Temperature(_) => false,
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
        Action::Toggle | Action::Open | Action::Close | Action::Temperature(_) => None,
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

fn fit_switch(tool: &dyn Tool, device: &str, action: Action) -> Option<(u8, Wanted)> {
    fit_switch_with(tool, Some(device), action)
}

/// Without a device it only says whether the tool switches things.
fn fit_switch_with(tool: &dyn Tool, device: Option<&str>, action: Action) -> Option<(u8, Wanted)> {
    if tool.annotations().read_only || !is_about_devices(tool) {
        return None;
    }
    let mut arguments = match device {
        Some(device) => with_device(tool, device)?,
        None => Arguments::from_iter([(parameter(tool, DEVICE, &["string"])?, "".into())]),
    };
    let rank = if named_for(tool, action) {
        0
    } else if let Some((key, value)) = with_action(tool, action) {
        arguments.insert(key, value);
        1
    } else if let Some(value) = lock_as_switch(tool, action) {
        arguments.extend(value);
        2
    } else {
        return None;
    };
    Some((rank, finished(tool, arguments)?))
}

/// Many systems lock with "on"; it counts only where the tool itself speaks of locks.
fn lock_as_switch(tool: &dyn Tool, action: Action) -> Option<Option<(String, Value)>> {
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
    named_for(tool, as_switch)
        .then_some(None)
        .or_else(|| with_action(tool, as_switch).map(Some))
}

fn fit_level(tool: &dyn Tool, device: &str, percent: f64) -> Option<(u8, Wanted)> {
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
    arguments.insert(key, level);
    Some((0, finished(tool, arguments)?))
}

fn fit_temperature(tool: &dyn Tool, device: &str, degrees: f64) -> Option<(u8, Wanted)> {
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
            let says_so = tool.description().to_lowercase().contains("thermostat");
            let level = parameter(tool, LEVEL, &["integer", "number"]).filter(|_| says_so)?;
            arguments = with_device(tool, device)?;
            arguments.extend([with_action(tool, Action::On)?]);
            (1, level)
        }
    };
    arguments.insert(key, whole(degrees));
    Some((rank, finished(tool, arguments)?))
}

/// `40` rather than `40.0`.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e9 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole and small, checked above"
        )]
        return json!(number as i64);
    }
    json!(number)
}
