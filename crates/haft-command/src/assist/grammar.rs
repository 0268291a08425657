//! The grammar of one command: what it does, and the words that say to what.
//!
//! A clause may be read in several ways ("put milk on the list" is no "put ... on"); each reading
//! leaves the words of its target open, and only the one whose target is found at home counts.
//! `level` reads what is set to a value, `media` what players do, `chores` vacuums and watering,
//! `todo` lists; what is switched, opened and locked stands here.

use super::act::Act;
use super::home::Domain;
use crate::tokens::{Phrase, Stop};

mod chores;
mod level;
mod media;
mod todo;

/// One way to read a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) act: Act,
    /// The words of the target, in lower case; a comma is "and".
    pub(super) target: Vec<String>,
    /// The only kind of device that the verb speaks of.
    pub(super) only: Option<Domain>,
}

impl Reading {
    fn new(act: Act, target: Vec<String>) -> Self {
        Self {
            act,
            target,
            only: None,
        }
    }

    fn of(act: Act, target: Phrase<'_>) -> Self {
        Self::new(act, spoken(target))
    }

    fn only(self, domain: Domain) -> Self {
        Self {
            only: Some(domain),
            ..self
        }
    }
}

const TURN: &str = "turn|switch|put|flip|power|shut|flick|get|click";
const OPEN: &str = "open|raise|lift|unroll";
const CLOSE: &str = "close|shut|lower";
const DRAWN: &str = "put|pull|roll|bring|let|draw|turn|move";
/// What stands before a place.
const PLACES: &str = "in|on|at|inside|upstairs|downstairs|outside|of|for";

/// The ways in which `phrase`, a clause without politeness, is a command; the likelier first.
pub(super) fn readings(phrase: Phrase<'_>) -> Vec<Reading> {
    let mut readings = level::readings(phrase);
    readings.extend(media::readings(phrase));
    readings.extend(chores::readings(phrase));
    readings.extend(todo::readings(phrase));
    readings.extend(switched(phrase));
    readings.extend(opened(phrase));
    readings.extend(wished(phrase));
    readings
}

/// "Turn on the lamp", "turn the lamp on in the hall", "lamp off", "activate movie night".
fn switched(phrase: Phrase<'_>) -> Vec<Reading> {
    let act = |particle: &str| match particle {
        "on" => Some(Act::On),
        "off" | "out" => Some(Act::Off),
        _ => None,
    };
    let verbs = [
        ("activate|enable", Act::On),
        ("deactivate|disable|extinguish|kill", Act::Off),
    ];
    let mut readings: Vec<Reading> = verbs
        .into_iter()
        .filter_map(|(verbs, act)| Some(Reading::of(act, phrase.strip(verbs)?)))
        .collect();
    let lit = phrase.strip("illuminate|light up?");
    readings.extend(lit.map(|rest| Reading::of(Act::On, rest).only(Domain::Light)));
    let rest = phrase.without(TURN);
    for at in 0..rest.len() {
        let (before, after) = (rest.to(at), rest.from(at + 1));
        let is_split = at > 0 && !after.is_empty();
        if let Some(act) = act(rest.at(at))
            && (!is_split || after.starts(PLACES))
            && (at > 0 || rest.len() < phrase.len())
        {
            readings.push(Reading::new(act, around(before, after)));
        }
    }
    if let Some(rest) = phrase
        .strip("shut|power down")
        .filter(|rest| !rest.is_empty())
    {
        readings.push(Reading::of(Act::Off, rest));
    }
    readings
}

