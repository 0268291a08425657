//! Parts of sentences about devices.

use crate::device::Listed;
use crate::intent::{State, Target};

/// "Lamp, Fan and Heater".
pub(super) fn names(devices: &[&Listed]) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    joined(&names, "and")
}

/// Names with `last` before the last one.
pub(super) fn joined(names: &[&str], last: &str) -> String {
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// "kitchen lights".
pub(super) fn noun(target: &Target) -> String {
    let Target::All { kind, rooms, .. } = target else {
        return "such device".to_owned();
    };
    let noun = kind.plural();
    if rooms.is_empty() {
        noun.to_owned()
    } else {
        format!("{} {noun}", rooms.join(" and "))
    }
}

/// "1 kitchen light", "2 switches".
pub(super) fn counted(count: usize, noun: &str) -> String {
    let singular = noun
        .strip_suffix("switches")
        .map(|rest| format!("{rest}switch"));
    match singular {
        Some(singular) if count == 1 => format!("1 {singular}"),
        _ if count == 1 => format!("1 {}", noun.strip_suffix('s').unwrap_or(noun)),
        _ => format!("{count} {noun}"),
    }
}

/// "is" for one, "are" for any other number.
pub(super) fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// A state as an adjective.
pub(super) fn word(state: State) -> &'static str {
    match state {
        State::On => "on",
        State::Off => "off",
        State::Locked => "locked",
        State::Unlocked => "unlocked",
        State::Open => "open",
        State::Closed => "closed",
        State::Online => "online",
        State::Offline => "offline",
        State::Any => "there",
    }
}

/// That there is nothing of a kind.
pub(super) fn none_of(noun: &str) -> String {
    format!(
        "I find no {}.",
        noun.replace("blinds", "blinds, curtains or shutters")
    )
}
