//! Questions about devices: which there are, what state they are in, what they measure.

use super::listing::{everything, existence, inquiry, listing};
use super::nouns::{has_device_noun, has_room};
use super::state::{Stated, declared, split_state, without_alternative};
use super::target::{in_room, targets};
use crate::intent::{About, Intent, State, Target};
use crate::tokens::Phrase;

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    if health(phrase) {
        return Some(Intent::Health);
    }
    // "Tell me which lights are on" asks which lights are on.
    let asked = phrase.strip("tell|show|give|list|name|say|check|see|find me|us? out?");
    if let Some(asked) = asked.filter(|asked| asked.starts("which|what|how"))
        && let Some(intent) = question(asked)
    {
        return Some(intent);
    }
    presence(phrase)
        .or_else(|| existence(phrase))
        .or_else(|| listing(phrase))
        .or_else(|| yes_or_no(phrase))
        .or_else(|| measurement(phrase))
        .or_else(|| status(phrase))
        .or_else(|| elliptic(phrase))
}

/// "Is the system all right?"
fn health(phrase: Phrase<'_>) -> bool {
    let system = "system|home|house|hub|network|controller|zwave|z-wave";
    let fine =
        "all? ok|okay|healthy|fine|right|well|up|working|available|alive|online|reachable|alright";
    [
        format!("is the|my? smart|z-wave|zwave? {system} {fine} running?"),
        format!("is everything {fine}"),
        format!("how is the|my? smart|z-wave|zwave? {system} doing?"),
        format!("check|test the|my? smart? {system} health|status?"),
        format!("what is the? health|status of? the|my? smart? {system}"),
        format!("the? {system} health|status check?"),
        "run|do? a? health|system check".to_owned(),
    ]
    .iter()
    .any(|words| phrase.is(words))
}

/// "Is there motion in the hallway?", "is anyone at home?"
fn presence(phrase: Phrase<'_>) -> Option<Intent> {
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
        let rest = rest.without("at|there");
        inquiry(About::Motion, place(rest))
    })
}

/// "Is the kitchen light on?", "did I leave the lamp on?", "tell me if the door is locked".
fn yes_or_no(phrase: Phrase<'_>) -> Option<Intent> {
    if let Some(said) = whether(phrase) {
        return declared(said).map(|said| inquiry(About::State(said.state), said.targets));
    }
    if let Some(done) = phrase.strip("did|have i|we|you|someone") {
        let state = match done.at(0) {
            "lock" | "locked" => Some(State::Locked),
            "close" | "closed" | "shut" => Some(State::Closed),
            _ => None,
        };
        let devices = done.from(1);
        if let Some(state) = state.filter(|_| has_device_noun(devices) && devices.len() <= 6) {
            return Some(inquiry(About::State(state), targets(devices)));
        }
    }
    let rest = phrase
        .strip("is|are there?")
        .or_else(|| phrase.strip("did|have i|we|someone leave|left"))
        .or_else(|| phrase.strip("do|does"))?;
    let rest = rest.without("not");
    let rest = without_alternative(rest);
    let Stated {
        before: devices,
        state,
        room,
    } = split_state(rest).or_else(|| answering(phrase, rest))?;
    if devices.is_empty() || devices.has("you|we|they|he|she|i") || devices.len() > 8 {
        return None;
    }
    let is_every = devices.starts("all|every|everything|both|each");
    let about = if is_every {
        About::Every(state)
    } else {
        About::State(state)
    };
    Some(inquiry(about, in_room(devices, room)))
}

/// "Does the hallway light still respond", where `rest` begins with the device: it is online.
fn answering<'a>(phrase: Phrase<'_>, rest: Phrase<'a>) -> Option<Stated<'a>> {
    let verb = "respond|answer|react";
    let device = rest
        .strip_end(&format!("still {verb} properly|normally?"))
        .or_else(|| rest.strip_end(&format!("{verb} properly|normally|now?")))?;
    (phrase.starts("do|does") && has_device_noun(device)).then(|| Stated {
        before: device,
        state: State::Online,
        room: rest.from(rest.len()),
    })
}

/// "Hallway light still on?"
fn elliptic(phrase: Phrase<'_>) -> Option<Intent> {
    let Stated {
        before: devices,
        state,
        room,
    } = split_state(phrase)?;
    let says_still = phrase.from(devices.len()).starts("still");
    (says_still && has_device_noun(devices))
        .then(|| inquiry(About::State(state), in_room(devices, room)))
}

/// What follows "tell me if".
fn whether(phrase: Phrase<'_>) -> Option<Phrase<'_>> {
    phrase
        .strip("tell|show me|us if|whether")
        .or_else(|| phrase.strip("check|see|verify|confirm|know|find|look out|up? if|whether|that"))
        .or_else(|| phrase.strip("if|whether"))
        .or_else(|| {
            let said = phrase.strip("check|verify|confirm|see")?;
            said.has("is|are").then_some(said)
        })
}

/// "What is the temperature in the living room?", "how warm is it in the bath?".
fn measurement(phrase: Phrase<'_>) -> Option<Intent> {
    let warmth = phrase
        .strip("is it too|very|really? warm|hot|cold|cool|humid|chilly")
        .or_else(|| phrase.strip("what temperature is it?"))
        .or_else(|| phrase.strip("what temperature do|does we have"));
    if let Some(rest) = warmth.filter(|rest| {
        rest.is_empty() || rest.starts("in|at|here|inside|upstairs|downstairs|outside")
    }) {
        return Some(inquiry(of_air(phrase.has("humid")), place(rest)));
    }
    if let Some(rest) = phrase.strip("how warm|hot|cold|cool|humid is it?") {
        return Some(inquiry(of_air(phrase.at(1) == "humid"), place(rest)));
    }
    let core = phrase
        .strip("what is|was the|my? current?")
        .or_else(|| phrase.strip("tell|give|show|check|get|read me? the? current?"))
        .unwrap_or(phrase);
    let core = core.without("the");
    let at = core.position("temperature|humidity")?;
    let about = of_air(core.at(at) == "humidity");
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
    let after = after.without("right? now|currently|like");
    match (before.is_empty(), after.is_empty()) {
        (false, true) => Some(inquiry(about, place(before))),
        (true, true) => Some(inquiry(about, place(after))),
        (true, false)
            if after.starts("in|of|at|on|inside|from|outside|upstairs|downstairs|for") =>
        {
            Some(inquiry(about, place(after)))
        }
        _ => None,
    }
}

/// What a question about the air asks for.
fn of_air(is_humidity: bool) -> About {
    match is_humidity {
        true => About::Humidity,
        false => About::Temperature,
    }
}

fn place(phrase: Phrase<'_>) -> Vec<Target> {
    let place = phrase.without("in|of|at|on|inside|from|for");
    if place.is_empty() || place.is("here") || place.is("in? the|my|our? inside|house|home|flat") {
        return everything();
    }
    targets(place)
}

/// "What is the status of the front door?", "check the kitchen light", "how bright is the lamp".
fn status(phrase: Phrase<'_>) -> Option<Intent> {
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
            Some(rest.without_end("at|have|set|on to|at?"))
        })
        .or_else(|| phrase.between("what is", "doing"))
        .or_else(|| phrase.strip("check|verify|inspect on?"))
        .or_else(|| phrase.between("what is", "set|dimmed|at to|at?"))
        .or_else(|| phrase.between("what does", "say|read|show|measure"))
        .or_else(|| phrase.between("what is the?", "status|state|level|brightness|reading"))?;
    has_device_noun(rest).then(|| inquiry(About::Status, targets(rest)))
}