/// "Open the blinds", "roll the shutters down", "lock the door".
fn opened(phrase: Phrase<'_>) -> Vec<Reading> {
    let phrase = phrase.without("fully|completely|entirely");
    let phrase = phrase.without_end("all the way");
    let phrase = phrase.without_end("fully|completely|entirely|wide");
    let verbs = [
        (OPEN, Act::Open),
        (CLOSE, Act::Close),
        ("lock|secure|bolt|latch", Act::Lock),
        ("unlock|unbolt|unlatch", Act::Unlock),
    ];
    let mut readings: Vec<Reading> = verbs
        .into_iter()
        .filter_map(|(verbs, act)| {
            let rest = phrase.strip(verbs)?;
            let rest = rest.without("up|down");
            Some(Reading::of(act, rest))
        })
        .collect();
    if let Some(rest) = phrase.strip(DRAWN) {
        for (particle, act) in [("up|open", Act::Open), ("down|closed|shut", Act::Close)] {
            let target = rest.strip(particle).or_else(|| rest.strip_end(particle));
            readings.extend(target.map(|target| Reading::of(act, target).only(Domain::Cover)));
        }
    }
    // "Garage door down".
    for (end, act) in [("up", Act::Open), ("down", Act::Close)] {
        let target = phrase.strip_end(end).filter(|target| !target.is_empty());
        readings.extend(target.map(|target| Reading::of(act, target).only(Domain::Cover)));
    }
    readings
}

/// "I want the lamp on", "make sure the door is locked", "the lamp should be off".
fn wished(phrase: Phrase<'_>) -> Vec<Reading> {
    let wish = phrase
        .strip("i|we want|need to? have?")
        .or_else(|| phrase.strip("have|get"))
        .or_else(|| phrase.strip("i|we would like|love|prefer to? have?"));
    if let Some(rest) = wish {
        let end = rest.strip_end("to be? turned|switched? on|off|out|open|closed|locked|unlocked");
        let end =
            end.or_else(|| rest.strip_end("turned|switched? on|off|open|closed|locked|unlocked"));
        return end.map_or_else(Vec::new, |target| stated(target, phrase.last()));
    }
    if let Some(said) = phrase.strip("make|be sure that?") {
        return said
            .position("is|are|stay|stays")
            .map_or_else(Vec::new, |at| {
                let state = said.from(at + 1);
                let state = state.without("turned|switched|all|both");
                if state.len() == 1 {
                    stated(said.to(at), state.at(0))
                } else {
                    Vec::new()
                }
            });
    }
    let Some(at) = phrase.position("should|must").filter(|at| *at > 0) else {
        return Vec::new();
    };
    let state = phrase.from(at + 1).strip("be|stay turned|switched?");
    state
        .filter(|state| state.len() == 1)
        .map_or_else(Vec::new, |state| stated(phrase.to(at), state.at(0)))
}

fn stated(target: Phrase<'_>, state: &str) -> Vec<Reading> {
    let act = match state {
        "on" => Act::On,
        "off" | "out" => Act::Off,
        "open" => Act::Open,
        "closed" | "shut" => Act::Close,
        "locked" => Act::Lock,
        "unlocked" => Act::Unlock,
        _ => return Vec::new(),
    };
    vec![Reading::of(act, target)]
}

/// The words of `phrase`, with "and" for every comma.
fn spoken(phrase: Phrase<'_>) -> Vec<String> {
    let mut spoken = Vec::new();
    for (at, word) in phrase.words().iter().enumerate() {
        spoken.push(word.lower.clone());
        let is_last = at + 1 == phrase.len();
        if word.stop != Stop::None && !is_last {
            spoken.push("and".to_owned());
        }
    }
    spoken
}

/// The words of both phrases, what is between them left out.
fn around(before: Phrase<'_>, after: Phrase<'_>) -> Vec<String> {
    let mut words = spoken(before);
    words.extend(spoken(after));
    words
}

/// What a clause goes on with behind its verb: nothing, or a place or a device with its
/// preposition.
fn placed(rest: Phrase<'_>) -> Option<Phrase<'_>> {
    if rest.is_empty() || rest.is("outside|upstairs|downstairs|here|everywhere") {
        return Some(rest);
    }
    rest.strip("on|in|at|for|of|from")
        .filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests;
