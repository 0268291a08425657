//! Writes an order as calls of Home Assistant's Assist tools.
//!
//! Which tools there are, and which slots (`name`, `area`, `domain`, ...) they take, is read from
//! their schemas: both depend on the version of Home Assistant and on the home. The intents behind
//! the tools stand in `homeassistant/helpers/intent.py` and in `intent.py` of each component of
//! home-assistant/core: `HassTurnOn` also opens and locks, `HassTurnOff` closes and unlocks.

use std::sync::Arc;

use haft_core::{Arguments, Tool};
use serde_json::{Value, json};

use super::act::{Act, Level};
use super::home::{Device, Domain, Home};
use super::order::Order;
use super::resolve::{Floor, Meant};
use crate::catalog::{Wanted, finished, property, takes, whole, wire_name};

/// More calls than one command is worth.
const MOST_CALLS: usize = 24;

/// The bound tools of Assist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools<'a> {
    tools: &'a [Arc<dyn Tool>],
}

/// A tool, and its argument beside those that say where.
struct Action<'a> {
    tool: &'a dyn Tool,
    value: Option<(&'static str, Value)>,
}

impl<'a> Tools<'a> {
    /// The tools of Assist among `tools`, if they are there.
    pub(crate) fn of(tools: &'a [Arc<dyn Tool>]) -> Option<Self> {
        let found = Self { tools };
        let is_there = found
            .named("HassTurnOn")
            .or(found.named("HassTurnOff"))
            .is_some();
        is_there.then_some(found)
    }

    /// The tool of this name; servers and merged APIs put their own before it.
    fn named(&self, name: &str) -> Option<&'a dyn Tool> {
        let is_it = |tool: &&Arc<dyn Tool>| {
            let before = wire_name(tool.as_ref()).strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with(['_', '.', '-']))
        };
        self.tools.iter().find(is_it).map(AsRef::as_ref)
    }

    /// The calls for `order`; nothing where it is not clear or no tool does it.
    pub(crate) fn calls(&self, order: &Order, home: &Home) -> Option<Vec<Wanted>> {
        let calls: Option<Vec<Wanted>> = match &order.meant {
            Meant::Devices(devices) => {
                let groups = groups(devices, home);
                let calls = groups
                    .iter()
                    .map(|group| self.group(&order.act, group, home));
                calls.collect()
            }
            Meant::Floor(floor) => self.floor(&order.act, floor).map(|call| vec![call]),
            Meant::Area(area) => self.area(area).map(|call| vec![call]),
            _ => None,
        };
        calls.filter(|calls| !calls.is_empty() && calls.len() <= MOST_CALLS)
    }

    fn group(&self, act: &Act, group: &Group<'_>, home: &Home) -> Option<Wanted> {
        let action = self.action(act, group.domain())?;
        let mut slots = Arguments::new();
        match group {
            Group::One(device) => {
                slots.insert("name".to_owned(), device.name().into());
                let same = home
                    .devices
                    .iter()
                    .filter(|other| other.domain == device.domain && other.name() == device.name());
                if same.count() > 1 {
                    slots.insert("area".to_owned(), device.area()?.into());
                }
            }
            Group::Area(area, _) => {
                slots.insert("area".to_owned(), (*area).into());
            }
            Group::Everywhere(_) => {}
        }
        with_slots(&action, slots, group.domain())
    }

    fn floor(&self, act: &Act, floor: &Floor) -> Option<Wanted> {
        let action = self.action(act, floor.domain)?;
        property(action.tool, "floor")?;
        let slots = Arguments::from_iter([("floor".to_owned(), floor.name.as_str().into())]);
        with_slots(&action, slots, floor.domain)
    }

    fn area(&self, area: &str) -> Option<Wanted> {
        let tool = self.named("HassVacuumCleanArea")?;
        finished(
            tool,
            Arguments::from_iter([("area".to_owned(), area.into())]),
        )
    }

    /// The tool that does `act` to devices of `domain`.
    fn action(&self, act: &Act, domain: Domain) -> Option<Action<'a>> {
        let (name, value) = match (act, domain) {
            (Act::On | Act::Start | Act::Clean, Domain::Vacuum) => ("HassVacuumStart", None),
            (Act::Off | Act::Stop | Act::ReturnToBase, Domain::Vacuum) => {
                ("HassVacuumReturnToBase", None)
            }
            (Act::Start | Act::Resume, Domain::MediaPlayer) => ("HassMediaUnpause", None),
            (Act::Stop | Act::Pause, Domain::MediaPlayer) => ("HassMediaPause", None),
            (Act::On | Act::Open | Act::Lock | Act::Start, _) => ("HassTurnOn", None),
            (Act::Off | Act::Close | Act::Unlock | Act::Stop, _) => ("HassTurnOff", None),
            (Act::Level(level), _) => return self.level(*level, domain),
            (Act::Color(color), _) => ("HassLightSet", Some(("color", color.as_str().into()))),
            (Act::Kelvin(kelvin), _) => ("HassLightSet", Some(("temperature", whole(*kelvin)))),
            (Act::StopMoving, _) => ("HassStopMoving", None),
            (Act::Next, _) => ("HassMediaNext", None),
            (Act::Previous, _) => ("HassMediaPrevious", None),
            (Act::Louder(by), _) => ("HassSetVolumeRelative", Some(step("up", *by))),
            (Act::Softer(by), _) => (
                "HassSetVolumeRelative",
                Some(step("down", by.map(|by| -by))),
            ),
            (Act::Mute, _) => return self.mute(),
            (Act::Unmute, _) => (
                "HassMediaPlayerUnmute",
                Some(("is_volume_muted", json!(false))),
            ),
            (Act::AddItem(item), _) => ("HassListAddItem", Some(("item", item.as_str().into()))),
            (Act::Pause | Act::Resume | Act::Clean | Act::ReturnToBase, _) => return None,
        };
        let tool = self.named(name)?;
        let value =
            value.filter(|(key, _)| property(tool, key).is_some() || *key != "is_volume_muted");
        Some(Action { tool, value })
    }

    fn level(&self, level: Level, domain: Domain) -> Option<Action<'a>> {
        let (name, key) = match domain {
            Domain::Light => ("HassLightSet", "brightness"),
            Domain::Cover | Domain::Valve => ("HassSetPosition", "position"),
            Domain::Fan => ("HassFanSetSpeed", "percentage"),
            Domain::MediaPlayer => ("HassSetVolume", "volume_level"),
            Domain::Climate => ("HassClimateSetTemperature", "temperature"),
            _ => return None,
        };
        let tool = self.named(name)?;
        takes(tool, key, level.value).then(|| Action {
            tool,
            value: Some((key, whole(level.value))),
        })
    }

    /// Versions without a tool that mutes have one that sets the volume.
    fn mute(&self) -> Option<Action<'a>> {
        if let Some(tool) = self.named("HassMediaPlayerMute") {
            let has_value = property(tool, "is_volume_muted").is_some();
            let value = has_value.then(|| ("is_volume_muted", json!(true)));
            return Some(Action { tool, value });
        }
        let tool = self.named("HassSetVolume")?;
        Some(Action {
            tool,
            value: Some(("volume_level", json!(0))),
        })
    }
}

