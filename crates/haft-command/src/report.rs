//! What to say about devices: one, those of a listing, or those that were just controlled.

use haft_core::{ToolMessage, ToolStatus};
use tracing::warn;

use super::answer::{done, failure, outcome, speakable};
use super::device::{Listed, MOST_DEVICES, left_out, listed, plain};
use super::group::Group;
use super::intent::{About, Action, DeviceKind, State, Target};
use super::plan::VALUE_REFUSED;

/// More devices than this are counted, not named.
const MOST_NAMED: usize = 12;

/// What a result says about the one device that was asked for.
pub(super) fn device_answer(result: &ToolMessage, device: &str, about: About) -> String {
    let text = speakable(result);
    let devices = listed(result);
    let is_data = text.is_empty() || text.starts_with(['{', '[']);
    if about == About::Motion
        && let Some(answer) = motion(&devices.iter().collect::<Vec<_>>())
    {
        return answer;
    }
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
                let state = match asked {
                    State::Online | State::Offline if only.is_in(*state) => word(*state).to_owned(),
                    State::Online | State::Offline => word(*opposite).to_owned(),
                    _ => only.condition(),
                };
                return Some(format!("{yes}, {} is {state}.", only.name));
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
        State::Online => &[(State::Online, State::Offline)],
        State::Offline => &[(State::Offline, State::Online)],
        State::Any => &[],
    }
}

