//! What a command says behind its verb: the devices, which way they are switched, and how far.

use crate::grammar::nouns::has_device_noun;
use crate::numbers::{Amount, Unit, amount};
use crate::tokens::Phrase;

/// Cuts "to 40 percent", "at half", "40%" off the end.
pub(super) fn split_amount(phrase: Phrase<'_>) -> (Phrase<'_>, Option<Amount>) {
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

/// The word that says which way something is switched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Particle {
    On,
    /// "off", and also "out".
    Off,
    Up,
    Down,
}

impl Particle {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "on" => Self::On,
            "off" | "out" => Self::Off,
            "up" => Self::Up,
            "down" => Self::Down,
            _ => return None,
        })
    }
}

/// What a command says behind its verb.
#[derive(Clone, Copy)]
pub(super) struct Switched<'a> {
    pub(super) devices: Phrase<'a>,
    pub(super) particle: Option<Particle>,
    /// Where, with its preposition, if it follows the particle: "lights off in the hall".
    pub(super) room: Phrase<'a>,
}

/// Takes the particle from the start, from the end, or from before "in the hall".
pub(super) fn split_particle(phrase: Phrase<'_>) -> Switched<'_> {
    let nowhere = phrase.to(0);
    let switched = |devices, particle, room| Switched {
        devices,
        particle,
        room,
    };
    if let Some(particle) = Particle::of(phrase.at(0)) {
        return switched(phrase.from(1), Some(particle), nowhere);
    }
    if let Some(particle) = Particle::of(phrase.last()) {
        let rest = phrase.to(phrase.len() - 1);
        let rest = rest
            .strip_end("to|back|all")
            .filter(|rest| !rest.is_empty())
            .unwrap_or(rest);
        return switched(rest, Some(particle), nowhere);
    }
    let inside = (1..phrase.len()).find_map(|at| {
        let particle = Particle::of(phrase.at(at))?;
        let room = phrase.from(at + 1);
        room.starts("in|upstairs|downstairs")
            .then(|| switched(phrase.to(at), Some(particle), room))
    });
    inside.unwrap_or_else(|| switched(phrase, None, nowhere))
}
