//! Commands to devices and questions about them.
//!
//! A command begins with its verb or is a bare "kitchen light on"; a question never becomes a
//! command, and neither does what is forbidden, conditional or meant for later.

use super::target::{Target, has_device_noun, kind_of, targets};
use super::{About, Action, Intent, State};
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
    Lock,
    Unlock,
    Open,
    Close,
}

const VERBS: [(&str, Verb); 10] = [
    ("turn|switch|put|flip|power|shut|flick", Verb::Turn),
    ("set|change|adjust|make|heat|cool|warm|get", Verb::Set),
    (
        "dim|brighten|lower|raise|reduce|increase|darken|lighten",
        Verb::Dim,
    ),
    ("activate|enable|illuminate", Verb::Only(Fixed::On)),
    ("deactivate|disable|extinguish|kill", Verb::Only(Fixed::Off)),
    ("toggle", Verb::Only(Fixed::Toggle)),
    ("lock", Verb::Only(Fixed::Lock)),
    ("unlock", Verb::Only(Fixed::Unlock)),
    ("open", Verb::Only(Fixed::Open)),
    ("close", Verb::Only(Fixed::Close)),
];
const CLIMATE: &str = "thermostat|temperature|heating|heat|heater|radiator|ac|climate|hvac";
/// What `set ... to 50` also says, of things that are no devices.
const NO_DEVICES: &str = "volume|alarm|timer|reminder|variable|clock|time|date|language|meeting|\
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
    let at = phrase.position("not|never")?;
    let asks = phrase.starts("is|are|was|were|why|what|did|does|how|which|do you|we|they|i");
    let acts = (at..phrase.len()).any(|start| {
        let rest = phrase.from(start);
        verb(rest).is_some() && (command(rest).is_some() || verb(rest) != Some(Verb::Set))
    });
    (acts && !asks).then_some(Intent::Negated)
}

pub(super) fn command(phrase: Phrase<'_>) -> Option<Intent> {
    let Some(verb) = verb(phrase) else {
        return bare_command(phrase);
    };
    let rest = phrase.from(1);
    if let Some(at) = later(rest) {
        let now = phrase.to(at + 1);
        return command(now).map(|_| Intent::Later);
    }
    let (rest, amount) = split_amount(rest);
    if verb == Verb::Set && rest.has(NO_DEVICES) {
        return None;
    }
    let (rest, particle) = split_particle(rest);
    if let Some(amount) = amount {
        return (!matches!(verb, Verb::Only(_))).then(|| leveled(rest, amount));
    }
    let action = match (verb, particle) {
        (Verb::Only(fixed), _) => match fixed {
            Fixed::On => Action::On,
            Fixed::Off => Action::Off,
            Fixed::Toggle => Action::Toggle,
            Fixed::Lock => Action::Lock,
            Fixed::Unlock => Action::Unlock,
            Fixed::Open if has_device_noun(rest) => Action::Open,
            Fixed::Close if has_device_noun(rest) => Action::Close,
            Fixed::Open | Fixed::Close => return None,
        },
        (Verb::Turn | Verb::Set, "on") => Action::On,
        (Verb::Turn | Verb::Set, "off") => Action::Off,
        (Verb::Dim, _) => return level_missing(rest),
        (Verb::Turn, "up" | "down") => return level_missing(rest),
        _ => return None,
    };
    Some(Intent::Control {
        action,
        targets: targets(rest),
    })
}

fn level_missing(rest: Phrase<'_>) -> Option<Intent> {
    (rest.is_empty() || rest.is("it|them|that|this") || has_device_noun(rest))
        .then_some(Intent::LevelMissing)
}

