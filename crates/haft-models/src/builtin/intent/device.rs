//! Commands to devices; questions about them stand in `inquiry.rs`.
//!
//! A command begins with its verb or is a bare "kitchen light on"; a question never becomes a
//! command, and neither does what is forbidden, conditional or meant for later.

use super::inquiry::in_room;
use super::target::{Target, has_device_noun, targets};
use super::{Action, Intent, State};
use crate::builtin::numbers::{Amount, Unit, amount, integer};
use crate::builtin::tokens::{Phrase, one_of};

/// What the first word of a command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    /// "turn", which needs "on" or "off".
    Turn,
    Set,
    Dim,
    Only(Fixed),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    On,
    Off,
    Toggle,
    Start,
    Stop,
    Lock,
    Unlock,
    Open,
    Close,
}

const VERBS: [(&str, Verb); 12] = [
    ("turn|switch|put|flip|power|shut|flick", Verb::Turn),
    ("set|change|adjust|make|heat|cool|warm|get", Verb::Set),
    (
        "dim|brighten|lower|raise|reduce|increase|darken|lighten",
        Verb::Dim,
    ),
    ("activate|enable|illuminate", Verb::Only(Fixed::On)),
    ("deactivate|disable|extinguish|kill", Verb::Only(Fixed::Off)),
    ("start|run", Verb::Only(Fixed::Start)),
    ("stop", Verb::Only(Fixed::Stop)),
    ("toggle", Verb::Only(Fixed::Toggle)),
    ("lock", Verb::Only(Fixed::Lock)),
    ("unlock", Verb::Only(Fixed::Unlock)),
    ("open", Verb::Only(Fixed::Open)),
    ("close", Verb::Only(Fixed::Close)),
];
pub(super) const CLIMATE: &str =
    "thermostat|temperature|heating|heat|heater|radiator|ac|climate|hvac";
/// What `set ... to 50` also says, of things that are no devices.
pub(super) const NO_DEVICES: &str = "volume|alarm|timer|reminder|variable|clock|time|date|language|meeting|\
    password|table|font|price|name|margin|x|y|sound|music|me|us|sense|difference|sure|song";

fn verb(phrase: Phrase<'_>) -> Option<Verb> {
    VERBS
        .iter()
        .find(|(words, _)| one_of(phrase.at(0), words))
        .map(|(_, verb)| *verb)
}

/// True when `phrase` begins like a command that may still miss its end.
pub(in crate::builtin) fn begins_command(phrase: Phrase<'_>) -> bool {
    verb(phrase).is_some()
}

/// "Don't turn on the light", and also "I don't want you to turn on the light".
pub(super) fn negated(phrase: Phrase<'_>) -> Option<Intent> {
    // "Leave the lamp on" asks for nothing to happen.
    if let Some(rest) = phrase.strip("leave|keep") {
        return bare_command(rest).map(|_| Intent::Negated);
    }
    let at = phrase.position("not|never")?;
    let asks = phrase.starts("is|are|was|were|why|what|did|does|how|which|do you|we|they|i");
    let acts = (at..phrase.len()).any(|start| {
        let rest = phrase.from(start);
        verb(rest).is_some() && (command(rest).is_some() || verb(rest) != Some(Verb::Set))
    });
    (acts && !asks).then_some(Intent::Negated)
}

/// True when `phrase` begins with the time at which a command is to be carried out.
pub(in crate::builtin) fn begins_later(phrase: Phrase<'_>) -> bool {
    later(phrase) == Some(0) || phrase.starts("tomorrow|tonight|later|every")
}

