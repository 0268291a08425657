//! What to say about devices: one, those of a listing, or those that were just controlled.

use haft_core::{ToolMessage, ToolStatus};
use tracing::warn;

use super::answer::{failure, speakable};
use super::device::{Listed, MOST_DEVICES, left_out, listed};
use super::intent::{About, DeviceKind, State, Target};

mod done;
mod phrases;
mod sensors;

pub(super) use self::done::{Done, nothing_done, offline, summary};
use self::phrases::{counted, is_or_are, names, none_of, noun, word};
use self::sensors::{motion, readings, rooms};

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
            let verb = is_or_are(count);
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
            let verb = is_or_are(found.len());
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
    match (meant, target) {
        (
            [],
            Target::All {
                kind: DeviceKind::Window,
                ..
            },
        ) => format!(
            "There are no {} sensors here, so nothing tells whether one is {}.",
            noun.strip_suffix('s').unwrap_or(noun),
            word(state)
        ),
        ([], _) => none_of(noun),
        _ => format!("None of the {noun} reports whether it is {}.", word(state)),
    }
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

/// Whether all of `meant` that can be in `state` are.
fn every(meant: &[&Listed], state: State, noun: &str) -> String {
    for (state, opposite) in readings_of(state) {
        let others: Vec<&Listed> = meant
            .iter()
            .copied()
            .filter(|device| device.is_in(*opposite))
            .collect();
        if !others.is_empty() {
            let verb = is_or_are(others.len());
            return format!("No, {} {verb} {}.", names(&others), word(*opposite));
        }
        let count = meant.iter().filter(|device| device.is_in(*state)).count();
        if count > 0 {
            let verb = is_or_are(count);
            return format!("Yes, {} {verb} {}.", counted(count, noun), word(*state));
        }
    }
    format!("I find no {noun} that could be {}.", word(state))
}
