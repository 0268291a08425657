//! States in sentences: "the lamp is on", "still open", "locked or not".

use haft_select::english::{self, one_of};

use super::nouns::has_device_noun;
use super::target::in_room;
use crate::intent::{State, Target};
use crate::tokens::Phrase;

/// The state that `phrase` begins with.
pub(super) fn state_of(phrase: Phrase<'_>) -> Option<State> {
    let phrase = phrase.without("still|currently|already");
    let phrase = phrase.without("turned|switched|left|powered");
    english::state(phrase.at(0))
}

/// A phrase around a state: "the lamp | on | in the kitchen".
pub(super) struct Stated<'a> {
    /// What stands before the state.
    pub(super) before: Phrase<'a>,
    pub(super) state: State,
    /// Where, with its preposition; empty where no room is said.
    pub(super) room: Phrase<'a>,
}

/// Finds the state in "the lamp (turned) on (in the kitchen)". Nothing but a place may follow it.
pub(super) fn split_state(phrase: Phrase<'_>) -> Option<Stated<'_>> {
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
        is_end.then(|| Stated {
            before: phrase.to(at),
            state,
            room: tail,
        })
    })
}

/// A state and the devices that are said to have it.
pub(super) struct Declared {
    pub(super) state: State,
    pub(super) targets: Vec<Target>,
}

/// "The front door is locked".
pub(super) fn declared(phrase: Phrase<'_>) -> Option<Declared> {
    let phrase = without_alternative(phrase);
    let at = phrase.position("is|are")?;
    let Stated {
        before,
        state,
        room,
    } = split_state(phrase.from(at + 1))?;
    let devices = phrase.to(at);
    let is_device = before.is_empty() && has_device_noun(devices) && devices.len() <= 6;
    is_device.then(|| Declared {
        state,
        targets: in_room(devices, room),
    })
}

/// "... on or off", "... locked or not", "... online, or is it dead".
pub(super) fn without_alternative(phrase: Phrase<'_>) -> Phrase<'_> {
    let Some(at) = (1..phrase.len()).rfind(|at| phrase.at(*at) == "or") else {
        return phrase;
    };
    let other = phrase.from(at + 1);
    let other = other
        .strip("is|are|has|have it|they gone?")
        .or_else(|| other.strip("is|are|has|have it|they"))
        .unwrap_or(other);
    let is_state = other.is("not") || (state_of(other).is_some() && split_state(other).is_some());
    if is_state { phrase.to(at) } else { phrase }
}