pub(super) fn command(phrase: Phrase<'_>) -> Option<Intent> {
    if let Some(wish) = wished(phrase) {
        return Some(wish);
    }
    let Some(verb) = verb(phrase) else {
        return bare_command(phrase);
    };
    let rest = phrase.from(1);
    if rest.starts("on|off? no|none|nothing") {
        return Some(Intent::Negated);
    }
    if let Some(at) = later(rest) {
        let now = phrase.to(at + 1);
        return command(now).map(|_| Intent::Later);
    }
    if !matches!(verb, Verb::Set | Verb::Dim) && ends_at_hour(rest) {
        return Some(Intent::Later);
    }
    let (rest, amount) = split_amount(rest);
    if verb == Verb::Set && rest.has(NO_DEVICES) {
        return None;
    }
    let (rest, particle, room) = split_particle(rest);
    if let Some(amount) = amount {
        return (!matches!(verb, Verb::Only(_))).then(|| leveled(rest, room, amount));
    }
    let action = match (verb, particle) {
        (Verb::Only(fixed), _) => match fixed {
            Fixed::On => Action::On,
            Fixed::Off => Action::Off,
            Fixed::Toggle => Action::Toggle,
            // Many tools lock with "on", which would light a lamp.
            Fixed::Lock | Fixed::Unlock if !may_be_locked(rest) => return None,
            Fixed::Lock => Action::Lock,
            Fixed::Unlock => Action::Unlock,
            Fixed::Open if has_device_noun(rest) => Action::Open,
            Fixed::Close if has_device_noun(rest) => Action::Close,
            Fixed::Start if has_device_noun(rest) => Action::On,
            Fixed::Stop if has_device_noun(rest) => Action::Off,
            Fixed::Open | Fixed::Close | Fixed::Start | Fixed::Stop => return None,
        },
        (Verb::Turn | Verb::Set, "on") => Action::On,
        (Verb::Turn | Verb::Set, "off" | "out") => Action::Off,
        _ => return None,
    };
    let mut targets = in_room(rest, room);
    if targets.len() > 1 && rest.has("or") {
        // One of two is meant, and which is not guessed.
        targets = vec![Target::Unnamed];
    }
    Some(Intent::Control { action, targets })
}

/// "I want the lamp on", "the lamp should be on", "make sure the door is locked".
fn wished(phrase: Phrase<'_>) -> Option<Intent> {
    if let Some(rest) = phrase.strip("i want|need|like") {
        return bare_command(rest.strip("to have").unwrap_or(rest));
    }
    if let Some(rest) = phrase.strip("i would like|love|prefer to? have?") {
        return bare_command(rest);
    }
    if let Some(said) = phrase.strip("make|be sure that?") {
        let (state, targets) = super::inquiry::declared(said)?;
        let action = match state {
            State::On => Action::On,
            State::Off => Action::Off,
            State::Locked => Action::Lock,
            State::Unlocked => Action::Unlock,
            State::Open => Action::Open,
            State::Closed => Action::Close,
            State::Online | State::Offline | State::Any => return None,
        };
        return Some(Intent::Control { action, targets });
    }
    let at = phrase.position("should|must").filter(|at| *at > 0)?;
    let particle = phrase.from(at + 1).strip("be|stay turned|switched?")?;
    let action = match particle.text().as_str() {
        "on" => Action::On,
        "off" => Action::Off,
        _ => return None,
    };
    let devices = phrase.to(at);
    has_device_noun(devices).then(|| Intent::Control {
        action,
        targets: targets(devices),
    })
}

/// "Kitchen light on", "lights off in the hall", "bedroom lamp 40%".
fn bare_command(phrase: Phrase<'_>) -> Option<Intent> {
    let asks = "is|are|was|were|do|does|did|has|have|had|how|what|which|why|who|when|where|if|\
        should|shall|i|you|we|they|he|she|there|tell|show|list|say|check|not|be|could|can|leave|keep|sure|like|want|need";
    if phrase.has(asks) || phrase.len() > 12 || later(phrase).is_some() {
        return None;
    }
    let (rest, amount) = split_amount(phrase);
    let (rest, particle, room) = split_particle(rest);
    let everything = rest.is("everything|all");
    if !has_device_noun(rest) && !everything {
        return None;
    }
    match (amount, particle) {
        (Some(amount), _) => Some(leveled(rest, room, amount)),
        (None, "on") => Some(Intent::Control {
            action: Action::On,
            targets: in_room(rest, room),
        }),
        (None, "off" | "out") => Some(Intent::Control {
            action: Action::Off,
            targets: in_room(rest, room),
        }),
        _ => None,
    }
}

fn leveled(phrase: Phrase<'_>, room: Phrase<'_>, amount: Amount) -> Intent {
    let is_climate = amount.unit != Unit::Percent && phrase.has(CLIMATE);
    let action = if amount.unit == Unit::Degrees || is_climate {
        Action::Temperature(amount.value)
    } else {
        Action::Level(amount.value)
    };
    // "the brightness of the lamp" and "the lamp brightness" are the lamp.
    let rest = phrase
        .strip("the? brightness|level|temperature|intensity of|in|on|for|at?")
        .unwrap_or(phrase);
    let rest = rest
        .strip_end("brightness|level|temperature|intensity")
        .unwrap_or(rest);
    let is_room = phrase.has("temperature") && !has_device_noun(rest);
    let mut targets = in_room(rest, room);
    if let ([Target::Named(room)], true) = (targets.as_mut_slice(), is_room) {
        // A room has no temperature to set; its thermostat has.
        room.push_str(" thermostat");
    }
    if targets == [Target::Unnamed] && matches!(action, Action::Temperature(_)) {
        targets = vec![Target::Named("thermostat".to_owned())];
    }
    Intent::Control { action, targets }
}

