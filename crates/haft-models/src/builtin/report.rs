//! What to say about devices: one, those of a listing, or those that were just controlled.

use haft_core::{ToolMessage, ToolStatus};

use super::answer::{done, failure, outcome, speakable};
use super::device::{Listed, listed, plain};
use super::intent::{About, Action, Kind, State, Target};

/// More devices than this are counted, not named.
const MOST_NAMED: usize = 12;

/// What a result says about the one device that was asked for.
pub(super) fn device_answer(result: &ToolMessage, device: &str, about: About) -> String {
    let text = speakable(result);
    let devices = listed(result);
    let is_data = text.is_empty() || text.starts_with(['{', '[']);
    if about != About::Status || is_data {
        let devices: Vec<&Listed> = devices.iter().collect();
        if let Some(answer) = one_device(&devices, about) {
            return answer;
        }
    }
    if text.is_empty() {
        return format!("I got no answer about {device}.");
    }
    text
}

/// The answer about the one of `devices` that the question fits; a name may stand for a lock
/// and for its contact.
fn one_device(devices: &[&Listed], about: About) -> Option<String> {
    if let About::State(asked) = about {
        for (state, opposite) in readings_of(asked) {
            let fits = |device: &&&Listed| device.is_in(*state) || device.is_in(*opposite);
            let fitting: Vec<&&Listed> = devices.iter().filter(fits).collect();
            if let [only] = fitting.as_slice() {
                let yes = if only.is_in(*state) { "Yes" } else { "No" };
                return Some(format!("{yes}, {} is {}.", only.name, only.condition()));
            }
        }
    }
    let [only] = devices else {
        return None;
    };
    let condition = only.condition();
    let verb = match only.unit {
        Some(_) if only.on.is_none() => "reads",
        _ => "is",
    };
    (!condition.is_empty()).then(|| format!("{} {verb} {condition}.", only.name))
}

/// A state with its opposite, first as asked, then as a lock would say it.
fn readings_of(state: State) -> &'static [(State, State)] {
    match state {
        State::On => &[(State::On, State::Off)],
        State::Off => &[(State::Off, State::On)],
        State::Locked => &[(State::Locked, State::Unlocked)],
        State::Unlocked => &[(State::Unlocked, State::Locked)],
        State::Open => &[
            (State::Open, State::Closed),
            (State::Unlocked, State::Locked),
        ],
        State::Closed => &[
            (State::Closed, State::Open),
            (State::Locked, State::Unlocked),
        ],
        State::Any => &[],
    }
}

/// What a listing says about the devices that are meant.
pub(super) fn telling(result: &ToolMessage, about: About, target: &Target) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    let all = listed(result);
    if all.is_empty() {
        return speakable(result);
    }
    let meant: Vec<&Listed> = all
        .iter()
        .filter(|device| device.is_meant(target))
        .collect();
    if let (Target::Named(name), About::State(_) | About::Status) = (target, about) {
        return one_device(&meant, about).unwrap_or_else(|| match meant.as_slice() {
            [] => format!("I find no {name}."),
            _ => existence(&meant, "devices of that name"),
        });
    }
    let noun = group(target);
    match about {
        About::Temperature => readings(&all, target, "temperature"),
        About::Humidity => readings(&all, target, "humidity"),
        About::Count(state) => {
            let count = meant.iter().filter(|device| device.is_in(state)).count();
            let verb = if count == 1 { "is" } else { "are" };
            match state {
                State::Any => format!("You have {count} {noun}."),
                _ => format!("{count} {noun} {verb} {}.", word(state)),
            }
        }
        About::State(state) => {
            let found: Vec<&Listed> = meant
                .into_iter()
                .filter(|device| device.is_in(state))
                .collect();
            if found.is_empty() {
                return format!("No {noun} are {}.", word(state));
            }
            let verb = if found.len() == 1 { "is" } else { "are" };
            format!("{} {verb} {}.", names(&found), word(state))
        }
        About::Existence | About::Status => existence(&meant, &noun),
    }
}

fn existence(meant: &[&Listed], noun: &str) -> String {
    if meant.is_empty() {
        return format!("I find no {noun}.");
    }
    let shown = meant
        .iter()
        .take(MOST_NAMED)
        .map(|device| match device.condition() {
            state if state.is_empty() => device.name.clone(),
            state => format!("{} is {state}", device.name),
        });
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if meant.len() > MOST_NAMED {
        list += &format!(" and {} more", meant.len() - MOST_NAMED);
    }
    format!("You have {} {noun}: {list}.", meant.len())
}

fn readings(all: &[Listed], target: &Target, quantity: &str) -> String {
    let measures = |device: &&Listed| {
        let unit = device.unit.as_deref().unwrap_or_default();
        let by_unit = match quantity {
            "temperature" => unit.contains('°'),
            _ => unit == "%",
        };
        let named = device.quantity.as_deref() == Some(quantity)
            || device.name.to_lowercase().contains(quantity)
            || (by_unit && device.quantity.is_none());
        named && (device.value.is_some() || !device.state.is_empty())
    };
    let found: Vec<String> = all
        .iter()
        .filter(|device| matches!(target, Target::All { .. }) || device.is_meant(target))
        .filter(measures)
        .map(|device| {
            let unit = device.unit.as_deref().unwrap_or_default();
            match &device.value {
                Some(value) => format!("{} reads {} {unit}.", device.name, plain(value)),
                None => format!("{} reads {}.", device.name, device.state),
            }
        })
        .collect();
    if found.is_empty() {
        return format!("I find no {quantity} reading for that.");
    }
    found.join(" ")
}

/// One sentence for what was done to several devices.
pub(super) fn summary(results: &[(&str, &ToolMessage)], action: Action) -> String {
    let failed = |result: &ToolMessage| result.status == ToolStatus::Error;
    if results.len() <= 3 || results.iter().any(|(_, result)| failed(result)) {
        let sentences = results.iter().map(|(device, result)| {
            if failed(result) {
                failure(result)
            } else {
                done(result, device, action)
            }
        });
        return sentences.collect::<Vec<_>>().join(" ");
    }
    let names: Vec<&str> = results.iter().map(|(device, _)| *device).collect();
    format!(
        "{} devices are now {}: {}.",
        names.len(),
        outcome(action),
        names.join(", ")
    )
}

/// That nothing is meant by "all the lights in the attic".
pub(super) fn nothing_meant(target: &Target) -> String {
    format!("I find no {}.", group(target))
}

fn names(devices: &[&Listed]) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// "kitchen lights".
fn group(target: &Target) -> String {
    let Target::All { kind, rooms, .. } = target else {
        return "such device".to_owned();
    };
    let noun = match kind {
        Kind::Anything => "devices",
        Kind::Light => "lights",
        Kind::Switch => "switches",
        Kind::Lock => "locks",
        Kind::Sensor => "sensors",
        Kind::Thermostat => "thermostats",
        Kind::Fan => "fans",
        Kind::Cover => "blinds",
    };
    if rooms.is_empty() {
        noun.to_owned()
    } else {
        format!("{} {noun}", rooms.join(" and "))
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::On => "on",
        State::Off => "off",
        State::Locked => "locked",
        State::Unlocked => "unlocked",
        State::Open => "open",
        State::Closed => "closed",
        State::Any => "there",
    }
}
