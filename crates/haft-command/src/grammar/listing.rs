//! Questions about several devices: which there are, which are on, how many, in which rooms.

use haft_select::english::kind_of_group;

use super::nouns::{has_device_noun, has_room};
use super::state::{Stated, split_state, state_of};
use super::target::{group, in_room};
use crate::intent::{About, DeviceKind, Intent, State, Target};
use crate::tokens::Phrase;

/// "Which lights are on?", "what devices do I have", "list the lights that are off".
pub(super) fn listing(phrase: Phrase<'_>) -> Option<Intent> {
    if phrase.is("what|which do i have here?") || phrase.is("what is connected|available|there") {
        return Some(inquiry(About::Existence, everything()));
    }
    if let Some(rest) = phrase.strip("what|which ones? all? is|are")
        && let Some(stated) = split_state(rest)
        && stated.before.is_empty()
    {
        let devices = in_all_rooms(everything(), stated.room);
        return Some(inquiry(About::State(stated.state), devices));
    }
    let counts = phrase.starts("how many");
    let asked = phrase
        .strip(
            "what|which|list|show|name|tell|give me|us? about? all? of? the|my|our? smart|connected?",
        )
        .or_else(|| phrase.strip("do|have i|we? have|got any|some?"))
        .or_else(|| phrase.strip("how many of? the|my|our?"))
        .or_else(|| phrase.is("the|my|all? devices").then_some(phrase))?;
    let noun = asked
        .words()
        .iter()
        .position(|word| kind_of_group(&word.lower).is_some())?;
    let (devices, rest) = (asked.to(noun + 1), asked.from(noun + 1));
    if devices.has("is|are|status|state|do|does|you|i") {
        return None;
    }
    if let Some((state, room)) = state_after(rest) {
        let about = if counts {
            About::Count(state)
        } else {
            About::State(state)
        };
        return Some(inquiry(about, in_room(devices, room)));
    }
    let plain = [
        "do|can i|you|we have|control|see|know|got there?",
        "are there|available|connected|here",
        "that? exist",
        "have i got",
    ];
    let rest = rest.strip_any(&plain).unwrap_or(rest);
    let is_room = rest.is_empty() || rest.starts("in|on|at|upstairs|downstairs|about");
    let about = if counts {
        About::Count(State::Any)
    } else {
        About::Existence
    };
    is_room.then(|| inquiry(about, in_room(devices, rest)))
}

/// The state that "that are on in the kitchen" asks for, and the room.
fn state_after(phrase: Phrase<'_>) -> Option<(State, Phrase<'_>)> {
    let phrase = phrase.without("in|on the? upstairs|downstairs");
    let said = phrase
        .strip("that|which? are|is there?")
        .or_else(|| phrase.strip("have|did i|we|you leave|left"))
        .or_else(|| phrase.strip("do i|we have"))
        .unwrap_or(phrase);
    let Stated {
        before,
        state,
        room,
    } = split_state(said)?;
    if before.is_empty() {
        return Some((state, room));
    }
    // "in the kitchen are on"
    let at = before.position("are|is|that|which")?;
    let is_plain = before.from(at).is("that|which? are|is") && room.is_empty();
    let is_place = before.to(at).starts("in|on|at");
    (is_plain && is_place).then(|| (state, before.to(at)))
}

/// "Is there a light in the attic?", "do I have a thermostat", "what is in the kitchen".
pub(super) fn existence(phrase: Phrase<'_>) -> Option<Intent> {
    let rooms = "rooms|areas|places|zones";
    if phrase.is(&format!(
        "what|which|list|show|name|tell me? all? the|my? {rooms} are|do? there|i|we|you? have|know?"
    )) {
        return Some(inquiry(About::Rooms, everything()));
    }
    let room = phrase
        .strip("what|which devices|things? is|are")
        .filter(|rest| rest.starts("in|upstairs|downstairs") && has_room(*rest));
    if let Some(room) = room {
        return Some(inquiry(About::Existence, in_all_rooms(everything(), room)));
    }
    let thing = phrase
        .strip("is|are there a|an|any")
        .or_else(|| phrase.strip("do|have i|we have|got? a|an|any"))?;
    // "any unlocked doors"
    let adjective = state_of(thing.to(1)).filter(|_| has_device_noun(thing.from(1)));
    if let Some(state) = adjective.filter(|_| thing.len() <= 6) {
        return Some(inquiry(About::State(state), vec![group(thing.from(1))]));
    }
    let is_device = has_device_noun(thing) && thing.len() <= 6 && split_state(thing).is_none();
    is_device.then(|| inquiry(About::Existence, vec![group(thing)]))
}

pub(super) fn inquiry(about: About, targets: Vec<Target>) -> Intent {
    Intent::Question { about, targets }
}

pub(super) fn everything() -> Vec<Target> {
    vec![Target::all(DeviceKind::Anything, Vec::new())]
}

fn in_all_rooms(mut targets: Vec<Target>, room: Phrase<'_>) -> Vec<Target> {
    let room = room.without("in|at? the|my?").text();
    if let Some(Target::All { rooms, .. }) = targets.first_mut()
        && !room.is_empty()
    {
        rooms.push(room);
    }
    targets
}
