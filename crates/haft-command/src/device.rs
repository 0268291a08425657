//! Devices as tools report them: read from an artifact, from JSON, or from lines of text; and
//! which of them "all the lights in the kitchen" are.

use haft_core::ToolMessage;
use serde_json::Value;

use haft_select::english::one_of;

use super::intent::{DeviceKind, State, Target};

/// More devices than any home of one family has. Whatever stands behind them in a listing is said
/// to have been left out.
pub(super) const MOST_DEVICES: usize = 200;

/// Parts of the names and kinds of what covers a window.
const COVERS: [&str; 5] = ["blind", "curtain", "shutter", "cover", "shade"];

/// A device in a listing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) location: String,
    pub(super) kind: String,
    pub(super) state: String,
    pub(super) on: Option<bool>,
    pub(super) value: Option<Value>,
    pub(super) unit: Option<String>,
    /// What a sensor measures, where it says so.
    pub(super) quantity: Option<String>,
    /// Brightness in percent.
    pub(super) level: Option<f64>,
    /// The temperature that is wished for.
    pub(super) target: Option<f64>,
    /// Whether it answers, where that is reported.
    pub(super) online: Option<bool>,
}

/// The devices in a result, in its order, up to the limit.
pub(super) fn listed(result: &ToolMessage) -> Vec<Listed> {
    let mut devices = all(result);
    devices.truncate(MOST_DEVICES);
    devices
}

/// How many devices a result has beyond the limit.
pub(super) fn left_out(result: &ToolMessage) -> usize {
    all(result).len().saturating_sub(MOST_DEVICES)
}

fn all(result: &ToolMessage) -> Vec<Listed> {
    let mut devices = result.artifact.as_ref().map(in_json).unwrap_or_default();
    if devices.is_empty() {
        let text = result.content.text();
        devices = match serde_json::from_str::<Value>(&text) {
            Ok(json) => match json.get("result").and_then(Value::as_str) {
                Some(text) => in_text(text),
                None => in_json(&json),
            },
            Err(_) => in_text(&text),
        };
    }
    devices
}

/// The objects with a name, at any depth that a listing has.
fn in_json(json: &Value) -> Vec<Listed> {
    match json {
        Value::Array(items) => items.iter().flat_map(in_json).collect(),
        Value::Object(fields) => match device(json) {
            Some(device) => vec![device],
            None => fields
                .values()
                .filter(|value| !value.is_string())
                .flat_map(in_json)
                .collect(),
        },
        _ => Vec::new(),
    }
}

fn device(json: &Value) -> Option<Listed> {
    let text = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| json.get(key)?.as_str());
        found.unwrap_or_default().to_owned()
    };
    let word = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    let name = text(&["name", "friendly_name", "names", "entity_id"]);
    let state = text(&["state", "status"]);
    let on = json.get("on").and_then(Value::as_bool);
    let on = on.or_else(|| switched(&state));
    (!name.is_empty()).then(|| Listed {
        name,
        location: text(&["location", "area", "areas", "room"]),
        kind: text(&["type", "domain", "kind"]).to_lowercase(),
        on,
        value: json.get("value").filter(|value| !value.is_null()).cloned(),
        unit: word("unit"),
        quantity: word("quantity"),
        level: number(json, &["level", "brightness_pct", "percent"]),
        target: number(json, &["target", "target_temperature", "setpoint"]),
        online: json.get("online").and_then(Value::as_bool),
        state,
    })
}

/// Whether a state is that of something switched on or off.
fn switched(state: &str) -> Option<bool> {
    match state.to_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn number(json: &Value, keys: &[&str]) -> Option<f64> {
    keys.iter().find_map(|key| json.get(key)?.as_f64())
}

/// Lines such as "- Kitchen Light (switch): on", and blocks of "- names: ...", "  state: ...".
fn in_text(text: &str) -> Vec<Listed> {
    let mut devices: Vec<Listed> = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        let item = bare.strip_prefix(['-', '*', '•']).map(str::trim);
        if let Some(name) = item.and_then(|item| item.strip_prefix("names:")) {
            devices.push(Listed {
                name: unquoted(name),
                ..Listed::default()
            });
        } else if let (Some((key, value)), None, Some(last)) =
            (bare.split_once(':'), item, devices.last_mut())
        {
            let value = unquoted(value);
            match key {
                "domain" => last.kind = value,
                "areas" => last.location = value,
                "state" => {
                    last.on = switched(&value);
                    last.state = value;
                }
                _ => attribute(last, key, &value),
            }
        } else if let Some(item) = item {
            devices.extend(line_device(item));
        }
    }
    devices
}

/// What Home Assistant tells of a device beside its state; brightness goes to 255 there.
fn attribute(device: &mut Listed, key: &str, value: &str) {
    let number = || value.parse::<f64>().ok();
    match key {
        "brightness" => device.level = number().map(|level| (level / 2.55).round()),
        "temperature" => device.target = number(),
        "device_class" => device.quantity = Some(value.to_owned()),
        "unit_of_measurement" => {
            let measured = device.state.parse::<f64>().ok();
            device.value = measured.map(Value::from);
            device.unit = Some(value.to_owned());
        }
        _ => {}
    }
}