/// What is said, and that a listing was too long to be looked at as a whole, where it was.
pub(super) fn with_left_out(said: String, listing: &ToolMessage) -> String {
    let count = left_out(listing);
    if count == 0 {
        return said;
    }
    warn!(
        count,
        limit = MOST_DEVICES,
        "devices of a listing are left out"
    );
    format!("{said} I only looked at the first {MOST_DEVICES} devices; {count} more were left out.")
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
            [] => format!("I know no device called \"{name}\"."),
            _ => existence(&meant, "devices of that name"),
        });
    }
    let mut noun = noun(target);
    if let About::State(State::Open | State::Closed)
    | About::Count(State::Open | State::Closed)
    | About::Every(State::Open | State::Closed) = about
    {
        // What opens is a door; its lock only locks.
        noun = noun.replace("locks", "doors");
    }
    match about {
        About::Temperature => readings(&all, target, "temperature"),
        About::Humidity => readings(&all, target, "humidity"),
        About::Motion => motion(&meant).unwrap_or_else(|| "I find no motion sensor there.".into()),
        About::Rooms => rooms(&all),
        About::Every(state) => every(&meant, state, &noun),
        About::State(state) | About::Count(state) if !is_told(&meant, state) => {
            untold(&meant, target, &noun, state)
        }
        About::Count(state) => {
            let count = meant.iter().filter(|device| device.is_in(state)).count();
            let verb = if count == 1 { "is" } else { "are" };
            match state {
                State::Any if count == 0 => format!("You have no {noun}."),
                State::Any => format!("You have {}.", counted(count, &noun)),
                _ if count == 0 => format!("No {noun} are {}.", word(state)),
                _ => format!("{} {verb} {}.", counted(count, &noun), word(state)),
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

/// Whether any of `meant` reports if it is in `state`. Without that, "none is open" is no fact.
fn is_told(meant: &[&Listed], state: State) -> bool {
    let opposite = readings_of(state).first().map(|(_, opposite)| *opposite);
    let reports = |device: &&Listed| {
        device.is_in(state) || opposite.is_some_and(|opposite| device.is_in(opposite))
    };
    state == State::Any || meant.iter().any(reports)
}

/// What is said where nothing reports whether it is in `state`.
fn untold(meant: &[&Listed], target: &Target, noun: &str, state: State) -> String {
    let is_window = matches!(
        target,
        Target::All {
            kind: DeviceKind::Window,
            ..
        }
    );
    match (meant, is_window) {
        ([], true) => format!(
            "There are no {} sensors here, so nothing tells whether one is {}.",
            noun.strip_suffix('s').unwrap_or(noun),
            word(state)
        ),
        ([], false) => none_of(noun),
        _ => format!("None of the {noun} reports whether it is {}.", word(state)),
    }
}

/// That there is nothing of a kind.
fn none_of(noun: &str) -> String {
    format!(
        "I find no {}.",
        noun.replace("blinds", "blinds, curtains or shutters")
    )
}

fn existence(meant: &[&Listed], noun: &str) -> String {
    if meant.is_empty() {
        return none_of(noun);
    }
    let shown = meant
        .iter()
        .take(MOST_NAMED)
        .map(|device| match device.condition() {
            state if state.is_empty() => device.name.clone(),
            // "no motion", "no smoke"
            state if state.starts_with("no ") => format!("{} reports {state}", device.name),
            state => format!("{} is {state}", device.name),
        });
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if meant.len() > MOST_NAMED {
        list += &format!(" and {} more", meant.len() - MOST_NAMED);
    }
    format!("You have {}: {list}.", counted(meant.len(), noun))
}

/// Whether the motion sensors among `devices` see somebody.
fn motion(devices: &[&Listed]) -> Option<String> {
    let sensors: Vec<&Listed> = devices
        .iter()
        .copied()
        .filter(|device| device.has_motion())
        .collect();
    let quiet = |device: &&Listed| {
        let state = device.condition().to_lowercase();
        state.starts_with("no") || matches!(state.as_str(), "clear" | "off" | "false" | "0")
    };
    let moving: Vec<&Listed> = sensors
        .iter()
        .copied()
        .filter(|device| !quiet(device))
        .collect();
    if sensors.is_empty() {
        return None;
    }
    Some(if moving.is_empty() {
        format!("No, {} reports no motion.", names(&sensors))
    } else {
        format!("Yes, {} reports motion.", names(&moving))
    })
}

fn rooms(all: &[Listed]) -> String {
    let mut rooms: Vec<&str> = Vec::new();
    for device in all {
        if !device.location.is_empty() && !rooms.contains(&device.location.as_str()) {
            rooms.push(&device.location);
        }
    }
    match rooms.as_slice() {
        [] => "The devices do not say which rooms they are in.".to_owned(),
        [only] => format!("All devices are in one room: {only}."),
        _ => format!(
            "There are {} rooms: {}.",
            rooms.len(),
            joined(&rooms, "and")
        ),
    }
}

/// Whether all of `meant` that can be in `state` are.
fn every(meant: &[&Listed], state: State, noun: &str) -> String {
    for (state, opposite) in readings_of(state) {
        let others: Vec<&Listed> = meant
            .iter()
            .copied()
            .filter(|device| device.is_in(*opposite))
            .collect();
        if !others.is_empty() {
            let verb = if others.len() == 1 { "is" } else { "are" };
            return format!("No, {} {verb} {}.", names(&others), word(*opposite));
        }
        let count = meant.iter().filter(|device| device.is_in(*state)).count();
        if count > 0 {
            let verb = if count == 1 { "is" } else { "are" };
            return format!("Yes, {} {verb} {}.", counted(count, noun), word(*state));
        }
    }
    format!("I find no {noun} that could be {}.", word(state))
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

/// A device that was controlled, and what came back.
pub(super) struct Done<'a> {
    pub(super) name: &'a str,
    pub(super) action: Action,
    pub(super) result: &'a ToolMessage,
}

/// What was done to several devices; what failed comes first.
pub(super) fn summary(results: &[Done<'_>]) -> String {
    let (failed, succeeded): (Vec<_>, Vec<_>) = results
        .iter()
        .partition(|device| device.result.status == ToolStatus::Error);
    let mut sentences: Vec<String> = failed.iter().map(|device| failure(device.result)).collect();
    let is_same = succeeded
        .windows(2)
        .all(|pair| matches!(pair, [one, next] if one.action == next.action));
    match succeeded.first() {
        Some(Done { action, .. }) if succeeded.len() > 3 && is_same => {
            let outcome = match action {
                Action::Level(_) => format!("at {}", outcome(*action)),
                _ => outcome(*action),
            };
            let names: Vec<&str> = succeeded.iter().map(|device| device.name).collect();
            sentences.push(format!(
                "{} devices are now {outcome}: {}.",
                names.len(),
                names.join(", ")
            ));
        }
        _ => sentences.extend(
            succeeded
                .iter()
                .map(|device| done(device.result, device.name, device.action)),
        ),
    }
    sentences.join(" ")
}

/// Why nothing was done.
pub(super) fn nothing_done(group: &Group, action: Action, target: &Target) -> String {
    if let Some(name) = &group.unknown {
        return format!("I know no device or room called \"{name}\", so I changed nothing.");
    }
    if !group.unclear.is_empty() {
        let names: Vec<&str> = group.unclear.iter().map(String::as_str).collect();
        return format!("Which one do you mean: {}?", joined(&names, "or"));
    }
    if !group.offline.is_empty() {
        return format!("{} Nothing was changed.", offline(&group.offline));
    }
    if !group.members.is_empty() {
        return VALUE_REFUSED.to_owned();
    }
    match (group.unfit.as_slice(), action) {
        ([], _) => match target {
            Target::Named(name) => format!("I find no {name} whose state I can read."),
            _ => none_of(&noun(target)),
        },
        ([name, ..], Action::Brighter(_) | Action::Warmer(_)) => {
            format!("{name} cannot be made {}.", outcome(action))
        }
        ([name, ..], Action::Level(_) | Action::Temperature(_)) => {
            format!("{name} cannot be set to {}.", outcome(action))
        }
        ([name, ..], _) => format!("{name} cannot be {}.", outcome(action)),
    }
}

/// That some devices do not answer.
pub(super) fn offline(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("{} {verb} offline.", joined(&names, "and"))
}

fn names(devices: &[&Listed]) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    joined(&names, "and")
}

fn joined(names: &[&str], last: &str) -> String {
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// "kitchen lights".
fn noun(target: &Target) -> String {
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
fn counted(count: usize, noun: &str) -> String {
    let singular = noun
        .strip_suffix("switches")
        .map(|rest| format!("{rest}switch"));
    match singular {
        Some(singular) if count == 1 => format!("1 {singular}"),
        _ if count == 1 => format!("1 {}", noun.strip_suffix('s').unwrap_or(noun)),
        _ => format!("{count} {noun}"),
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
        State::Online => "online",
        State::Offline => "offline",
        State::Any => "there",
    }
}
