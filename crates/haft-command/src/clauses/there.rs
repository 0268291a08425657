//! "I have a call with somebody in Lima; what time is it over there?": which place is meant.
//!
//! The place is one that the text names before, and only one. A report that names it asks for
//! nothing more than that, so it is understood with it; a wish ("book a flight to Lima") is not.

use haft_select::english::one_of;

use super::Clause;
use crate::clock;
use crate::doubt::mentions_command_in;
use crate::grammar::{THERE, is_place};
use crate::intent::Intent;
use crate::tokens::{Phrase, words};

/// What stands before a place.
const BEFORE: &str = "in|from|to|near|over|around";

/// How a report begins.
const REPORTING: &str =
    "i|i'm|i've|we|we're|my|our|he|she|they|his|her|their|there|a|an|the|some|one";

/// What makes a wish of it, or a question.
const WISHING: &str = "want|wants|need|needs|like|wish|please|should|could|can|will|would|let|remind|\
    wonder|wondering|if|what|how|who|which|where|why|tell|know";

/// Capitalised words that are no places.
const TIMES: &str = "january|february|march|april|may|june|july|august|september|october|november|\
    december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter";

/// The longest name in words.
const LONGEST: usize = 3;

/// Replaces "there" by the place that is meant. Where none or several may be meant, the question is
/// not understood.
pub(super) fn resolve(clauses: &mut [Clause]) {
    for index in 0..clauses.len() {
        let (before, rest) = clauses.split_at_mut(index);
        let Some(clause) = rest.first_mut() else {
            return;
        };
        let Intent::Time { places, .. } = &mut clause.intent else {
            continue;
        };
        if places.as_slice() != [THERE] {
            continue;
        }
        match meant(before) {
            Some(place) => {
                *places = vec![place];
                for clause in before.iter_mut().filter(|clause| is_report(clause)) {
                    clause.intent = Intent::Nothing;
                }
            }
            None => clause.intent = Intent::Unknown,
        }
    }
}

/// The only place that these clauses name.
fn meant(clauses: &[Clause]) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    for clause in clauses {
        let named = match &clause.intent {
            Intent::Time { places, .. } => places.clone(),
            _ => named_in(&clause.words),
        };
        places.extend(named);
    }
    places.dedup();
    let [place] = places.as_slice() else {
        return None;
    };
    (place != THERE).then(|| place.clone())
}

/// The places in a text: names with capitals, or cities that give a time zone its name.
fn named_in(text: &str) -> Vec<String> {
    let words = words(text);
    let phrase = Phrase::new(text, &words);
    let starts = (0..phrase.len()).filter(|at| one_of(phrase.at(*at), BEFORE));
    let places = starts.filter_map(|at| {
        let rest = phrase.from(at + 1);
        let lengths = (1..=LONGEST.min(rest.len())).rev();
        let mut names = lengths.map(|length| rest.to(length));
        let name = names.find(|name| {
            let text = name.text();
            let is_small_word = one_of(name.at(0), "the|of|es|de|la|del|au");
            let is_known = clock::iana(Some(&text)).is_some();
            is_known || (name.is_capitalised() && !is_small_word && is_place(*name))
        })?;
        (!name.has(TIMES)).then(|| name.text())
    });
    places.collect()
}

/// True for a clause that only tells something.
fn is_report(clause: &Clause) -> bool {
    let words = words(&clause.words);
    let phrase = Phrase::new(&clause.words, &words);
    clause.intent == Intent::Unknown
        && one_of(phrase.at(0), REPORTING)
        && !phrase.has(WISHING)
        && !named_in(&clause.words).is_empty()
        && !mentions_command_in(&clause.words)
}
