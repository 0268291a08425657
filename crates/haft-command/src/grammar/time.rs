//! Questions about the time, here or in other places.

use haft_select::english::one_of;

use crate::intent::Intent;
use crate::numbers::integer;
use crate::tokens::{Phrase, Stop};

/// Words that no place is called by: what has them asks for more than the time.
const NO_PLACE: &str = "a|an|me|my|you|i|is|are|was|do|does|did|will|should|can|write|tell|sing|\
    play|make|give|explain|who|how|why|what|when|where|poem|story|joke|it|he|she|they|we|\
    this|that|which|need|have|has|go|open|close|start|starts|begin|begins|meeting|store|best|\
    visit|travel|take|takes|set|between|difference|zones|history|general|order|light|lamp|your|\
    about|translate|summarize|spell|email|send|call|book|remind|find|search|next|last|first|every|each|\
    some|any|long|same|another|no|not|if|then|good|bad|said|says|sorry|sunset|sunrise|dawn|dusk|\
    departure|arrival|train|bus|flight";

/// The place of "what time is it there", until `clauses/there.rs` knows which is meant.
pub(crate) const THERE: &str = "there";

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without_end("today|right? now|currently");
    both(phrase)
        .or_else(|| core(phrase))
        .or_else(|| place_first(phrase))
        .or_else(|| place_before(phrase))
}

/// "What is the date and time?"
fn both(phrase: Phrase<'_>) -> Option<Intent> {
    let heads = [
        "what is the? current? local? date|day|time and the? current? date|day|time",
        "what date|day|time and what? date|day|time is it",
        "tell|give|show me|us? the? current? date|day|time and the? date|day|time",
        "the? current? date|time and the? date|time",
    ];
    let rest = phrase.strip_any(&heads)?;
    match self::rest(rest)? {
        Intent::Time {
            places, minutes, ..
        } => Some(Intent::Time {
            places,
            minutes,
            dated: true,
        }),
        _ => None,
    }
}

/// "What time is it (in Oslo)", "tell me the time", "current time Asia/Kolkata".
fn core(phrase: Phrase<'_>) -> Option<Intent> {
    let heads = [
        "what|which time is|will|was it|that be? right? now|currently|today?",
        "what hour|clock is it",
        "what time it is",
        "what time is|in",
        "what is|was the|my? current|local|exact|actual|right|present|correct? local? time it? is? right? now|currently|today?",
        "what is it o'clock",
        "tell|give|show|get|read|say|check|know|announce me|us? what time it is right? now?",
        "tell|give|show|get|read|say|check|know|announce|have me|us? the|what? current|local|exact|present? local? time is? right? now|currently?",
        "what the time is right? now?",
        "do|have? you? have|got the time",
        "have you? got? the time",
        "the? current|local|exact? local? time right? now|currently|please?",
        "how late is it right? now?",
        "time check",
    ];
    heads
        .iter()
        .filter_map(|head| phrase.strip(head))
        .find_map(rest)
}

/// What follows the question: nothing, places, or an hour's delay.
fn rest(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase.without("now|currently|right|like");
    if phrase.is("over|out? there right? now|currently?") {
        return Some(now_at(vec![THERE.to_owned()]));
    }
    let phrase = phrase.without("over|out there?");
    let local = phrase.is("here") || phrase.is("for? me") || phrase.is("at my place|home");
    if phrase.is_empty() || local {
        return Some(now_at(Vec::new()));
    }
    if let Some((minutes, place)) = delay(phrase) {
        let Intent::Time { places, .. } = rest(place)? else {
            return None;
        };
        return Some(Intent::Time {
            places,
            minutes,
            dated: false,
        });
    }
    let named = phrase.strip("in|at|for|over|of|within|inside|around|is in?");
    let place = named.unwrap_or(phrase);
    let is_sure = named.is_some() || place.is_capitalised() || place.text().contains('/');
    is_sure.then(|| places(place))?
}

