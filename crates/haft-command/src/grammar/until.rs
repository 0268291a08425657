//! How long it is until a time of day: "how long until 6pm", "how many minutes until half past nine".

use jiff::civil::Time;

use super::time::place;
use crate::intent::{Intent, Until};
use crate::numbers::integer;
use crate::tokens::Phrase;

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    let heads = [
        "how long is? it? there? left? still? until|till|til|to|before it? is?",
        "how long do i|we have? left? until|till|til|to|before",
        "how many|much more? hours|minutes|time are|is? there|it? left? remaining? until|till|til|to|before it? is?",
        "how many|much more? hours|minutes|time do? i|we? have? left? until|till|til|to|before it? is?",
        "the? time left? remaining? until|till|til|before",
        "in how many hours|minutes is it",
    ];
    let phrase = phrase.without("tell me");
    let rest = phrase.strip_any(&heads)?;
    until(rest).map(Intent::Until)
}

fn until(phrase: Phrase<'_>) -> Option<Until> {
    let (phrase, place) = match phrase.position("in") {
        Some(at) if !phrase.from(at).is("in the morning|afternoon|evening") => {
            (phrase.to(at), Some(place(phrase.from(at + 1))?))
        }
        _ => (phrase, None),
    };
    let is_tomorrow = phrase.has("tomorrow");
    let rest = phrase
        .strip_end("today|tonight|tomorrow")
        .or_else(|| phrase.strip_end("this|tomorrow evening|afternoon|morning|night"))
        .unwrap_or(phrase);
    let half = Half::of(phrase);
    Some(Until {
        times: times(rest, half)?,
        is_tomorrow,
        place,
    })
}

/// The half of the day that is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Unsaid,
    Morning,
    Afternoon,
}

impl Half {
    fn of(phrase: Phrase<'_>) -> Self {
        if phrase.has("am|a.m|morning") {
            Self::Morning
        } else if phrase.has("pm|p.m|afternoon|evening|tonight|night") {
            Self::Afternoon
        } else {
            Self::Unsaid
        }
    }
}

/// The times that `phrase` may mean, all of it.
fn times(phrase: Phrase<'_>, half: Half) -> Option<Vec<Time>> {
    let at = |hour, minute| Time::new(hour, minute, 0, 0).ok();
    if phrase.is("noon|midday") || phrase.is("12 noon") {
        return Some(vec![at(12, 0)?]);
    }
    if phrase.is("midnight") || phrase.is("12 midnight") {
        return Some(vec![at(0, 0)?]);
    }
    let phrase = phrase
        .strip_end("in the morning|afternoon|evening")
        .or_else(|| phrase.strip_end("am|pm|a.m|p.m"))
        .or_else(|| phrase.strip_end("o'clock"))
        .unwrap_or(phrase);
    if let Some(hour) = phrase.strip("half past") {
        return halves(hour_of(hour)?, 30, half);
    }
    if let Some(hour) = phrase.strip("a? quarter past|after") {
        return halves(hour_of(hour)?, 15, half);
    }
    if let Some(hour) = phrase.strip("a? quarter to|before|of") {
        let hour = hour_of(hour)?;
        return halves(if hour == 1 { 12 } else { hour - 1 }, 45, half);
    }
    let phrase = phrase.without_end("o'clock");
    if phrase.len() != 1 {
        return halves(hour_of(phrase)?, 0, half);
    }
    let word = phrase.at(0);
    let digits = word.trim_end_matches("am").trim_end_matches("pm");
    let half = match word.get(digits.len()..) {
        Some("am") => Half::Morning,
        Some("pm") => Half::Afternoon,
        _ => half,
    };
    match digits.split_once(':') {
        Some((hour, minute)) => {
            let (hour, minute): (i8, i8) = (hour.parse().ok()?, minute.parse().ok()?);
            // "06:30" and "18:30" are as on a clock with 24 hours.
            let is_whole_day = half == Half::Unsaid && (digits.starts_with('0') || hour > 12);
            if is_whole_day || hour == 0 {
                return Some(vec![at(hour, minute)?]);
            }
            halves(hour, minute, half)
        }
        None => halves(digits.parse().ok().or_else(|| hour_of(phrase))?, 0, half),
    }
}

/// An hour as it is said: "six", "11".
fn hour_of(phrase: Phrase<'_>) -> Option<i8> {
    let hour = i8::try_from(integer(phrase)?).ok()?;
    (0..=24).contains(&hour).then_some(hour)
}

/// The time in the half of the day that is said, or in both.
fn halves(hour: i8, minute: i8, half: Half) -> Option<Vec<Time>> {
    let at = |hour: i8| Time::new(hour, minute, 0, 0).ok();
    if !(1..=12).contains(&hour) {
        return (half == Half::Unsaid).then(|| Some(vec![at(hour % 24)?]))?;
    }
    let morning = at(hour % 12)?;
    let afternoon = at(hour % 12 + 12)?;
    Some(match half {
        Half::Morning => vec![morning],
        Half::Afternoon => vec![afternoon],
        Half::Unsaid => vec![morning, afternoon],
    })
}
