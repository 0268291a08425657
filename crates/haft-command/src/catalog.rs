//! What the bound tools can do, read from their names and schemas.
//!
//! Each wish (the time there, this device on) is tried on every tool; a tool that cannot be
//! called without inventing an argument does not fit. `catalog/schema.rs` reads schemas and
//! holds the names that parameters usually have, `catalog/fit.rs` fills in commands to devices.

use std::sync::Arc;

use haft_core::{Arguments, Tool};
use serde_json::json;

use super::assist::Tools;
use super::intent::Action;

mod fit;
mod schema;

use fit::{fit_level, fit_switch, fit_temperature, named_for, switches};
use schema::{LEVEL, ZONE, parameter, required, squeezed, with_device};

pub(crate) use fit::whole;
pub(crate) use schema::{finished, property, takes, wire_name};

/// A call that is wanted, before it has an id.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The tool's name, as it is sent to models.
    pub tool: String,
    /// Its arguments, which fit its schema.
    pub arguments: Arguments,
}

impl Wanted {
    fn ranked(self, rank: u8) -> RankedCall {
        RankedCall { call: self, rank }
    }
}

/// A call and how well it fits a wish, the lower the better.
struct RankedCall {
    call: Wanted,
    rank: u8,
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

    /// The tools of Home Assistant's Assist, where they are bound.
    pub(super) fn assist(&self) -> Option<Tools<'_>> {
        Tools::of(&self.tools)
    }

    /// The call of the tool named `name` that needs no arguments, if it may be made so.
    pub(super) fn plain(&self, name: &str) -> Option<Wanted> {
        let tool = self
            .tools
            .iter()
            .find(|tool| wire_name(tool.as_ref()) == name)?;
        finished(tool.as_ref(), Arguments::new())
    }

    fn best(&self, rank: impl Fn(&dyn Tool) -> Option<RankedCall>) -> Option<Wanted> {
        let ranked = self.tools.iter().filter_map(|tool| rank(tool.as_ref()));
        Some(ranked.min_by_key(|ranked| ranked.rank)?.call)
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
                return place.is_none().then(|| wanted.ranked(1));
            };
            let is_needed = required(tool).any(|name| name == zone);
            let text = match place {
                Some(place) if !is_ours => iana(Some(place)).or(Some(place.to_owned())),
                Some(place) => Some(place.to_owned()),
                None => is_needed.then(|| iana(None)).flatten(),
            };
            let arguments = text.map(|text| (zone, text.into()));
            let wanted = finished(tool, arguments.into_iter().collect())?;
            Some(wanted.ranked(u8::from(!is_ours)))
        })
    }

    /// Does `action` to the device named `device`.
    pub(super) fn control(&self, device: &str, action: Action) -> Option<Wanted> {
        self.best(|tool| match action {
            Action::Level(percent) => fit_level(tool, device, percent),
            Action::Temperature(degrees) => fit_temperature(tool, device, degrees),
            Action::Brighter(_) | Action::Warmer(_) => None,
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
            let domains = parameter(tool, "domain", &["string", "array"])?;
            let mut arguments = Arguments::new();
            if let Some(area) = area {
                arguments.insert(parameter(tool, "area", &["string"])?, area.into());
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
            Some(finished(tool, arguments)?.ranked(0))
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
            if let Some(limit) = parameter(tool, "limit", &["integer", "number"]) {
                arguments.insert(limit, 100.into());
            }
            let rank = u8::from(name != "listdevices");
            is_list.then(|| Some(finished(tool, arguments)?.ranked(rank)))?
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
            if parameter(tool, "action|command", &[]).is_some() {
                return None;
            }
            let arguments = with_device(tool, device)?;
            Some(finished(tool, arguments)?.ranked(u8::from(reads_sensor != measured)))
        })
    }

    /// Asks how the home itself is.
    pub(super) fn health(&self) -> Option<Wanted> {
        self.best(|tool| {
            let is_health = squeezed(wire_name(tool)).contains("health");
            is_health.then(|| Some(finished(tool, Arguments::new())?.ranked(0)))?
        })
    }

    /// True when any bound tool has to do with devices.
    pub(super) fn has_devices(&self) -> bool {
        self.listing().is_some()
            || self.query("x", false).is_some()
            || self.tools.iter().any(|tool| switches(tool.as_ref()))
    }

    /// True when any bound tool tells the time.
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