/// Cuts "to 40 percent", "at half", "40%" off the end.
fn split_amount(phrase: Phrase<'_>) -> (Phrase<'_>, Option<Amount>) {
    let count = phrase.len();
    // The longest has six: "to about twenty one degrees celsius".
    for start in count.saturating_sub(7)..count {
        let tail = phrase.from(start);
        let with_preposition = tail.strip("to|at about|around|roughly|approximately?");
        let Some(amount) = amount(with_preposition.unwrap_or(tail)) else {
            continue;
        };
        let is_bare_number = amount.unit == Unit::None && !tail.starts("to|at");
        let is_dim = with_preposition.is_none() && !is_bare_number;
        if with_preposition.is_some() || is_dim || has_device_noun(phrase.to(start)) {
            return (phrase.to(start), Some(amount));
        }
    }
    (phrase, None)
}

/// Takes "on", "off", "up" or "down" from the start, from the end, or from before "in the hall";
/// gives the devices, the particle and the room.
fn split_particle(phrase: Phrase<'_>) -> (Phrase<'_>, &str, Phrase<'_>) {
    let particles = "on|off|up|down|out";
    let nowhere = phrase.to(0);
    if let Some(rest) = phrase.strip(particles) {
        return (rest, phrase.at(0), nowhere);
    }
    if one_of(phrase.last(), particles) {
        let rest = phrase.to(phrase.len() - 1);
        let rest = rest
            .strip_end("to|back|all")
            .filter(|rest| !rest.is_empty())
            .unwrap_or(rest);
        return (rest, phrase.last(), nowhere);
    }
    let inside = (1..phrase.len()).find(|at| {
        one_of(phrase.at(*at), particles) && phrase.from(at + 1).starts("in|upstairs|downstairs")
    });
    match inside {
        Some(at) => (phrase.to(at), phrase.at(at), phrase.from(at + 1)),
        None => (phrase, "", nowhere),
    }
}

/// Where a condition or a time begins that puts the command off.
pub(super) fn later(phrase: Phrase<'_>) -> Option<usize> {
    (0..phrase.len()).find(|at| {
        let rest = phrase.from(*at);
        let conjunction = "when|if|until|till|unless|whenever|once|after|before|while";
        let times = "every|each day|night|morning|evening|hour|minute|week|time|weekday|monday|\
            tuesday|wednesday|thursday|friday|saturday|sunday";
        let days = "tomorrow|tonight|later|daily|weekly|nightly";
        let moment = "at|by noon|midnight|sunset|sunrise|dawn|dusk|night";
        let units = "second|seconds|minute|minutes|min|mins|hour|hours|day|days|am|pm|o'clock";
        let span = || {
            let unit = (2..5).find(|end| one_of(rest.at(*end), units))?;
            integer(rest.to(unit).from(1))
        };
        (*at > 0 && (rest.starts(conjunction) || rest.starts(days) || rest.starts(times)))
            || rest.starts(moment)
            || (rest.starts("at|by") && is_clock_time(rest.at(1)))
            || (rest.starts("in|for|at|after") && span().is_some())
            || rest.starts("in half an hour")
            || rest.starts("on monday|tuesday|wednesday|thursday|friday|saturday|sunday")
    })
}

fn may_be_locked(phrase: Phrase<'_>) -> bool {
    let lockable = "lock|locks|door|doors|gate|gates|garage|window|windows|everything|devices";
    phrase.has(lockable) || !has_device_noun(phrase)
}

/// "... at seven": no level, but an hour.
fn ends_at_hour(phrase: Phrase<'_>) -> bool {
    let Some(at) = phrase.position("at") else {
        return false;
    };
    integer(phrase.from(at + 1)).is_some_and(|hour| (0..=24).contains(&hour))
}

fn is_clock_time(word: &str) -> bool {
    let digits = word.trim_end_matches("am").trim_end_matches("pm");
    let is_marked = digits.len() < word.len() || word.contains(':');
    is_marked && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ':')
}