/// "Kitchen Light (switch) in the kitchen, on".
fn line_device(item: &str) -> Option<Listed> {
    let end = [" (", ":", " - ", ",", " – "]
        .iter()
        .filter_map(|mark| item.find(mark))
        .min();
    let (name, rest) = item.split_at_checked(end.unwrap_or(item.len()))?;
    let rest = rest.to_lowercase();
    let mut words = rest.split(|c: char| !c.is_alphanumeric());
    let state = words.find(|word| one_of(word, "on|off|locked|unlocked|open|closed"));
    let state = state.unwrap_or_default().to_owned();
    Some(Listed {
        name: unquoted(name),
        on: switched(&state),
        kind: rest.clone(),
        location: rest.clone(),
        state,
        ..Listed::default()
    })
    .filter(|device| !device.name.is_empty())
}

fn unquoted(text: &str) -> String {
    text.trim()
        .trim_matches(['\'', '"', '*', '`'])
        .trim()
        .to_owned()
}

impl Listed {
    /// True when `target` means this device among others.
    pub(super) fn is_meant(&self, target: &Target) -> bool {
        match target {
            Target::All {
                kind,
                rooms,
                except,
            } => {
                self.is_kind(*kind)
                    && (rooms.is_empty() || rooms.iter().any(|room| self.is_at(room)))
                    && !except.iter().any(|name| self.is_at(name))
            }
            Target::Named(name) => self.is_at(name),
            Target::Unnamed => false,
        }
    }

    fn is_kind(&self, kind: DeviceKind) -> bool {
        let name = self.name.to_lowercase();
        let says = |words: &[&str]| {
            words
                .iter()
                .any(|word| name.contains(word) || self.kind.contains(word))
        };
        match kind {
            DeviceKind::Anything => true,
            DeviceKind::Light => says(&["light", "lamp", "dimmer", "bulb", "chandelier"]),
            DeviceKind::Switch => says(&["switch", "plug", "outlet", "socket"]),
            DeviceKind::Lock => says(&["lock", "door", "gate"]),
            DeviceKind::Sensor => says(&["sensor"]),
            DeviceKind::Thermostat => says(&["thermostat", "climate", "heater", "radiator"]),
            DeviceKind::Fan => says(&["fan"]),
            DeviceKind::Cover => says(&COVERS),
            DeviceKind::Window => says(&["window"]) && !says(&COVERS),
        }
    }

    /// True when every word of `place` is in the name or the room.
    pub(super) fn is_at(&self, place: &str) -> bool {
        let known = format!("{} {}", self.name, self.location).to_lowercase();
        let words: Vec<&str> = known.split(|c: char| !c.is_alphanumeric()).collect();
        place.to_lowercase().split_whitespace().all(|word| {
            words.contains(&word)
                || word
                    .strip_suffix('s')
                    .is_some_and(|word| words.contains(&word))
        })
    }

    /// True when "turn off everything" includes it: what is on or off, but no lock and no sensor.
    pub(super) fn is_switchable(&self) -> bool {
        let is_other = ["lock", "sensor", "thermostat", "climate"]
            .iter()
            .any(|kind| self.kind.contains(kind));
        !is_other
            && (self.on.is_some()
                || self.is_kind(DeviceKind::Light)
                || self.is_kind(DeviceKind::Switch))
    }

    pub(super) fn is_in(&self, state: State) -> bool {
        let said = self.state.to_lowercase();
        match state {
            State::On => self.on == Some(true) && !self.kind.contains("lock"),
            State::Off => self.on == Some(false) && !self.kind.contains("lock"),
            State::Locked => said == "locked",
            State::Unlocked => said == "unlocked",
            State::Open => said == "open",
            State::Closed => said == "closed",
            State::Online => self.online == Some(true),
            State::Offline => self.online == Some(false),
            State::Any => true,
        }
    }

    pub(super) fn has_motion(&self) -> bool {
        let name = self.name.to_lowercase();
        let measures = self.quantity.as_deref().unwrap_or_default();
        ["motion", "occupancy", "presence"]
            .iter()
            .any(|word| name.contains(word) || measures == *word)
    }

    /// "on", "on at 40 percent", "21.5 °C".
    pub(super) fn condition(&self) -> String {
        let value = self.value.as_ref().map(plain);
        match (value, &self.unit) {
            (Some(value), Some(unit)) if self.on.is_none() => format!("{value} {unit}"),
            (Some(value), None) if self.state.is_empty() => value,
            _ => self.state.clone(),
        }
    }
}

/// A value as it is said: `58` rather than `58.0`, and no quotation marks.
pub(super) fn plain(value: &Value) -> String {
    match (value, value.as_f64()) {
        (Value::String(text), _) => text.clone(),
        (_, Some(number)) => number.to_string(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