/// "Kitchen light on", "lights off in the hall", "bedroom lamp 40%".
fn bare_command(phrase: Phrase<'_>) -> Option<Intent> {
    let asks = "is|are|was|were|do|does|did|has|have|had|how|what|which|why|who|when|where|if|\
        should|shall|i|you|we|they|he|she|there|tell|show|list|say|check|not";
    if phrase.has(asks) || phrase.len() > 12 || later(phrase).is_some() {
        return None;
    }
    let (rest, amount) = split_amount(phrase);
    let (rest, particle) = split_particle(rest);
    let everything = rest.is("everything|all");
    if !has_device_noun(rest) && !everything {
        return None;
    }
    match (amount, particle) {
        (Some(amount), _) => Some(leveled(rest, amount)),
        (None, "on") => Some(Intent::Control {
            action: Action::On,
            targets: targets(rest),
        }),
        (None, "off") => Some(Intent::Control {
            action: Action::Off,
            targets: targets(rest),
        }),
        _ => None,
    }
}

fn leveled(rest: Phrase<'_>, amount: Amount) -> Intent {
    let is_climate = amount.unit != Unit::Percent && rest.has(CLIMATE);
    let action = if amount.unit == Unit::Degrees || is_climate {
        Action::Temperature(amount.value)
    } else {
        Action::Level(amount.value)
    };
    // "the brightness of the lamp" and "the lamp brightness" are the lamp.
    let rest = rest
        .strip("the? brightness|level|temperature|intensity of|in|on|for|at?")
        .unwrap_or(rest);
    let rest = rest
        .strip_end("brightness|level|temperature|intensity")
        .unwrap_or(rest);
    let mut targets = targets(rest);
    if targets == [Target::Unnamed] && matches!(action, Action::Temperature(_)) {
        targets = vec![Target::Named("thermostat".to_owned())];
    }
    Intent::Control { action, targets }
}

/// Cuts "to 40 percent", "at half", "40%" off the end.
fn split_amount(phrase: Phrase<'_>) -> (Phrase<'_>, Option<Amount>) {
    let count = phrase.len();
    // Five words hold the longest: "twenty one degrees celsius" and a "to".
    for start in count.saturating_sub(6)..count {
        let tail = phrase.from(start);
        let with_preposition = tail.strip("to|at|by");
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

/// Takes "on", "off", "up" or "down" from the start, from the end, or from before "in the hall".
fn split_particle(phrase: Phrase<'_>) -> (Phrase<'_>, &str) {
    let particles = "on|off|up|down";
    if let Some(rest) = phrase.strip(particles) {
        return (rest, phrase.at(0));
    }
    if one_of(phrase.last(), particles) {
        let rest = phrase.to(phrase.len() - 1);
        return (rest.strip_end("to|back|all").unwrap_or(rest), phrase.last());
    }
    (phrase, "")
}

/// Where a condition or a time begins that puts the command off.
fn later(phrase: Phrase<'_>) -> Option<usize> {
    (0..phrase.len()).find(|at| {
        let rest = phrase.from(*at);
        let conjunction = "when|if|until|till|unless|whenever|once|after|before|every|while";
        let days = "tomorrow|tonight|later|daily|weekly|nightly";
        let moment = "at|by noon|midnight|sunset|sunrise|dawn|dusk|night";
        let units = "second|seconds|minute|minutes|min|mins|hour|hours|day|days|am|pm|o'clock";
        let span = || {
            let unit = (2..5).find(|end| one_of(rest.at(*end), units))?;
            integer(rest.to(unit).from(1))
        };
        (*at > 0 && (rest.starts(conjunction) || rest.starts(days)))
            || rest.starts(moment)
            || (rest.starts("at|by") && is_clock_time(rest.at(1)))
            || (rest.starts("in|for|at|after") && span().is_some())
            || rest.starts("in half an hour")
            || rest.starts("on monday|tuesday|wednesday|thursday|friday|saturday|sunday")
    })
}

fn is_clock_time(word: &str) -> bool {
    let digits = word.trim_end_matches("am").trim_end_matches("pm");
    let is_marked = digits.len() < word.len() || word.contains(':');
    is_marked && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == ':')
}

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    listing(phrase)
        .or_else(|| yes_or_no(phrase))
        .or_else(|| measurement(phrase))
        .or_else(|| status(phrase))
        .map(|(about, targets)| Intent::Question { about, targets })
}

