//! Questions about devices: which there are, what state they are in, what they measure.

use super::target::{Kind, Target, group, has_device_noun, has_room, kind_of, targets};
use super::{About, Intent, State};
use crate::builtin::tokens::{Phrase, one_of};

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    if health(phrase) {
        return Some(Intent::Health);
    }
    presence(phrase)
        .or_else(|| existence(phrase))
        .or_else(|| listing(phrase))
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
        "online" | "reachable" | "available" | "connected" => State::Online,
        "offline" | "unreachable" | "unavailable" | "disconnected" | "dead" => State::Offline,
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
    if devices.has("is|are|status|state|do|does|you|i") {
        return None;
    }
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

/// "Is the system all right?"
fn health(phrase: Phrase<'_>) -> bool {
    let system = "system|home|house|hub|network|controller|zwave|z-wave";
    let fine = "all? ok|okay|healthy|fine|right|well|up|working|available|alive|online|reachable";
    [
        format!("is the|my? smart? {system} {fine} running?"),
        format!("is everything {fine}"),
        format!("how is the|my? smart? {system} doing?"),
        format!("check|test the|my? smart? {system} health|status?"),
        format!("what is the? health|status of? the|my? smart? {system}"),
        format!("the? {system} health|status check?"),
        "run|do? a? health|system check".to_owned(),
    ]
    .iter()
    .any(|words| phrase.is(words))
}

/// "Is there motion in the hallway?", "is anyone at home?"
fn presence(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let moves = "motion|movement|someone|somebody|anyone|anybody|people|presence detected|moving?";
    let rest = [
        format!("is|are there any? {moves}"),
        format!("is|are {moves}"),
        format!("any? {moves}"),
        "does|do the? motion sensor detect|see|report".to_owned(),
    ]
    .iter()
    .find_map(|words| phrase.strip(words))?;
    let is_place = rest.is_empty() || rest.is("there") || rest.starts("in|at|here|home|upstairs");
    is_place.then(|| {
        let rest = rest.strip("at|there").unwrap_or(rest);
        (About::Motion, place(rest))
    })
}

/// "Is there a light in the attic?", "do I have a thermostat", "what is in the kitchen".
fn existence(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let rooms = "rooms|areas|places|zones";
    if phrase.is(&format!(
        "what|which|list|show|name|tell me? all? the|my? {rooms} are|do? there|i|we|you? have|know?"
    )) {
        return Some((About::Rooms, everything()));
    }
    let room = phrase
        .strip("what|which devices|things? is|are")
        .filter(|rest| rest.starts("in|upstairs|downstairs") && has_room(*rest));
    if let Some(room) = room {
        return Some((About::Existence, in_all_rooms(everything(), room)));
    }
    let thing = phrase
        .strip("is|are there a|an|any")
        .or_else(|| phrase.strip("do|have i|we have|got? a|an|any"))?;
    let is_device = has_device_noun(thing) && thing.len() <= 6 && split_state(thing).is_none();
    is_device.then(|| (About::Existence, vec![group(thing)]))
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

/// "Is the kitchen light on?", "did I leave the lamp on?", "tell me if the door is locked".
fn yes_or_no(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    if let Some(said) = whether(phrase) {
        return declared(said).map(|(state, targets)| (About::State(state), targets));
    }
    if let Some(done) = phrase.strip("did|have i|we|you|someone") {
        let state = match done.at(0) {
            "lock" | "locked" => Some(State::Locked),
            "close" | "closed" | "shut" => Some(State::Closed),
            _ => None,
        };
        let devices = done.from(1);
        if let Some(state) = state.filter(|_| has_device_noun(devices) && devices.len() <= 6) {
            return Some((About::State(state), targets(devices)));
        }
    }
    let rest = phrase
        .strip("is|are there?")
        .or_else(|| phrase.strip("did|have i|we|someone leave|left"))
        .or_else(|| phrase.strip("do|does"))?;
    let rest = rest.strip("not").unwrap_or(rest);
    let rest = without_alternative(rest);
    let (devices, state, room) = split_state(rest)?;
    if devices.is_empty() || devices.has("you|we|they|he|she|i") || devices.len() > 8 {
        return None;
    }
    let is_every = devices.starts("all|every|everything|both|each");
    let about = if is_every {
        About::Every(state)
    } else {
        About::State(state)
    };
    Some((about, in_room(devices, room)))
}

/// "... on or off", "... locked or not".
fn without_alternative(phrase: Phrase<'_>) -> Phrase<'_> {
    phrase
        .strip_end("or not|off|on|closed|open|unlocked|locked|shut|offline|online")
        .unwrap_or(phrase)
}

/// What follows "tell me if".
fn whether(phrase: Phrase<'_>) -> Option<Phrase<'_>> {
    phrase
        .strip("tell|show me|us if|whether")
        .or_else(|| phrase.strip("check|see|verify|know|find|look out|up? if|whether|that"))
        .or_else(|| phrase.strip("if|whether"))
}

/// "The front door is locked", as a state and whose it is.
pub(super) fn declared(phrase: Phrase<'_>) -> Option<(State, Vec<Target>)> {
    let phrase = without_alternative(phrase);
    let at = phrase.position("is|are")?;
    let (before, state, room) = split_state(phrase.from(at + 1))?;
    let devices = phrase.to(at);
    let is_device = before.is_empty() && has_device_noun(devices) && devices.len() <= 6;
    is_device.then(|| (state, in_room(devices, room)))
}

/// "What is the temperature in the living room?", "how warm is it in the bath?".
fn measurement(phrase: Phrase<'_>) -> Option<(About, Vec<Target>)> {
    let warmth = phrase
        .strip("is it too|very|really? warm|hot|cold|cool|humid|chilly")
        .or_else(|| phrase.strip("what temperature is it?"))
        .or_else(|| phrase.strip("what temperature do|does we have"));
    if let Some(rest) = warmth.filter(|rest| {
        rest.is_empty() || rest.starts("in|at|here|inside|upstairs|downstairs|outside")
    }) {
        let about = if phrase.has("humid") {
            About::Humidity
        } else {
            About::Temperature
        };
        return Some((about, place(rest)));
    }
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
        || after.len() > 10
    {
        return None;
    }
    let is_at_home = has_device_noun(after) || has_room(after);
    if after.has("why|how|what|when") || (after.starts("of") && !is_at_home) {
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
    if place.is_empty() || place.is("here") || place.is("in? the|my|our? inside|house|home|flat") {
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
        .or_else(|| {
            let asked =
                "what|which level|percent|percentage|brightness|temperature|state is|are|does|do";
            let rest = phrase.strip(asked)?;
            Some(rest.strip_end("at|have|set|on to|at?").unwrap_or(rest))
        })
        .or_else(|| {
            phrase
                .strip("what is")
                .and_then(|rest| rest.strip_end("doing"))
        })
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
