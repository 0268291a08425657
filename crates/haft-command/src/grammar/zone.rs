//! Questions about time zones, and how far two clocks are apart.

use super::time::place;
use crate::intent::Intent;
use crate::tokens::Phrase;

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    difference(phrase).or_else(|| zone(phrase))
}

/// "What time zone is Tokyo in?"
fn zone(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without("tell|give|show me|us?");
    let rest = phrase
        .strip("what|which time? zone|timezone is|are|am|does|do")
        .or_else(|| phrase.strip("what is the|my|our? current|local? time? zone|timezone"))
        .or_else(|| phrase.strip("the|my? current|local? time? zone|timezone"))?;
    let rest = rest.without_end("in|at|on|use|have|follow|keep|now");
    let rest = rest.without("in|of|for|at");
    if rest.is_empty() || rest.is("i|we|it|this|here") || rest.is("it|this|we|i here") {
        return Some(Intent::Zone { place: None });
    }
    Some(Intent::Zone {
        place: Some(place(rest)?),
    })
}

/// "What's the time difference between Berlin and Tokyo?", "how far ahead is Tokyo?"
fn difference(phrase: Phrase<'_>) -> Option<Intent> {
    let heads = [
        "what is the? time difference",
        "how big|large|much is the? time difference",
        "tell|give me the? time difference",
        "the? time difference",
        "how many hours difference are|is? there?",
    ];
    if let Some(rest) = phrase.strip_any(&heads) {
        if let Some(pair) = rest.strip("between|from|of") {
            return pair_of(pair, "and|to");
        }
        let there = rest.strip("to|from|with|in|for")?;
        return compared(there, None);
    }
    let rest = phrase
        .strip("how many hours|minutes")
        .or_else(|| phrase.strip("how far|much"))
        .unwrap_or(phrase);
    if let Some(pair) = rest.strip("are|is? there? between") {
        return pair_of(pair, "and");
    }
    if let Some(rest) = rest.strip("ahead|behind is|are|am") {
        return match rest.position("of|from|than|behind") {
            Some(_) => pair_of(rest, "of|from|than"),
            None => compared(rest, None),
        };
    }
    let rest = rest.strip("is|are")?;
    let at = rest.position("ahead|behind")?;
    let than = rest.from(at + 1);
    let than = than.without("of|from");
    compared(rest.to(at), Some(than))
}

fn pair_of<'a>(phrase: Phrase<'a>, between: &str) -> Option<Intent> {
    let at = phrase.position(between)?;
    compared(phrase.to(at), Some(phrase.from(at + 1)))
}

fn compared(there: Phrase<'_>, here: Option<Phrase<'_>>) -> Option<Intent> {
    let is_here = |phrase: &Phrase<'_>| phrase.is_empty() || phrase.is("here|us|me|home|you");
    let here = match here.filter(|here| !is_here(here)) {
        Some(here) => Some(place(here)?),
        None => None,
    };
    if is_here(&there) {
        return here.map(|place| Intent::Difference { place, from: None });
    }
    Some(Intent::Difference {
        place: place(there)?,
        from: here,
    })
}