fn state_of(phrase: Phrase<'_>) -> Option<State> {
    let phrase = phrase.strip("still|currently|already").unwrap_or(phrase);
    let phrase = phrase
        .strip("turned|switched|left|powered")
        .unwrap_or(phrase);
    Some(match phrase.at(0) {
        "on" | "running" | "active" | "lit" | "burning" => State::On,
        "off" | "out" | "inactive" => State::Off,
        "locked" => State::Locked,
        "unlocked" => State::Unlocked,
        "closed" | "shut" => State::Closed,
        "open" | "opened" => State::Open,
        _ => return None,
    })
}

/// Cuts "(turned) on (in the kitchen)" off; gives what stands before, the state and the room.
fn split_state(phrase: Phrase<'_>) -> Option<(Phrase<'_>, State, Phrase<'_>)> {
    (0..phrase.len()).find_map(|at| {
        let state = state_of(phrase.from(at))?;
        let words = phrase.from(at).words().iter();
        let particle = words
            .take_while(|word| {
                one_of(
                    &word.lower,
                    "still|currently|already|turned|switched|left|powered",
                )
            })
            .count();
        let tail = phrase.from(at + particle + 1);
        let is_end = tail.is_empty() || tail.starts("in|at|upstairs|downstairs|right|at");
        is_end.then(|| (phrase.to(at), state, tail))
    })
}

/// The targets of "lights" and "in the kitchen" together.
fn in_room(devices: Phrase<'_>, room: Phrase<'_>) -> Vec<Target> {
    let room = room.strip("in|at? the|my?").unwrap_or(room).text();
    let mut targets = targets(devices);
    if room.is_empty() || ["moment", "house", "home"].contains(&room.as_str()) {
        return targets;
    }
    for target in &mut targets {
        match target {
            Target::Named(name) => *name = format!("{room} {name}"),
            Target::All { rooms, .. } => rooms.push(room.clone()),
            Target::Unnamed => {}
        }
    }
    targets
}

/// "Which lights are on?", "what devices do I have", "list the devices".
fn listing(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let everything = || targets_of_all(phrase.to(0));
    if phrase.is("what|which do i have here?") || phrase.is("what is connected|available|there") {
        return Some((About::Existence, everything()));
    }
    if let Some(rest) = phrase.strip("what|which is|are")
        && let Some((before, state, tail)) = split_state(rest)
        && before.is_empty()
    {
        return Some((About::State(state), in_all_rooms(everything(), tail)));
    }
    let asked = phrase
        .strip(
            "what|which|list|show|name|tell|give me? about? all|of? the|my|our? smart|connected?",
        )
        .or_else(|| phrase.strip("do|have i? have|got any|some?"))
        .or_else(|| phrase.strip("how many"))
        .or_else(|| phrase.is("the|my|all? devices").then_some(phrase))?;
    let noun = asked
        .words()
        .iter()
        .position(|word| kind_of(&word.lower).is_some())?;
    let (devices, rest) = (asked.to(noun + 1), asked.from(noun + 1));
    let counts = phrase.starts("how many");
    let about = |state| {
        if counts {
            About::Count(state)
        } else {
            About::State(state)
        }
    };
    let state = rest.strip("are|is there?").unwrap_or(rest);
    if let Some((before, state, tail)) = split_state(state)
        && before.is_empty()
    {
        return Some((about(state), in_room(devices, tail)));
    }
    let plain = [
        "do|can i|you|we have|control|see|know|got there?",
        "are there|available|connected|here",
        "that? exist",
        "have i got",
    ];
    let rest = plain
        .iter()
        .find_map(|words| rest.strip(words))
        .unwrap_or(rest);
    let is_room = rest.is_empty() || rest.starts("in|on|at|upstairs|downstairs|about");
    let about = if counts {
        About::Count(State::Any)
    } else {
        About::Existence
    };
    is_room.then(|| (about, in_room(devices, rest)))
}

