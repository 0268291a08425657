//! The home as the client tells it: its devices, its areas, and where the speaker is.
//!
//! All of it stands in the system prompt. Home Assistant says there which area the speaker is in
//! ("You are in area Kitchen (floor Ground) and all generic commands ..."), and otherwise that all
//! devices of a type are not to be controlled without asking for an area.

use haft_core::Message;

use super::list::{Entry, entries};
use crate::tokens::words;

/// A kind of entity of Home Assistant; only those that commands know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Climate,
    Cover,
    Fan,
    Humidifier,
    InputBoolean,
    Light,
    Lock,
    MediaPlayer,
    Scene,
    Script,
    Siren,
    Switch,
    Todo,
    Vacuum,
    Valve,
    /// What is only read, as sensors, or what no command is known for.
    Other,
}

const DOMAINS: [(&str, Domain); 15] = [
    ("climate", Domain::Climate),
    ("cover", Domain::Cover),
    ("fan", Domain::Fan),
    ("humidifier", Domain::Humidifier),
    ("input_boolean", Domain::InputBoolean),
    ("light", Domain::Light),
    ("lock", Domain::Lock),
    ("media_player", Domain::MediaPlayer),
    ("scene", Domain::Scene),
    ("script", Domain::Script),
    ("siren", Domain::Siren),
    ("switch", Domain::Switch),
    ("todo", Domain::Todo),
    ("vacuum", Domain::Vacuum),
    ("valve", Domain::Valve),
];

impl Domain {
    fn of(name: &str) -> Self {
        let found = DOMAINS.iter().find(|(known, _)| *known == name);
        found.map_or(Self::Other, |(_, domain)| *domain)
    }

    /// As the tools call it.
    pub(crate) fn name(self) -> &'static str {
        let found = DOMAINS.iter().find(|(_, domain)| *domain == self);
        found.map_or("", |(name, _)| name)
    }
}

/// A device, or a list of things to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Device {
    /// The name and its aliases; at least one.
    pub(crate) names: Vec<Name>,
    pub(crate) domain: Domain,
    /// The area and its aliases.
    pub(crate) areas: Vec<Name>,
    /// What it is now, where the client tells states.
    pub(crate) state: Option<String>,
    attributes: Vec<(String, String)>,
}

impl Device {
    fn of(entry: &Entry) -> Option<Self> {
        let names: Vec<Name> = named(&entry.names);
        // "all" is no name for Home Assistant, but every device there is.
        let is_named = !names.is_empty() && !names.iter().any(|name| name.stems == ["all"]);
        is_named.then(|| Self {
            names,
            domain: Domain::of(&entry.domain),
            areas: named(&entry.areas),
            state: entry.state.clone(),
            attributes: entry.attributes.clone(),
        })
    }

    /// What it is called first.
    pub(crate) fn name(&self) -> &str {
        self.names.first().map_or("", |name| &name.text)
    }

    /// The attribute `key`, as the client lists it.
    pub(crate) fn attribute(&self, key: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// The area that it is in, as it is called first.
    pub(crate) fn area(&self) -> Option<&str> {
        self.areas.first().map(|area| area.text.as_str())
    }
}

/// What something is called, and the words of it as they are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) stems: Vec<String>,
}

/// Names separated by commas. A name may hold a comma itself, so the whole is one, too.
fn named(text: &str) -> Vec<Name> {
    let parts = text.split(", ").map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .map(|part| Name {
            text: part.to_owned(),
            stems: words(part).iter().map(|word| stem(&word.lower)).collect(),
        })
        .filter(|name| !name.stems.is_empty())
        .collect()
}

/// A word as it is compared: without the ending of a plural or a possessive, numbers in digits.
pub(crate) fn stem(word: &str) -> String {
    const NUMBERS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    if let Some(number) = NUMBERS.iter().position(|number| *number == word) {
        return number.to_string();
    }
    let plain = word.trim_end_matches("'s").replace(['\'', '-'], "");
    let singular = plain
        .strip_suffix("ches")
        .map(|stem| format!("{stem}ch"))
        .or_else(|| plain.strip_suffix('s').map(str::to_owned));
    match singular {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular,
        _ => plain,
    }
}

/// Where the speaker is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Here {
    /// The area, as it is compared.
    pub(crate) area: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Home {
    pub(crate) devices: Vec<Device>,
    pub(crate) here: Option<Here>,
    /// Whether the client wants to be asked for an area before all devices of a type are changed.
    pub(crate) asks_for_area: bool,
}

impl Home {
    /// The home that the system prompt among `messages` describes, if one does.
    pub(crate) fn of(messages: &[Message]) -> Option<Self> {
        let prompts = messages.iter().filter_map(|message| match message {
            Message::System(system) => Some(system.content.text()),
            _ => None,
        });
        Self::read(&prompts.collect::<Vec<_>>().join("\n"))
    }

    /// The home that `prompt`, or an answer of `GetLiveContext`, describes.
    pub(crate) fn read(prompt: &str) -> Option<Self> {
        let devices: Vec<Device> = entries(prompt)?.iter().filter_map(Device::of).collect();
        (!devices.is_empty()).then(|| Self {
            devices,
            here: here(prompt),
            asks_for_area: prompt.contains("ask the user to specify")
                || prompt.contains("ask user to specify"),
        })
    }

    pub(crate) fn device(&self, index: usize) -> Option<&Device> {
        self.devices.get(index)
    }

    /// True when the device is in the area of the speaker.
    pub(crate) fn is_here(&self, device: &Device) -> bool {
        let mut areas = device.areas.iter();
        self.here
            .as_ref()
            .is_some_and(|here| areas.any(|area| area.stems == here.area))
    }
}

/// "You are in area Kitchen (floor Ground) and all generic commands ..."
fn here(prompt: &str) -> Option<Here> {
    let (_, rest) = prompt.split_once("You are in area ")?;
    let ends = [" (floor ", " and all generic", "\n", "."];
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    let area = rest.get(..end.unwrap_or(rest.len()))?;
    let name = named(area).into_iter().next()?;
    Some(Here { area: name.stems })
}

#[cfg(test)]
mod tests;
