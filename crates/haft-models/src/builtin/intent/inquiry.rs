//! Questions about devices: which there are, what state they are in, what they measure.

use super::target::{Kind, Target, has_device_noun, kind_of, targets};
use super::{About, Intent, State};
use crate::builtin::tokens::{Phrase, one_of};

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
pub(super) fn in_room(devices: Phrase<'_>, room: Phrase<'_>) -> Vec<Target> {
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

fn everything() -> Vec<Target> {
    vec![Target::All {
        kind: Kind::Anything,
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
    if after.has("why|how|and|what|when") {
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
        return everything();
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