fn step(way: &str, by: Option<f64>) -> (&'static str, Value) {
    ("volume_step", by.map_or_else(|| way.into(), whole))
}

/// The call, with the kind of device where the tool takes one.
fn with_slots(action: &Action<'_>, slots: Arguments, domain: Domain) -> Option<Wanted> {
    let mut arguments = slots;
    if let Some(schema) = property(action.tool, "domain") {
        let choices = schema.pointer("/items/enum").or(schema.get("enum"));
        let is_choice = |choices: &Value| {
            let choices = choices.as_array().map(Vec::as_slice).unwrap_or_default();
            choices.iter().any(|choice| choice == domain.name())
        };
        if choices.is_none_or(is_choice) {
            let is_list = schema.get("type").is_none_or(|kind| kind == "array");
            let name = domain.name();
            let value = if is_list { json!([name]) } else { name.into() };
            arguments.insert("domain".to_owned(), value);
        }
    }
    let is_placed = !arguments.is_empty();
    let known = arguments
        .keys()
        .all(|key| property(action.tool, key).is_some());
    if let Some((key, value)) = &action.value {
        arguments.insert((*key).to_owned(), value.clone());
    }
    finished(action.tool, arguments).filter(|_| is_placed && known)
}

/// Devices that one call reaches.
enum Group<'a> {
    One(&'a Device),
    /// All devices of a kind in an area.
    Area(&'a str, Domain),
    /// All devices of a kind.
    Everywhere(Domain),
}

impl Group<'_> {
    fn domain(&self) -> Domain {
        match self {
            Self::One(device) => device.domain,
            Self::Area(_, domain) | Self::Everywhere(domain) => *domain,
        }
    }
}

/// The fewest calls that reach these devices and no other.
fn groups<'a>(indexes: &[usize], home: &'a Home) -> Vec<Group<'a>> {
    let chosen: Vec<&Device> = indexes
        .iter()
        .filter_map(|index| home.device(*index))
        .collect();
    let is_chosen = |device: &Device| chosen.iter().any(|chosen| std::ptr::eq(*chosen, device));
    let all_of = |domain: Domain, area: Option<&str>| {
        let mut devices = home.devices.iter().filter(|device| {
            device.domain == domain && area.is_none_or(|area| device.area() == Some(area))
        });
        let fewest = if area.is_some() { 2 } else { 3 };
        devices.clone().count() >= fewest && devices.all(is_chosen)
    };
    let mut groups: Vec<Group<'a>> = Vec::new();
    for device in &chosen {
        let is_done = groups.iter().any(|group| match group {
            Group::One(_) => false,
            Group::Area(area, domain) => device.domain == *domain && device.area() == Some(*area),
            Group::Everywhere(domain) => device.domain == *domain,
        });
        if is_done {
            continue;
        }
        let area = device
            .area()
            .filter(|area| all_of(device.domain, Some(area)));
        groups.push(match area {
            _ if all_of(device.domain, None) && home.devices.len() > 1 => {
                Group::Everywhere(device.domain)
            }
            Some(area) => Group::Area(area, device.domain),
            None => Group::One(device),
        });
    }
    groups
}

/// The names of what an order is done to, for an answer.
pub(crate) fn ordered(order: &Order, home: &Home) -> String {
    let names: Vec<&str> = match &order.meant {
        Meant::Devices(devices) => {
            let devices = devices.iter().filter_map(|index| home.device(*index));
            devices.map(Device::name).collect()
        }
        _ => vec![order.target.as_str()],
    };
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