fn targets_of_all(phrase: Phrase<'_>) -> Vec<Target> {
    debug_assert!(phrase.is_empty());
    vec![Target::All {
        kind: super::Kind::Anything,
        rooms: Vec::new(),
        except: Vec::new(),
    }]
}

fn in_all_rooms(mut targets: Vec<Target>, room: Phrase<'_>) -> Vec<Target> {
    let room = room.strip("in|at? the|my?").unwrap_or(room).text();
    if let Some(Target::All { rooms, .. }) = targets.first_mut()
        && !room.is_empty()
    {
        rooms.push(room);
    }
    targets
}

/// "Is the kitchen light on?", "are any lights on in the hall?", "did I leave the lamp on?".
fn yes_or_no(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let rest = phrase
        .strip("is|are there?")
        .or_else(|| phrase.strip("did|have i|we|someone leave|left"))
        .or_else(|| phrase.strip("do|does"))?;
    let rest = rest.strip("not").unwrap_or(rest);
    let (devices, state, room) = split_state(rest)?;
    if devices.is_empty() || devices.has("you|we|they|he|she|i") || devices.len() > 8 {
        return None;
    }
    let about = About::State(state);
    Some((about, in_room(devices, room)))
}

/// "What is the temperature in the living room?", "how warm is it in the bath?".
fn measurement(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    if let Some(rest) = phrase.strip("how warm|hot|cold|cool|humid is it?") {
        let about = if phrase.at(1) == "humid" {
            About::Humidity
        } else {
            About::Temperature
        };
        return Some((about, place(rest)));
    }
    let core = phrase
        .strip("what is|was the|my? current?")
        .or_else(|| phrase.strip("tell|give|show|check|get|read me? the? current?"))
        .unwrap_or(phrase);
    let core = core.strip("the").unwrap_or(core);
    let at = core.position("temperature|humidity")?;
    let about = if core.at(at) == "humidity" {
        About::Humidity
    } else {
        About::Temperature
    };
    let (before, after) = (core.to(at), core.from(at + 1));
    if before.len() > 4
        || before.has("is|are|how|why|a|what|do|does|best|average|and")
        || after.len() > 6
    {
        return None;
    }
    let after = after.strip("right? now|currently|like").unwrap_or(after);
    match (before.is_empty(), after.is_empty()) {
        (false, true) => Some((about, place(before))),
        (true, true) => Some((about, place(after))),
        (true, false)
            if after.starts("in|of|at|on|inside|from|outside|upstairs|downstairs|for") =>
        {
            Some((about, place(after)))
        }
        _ => None,
    }
}

fn place(phrase: Phrase<'_>) -> Vec<Target> {
    let place = phrase
        .strip("in|of|at|on|inside|from|for")
        .unwrap_or(phrase);
    if place.is_empty() || place.is("here|inside|the? house|home") {
        return targets_of_all(phrase.to(0));
    }
    targets(place)
}

/// "What is the status of the front door?", "check the kitchen light", "how bright is the lamp".
fn status(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let rest = phrase
        .strip(
            "what is the? current? status|state|level|brightness|reading|value|battery of|on|for",
        )
        .or_else(|| phrase.strip("the? status|state of"))
        .or_else(|| phrase.strip("how bright is|are"))
        .or_else(|| phrase.strip("check|verify|inspect on?"))
        .or_else(|| {
            phrase
                .strip("what is")
                .and_then(|rest| rest.strip_end("set|dimmed|at to|at?"))
        })
        .or_else(|| {
            phrase
                .strip("what does")
                .and_then(|rest| rest.strip_end("say|read|show|measure"))
        })
        .or_else(|| {
            phrase
                .strip("what is the?")
                .and_then(|rest| rest.strip_end("status|state|level|brightness|reading"))
        })?;
    has_device_noun(rest).then(|| (About::Status, targets(rest)))
}