/// "in 2 hours", "half an hour ago", with what follows it; what is past is negative.
fn delay(phrase: Phrase<'_>) -> Option<(i64, Phrase<'_>)> {
    if let Some(at) = phrase.position("ago") {
        let (minutes, rest) = span(phrase.to(at))?;
        return rest.is_empty().then(|| (-minutes, phrase.from(at + 1)));
    }
    let (minutes, rest) = span(phrase.strip("in")?)?;
    Some((minutes, rest.without("from now")))
}

/// "2 hours" or "half an hour" in minutes, and what follows.
fn span(span: Phrase<'_>) -> Option<(i64, Phrase<'_>)> {
    if let Some(rest) = span.strip("half an hour") {
        return Some((30, rest));
    }
    let unit = span
        .position("minute|minutes|hour|hours")
        .filter(|at| *at < 4)?;
    let count = i64::from(integer(span.to(unit))?.clamp(0, 10_000));
    let minutes = if span.at(unit).starts_with('h') {
        count * 60
    } else {
        count
    };
    Some((minutes, span.from(unit + 1)))
}

/// "In Tokyo, what time is it?"
fn place_first(phrase: Phrase<'_>) -> Option<Intent> {
    let inner = phrase.strip("in|at|for")?;
    let at = inner.position("what|what's|tell")?;
    match core(inner.from(at))? {
        Intent::Time {
            places: none,
            minutes: 0,
            ..
        } if none.is_empty() => places(inner.to(at)),
        _ => None,
    }
}

/// "Tokyo time", "what is London's time", "what is the New York time".
fn place_before(phrase: Phrase<'_>) -> Option<Intent> {
    let phrase = phrase
        .strip("what is the? current|local?")
        .or_else(|| phrase.strip("tell|give|show me|us? the? current|local?"))
        .unwrap_or(phrase);
    let place = phrase.strip_end("local|current? time")?;
    let is_named = place.is_capitalised() && place.len() <= 3;
    is_named.then(|| places(place))?
}

fn places(phrase: Phrase<'_>) -> Option<Intent> {
    let places: Vec<String> = split(phrase)
        .into_iter()
        .map(place)
        .collect::<Option<_>>()?;
    Some(now_at(places))
}

/// The question for the time in these places, or here.
fn now_at(places: Vec<String>) -> Intent {
    Intent::Time {
        places,
        minutes: 0,
        dated: false,
    }
}

/// Cuts "Paris, Tokyo and Sydney", but neither "Paris, France" nor "Trinidad and Tobago".
fn split(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let pairs = [
        "trinidad and tobago",
        "bosnia and herzegovina",
        "antigua and barbuda",
        "turks and caicos",
    ];
    let text = phrase.text().to_lowercase();
    if pairs.iter().any(|pair| text.contains(pair)) {
        return vec![phrase];
    }
    let has_and = phrase.has("and|&");
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in phrase.words().iter().enumerate() {
        let end = if one_of(&word.lower, "and|&|or") {
            index
        } else if has_and && word.stop == Stop::Comma {
            index + 1
        } else {
            continue;
        };
        parts.push(phrase.to(end).from(start));
        start = index + 1;
    }
    parts.push(phrase.from(start));
    parts.retain(|part| !part.is_empty());
    parts
}

/// The name of one place, without the words around it.
pub(super) fn place(phrase: Phrase<'_>) -> Option<String> {
    let place = phrase.without("in|at|for|also|then");
    let place = place.without("the? city of");
    let place = place
        .strip("the")
        .filter(|rest| !rest.is(".|hague"))
        .unwrap_or(place);
    let place = place.without_end("right? now|currently|today|please|time");
    // "9am" is a time.
    let is_number = place.at(0).starts_with(|c: char| c.is_ascii_digit());
    (is_place(place) && !is_number).then(|| place.text())
}

/// True when `phrase` may be the name of a place.
pub(crate) fn is_place(phrase: Phrase<'_>) -> bool {
    (1..=6).contains(&phrase.len()) && !phrase.has(NO_PLACE)
}
