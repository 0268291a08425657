//! Recognizes a text that is a date, a time of day, or both, and nothing else.

/// How often such a text changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// It is a date.
    Day,
    /// It has a time of day.
    TimeOfDay,
}

/// Dates, times and zones have at most this many words.
const MOST_WORDS: usize = 12;

const DAYS_AND_MONTHS: [&str; 19] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The letters that may stand beside digits in one word, as in `3rd`, `5pm`, `14:05Z`.
const BESIDE_DIGITS: [&str; 11] = [
    "", "t", "z", "tz", "am", "pm", "st", "nd", "rd", "th", "utc",
];

/// The precision of a text that is a point in time; `None` if it says anything else.
pub(super) fn precision(text: &str) -> Option<Precision> {
    let is_mark = |c: char| matches!(c, ',' | ';' | '(' | ')') || c.is_whitespace();
    let words: Vec<&str> = text
        .split(is_mark)
        .filter(|word| !word.is_empty())
        .collect();
    let has_digits = words
        .iter()
        .any(|word| word.contains(|c: char| c.is_ascii_digit()));
    if words.len() > MOST_WORDS || !has_digits || !words.iter().all(|word| is_part(word)) {
        return None;
    }
    let has_clock = words.iter().any(|word| is_clock(word));
    Some(if has_clock {
        Precision::TimeOfDay
    } else {
        Precision::Day
    })
}

/// Whether a word belongs to a date, a time or a zone.
fn is_part(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    if word.contains(|c: char| c.is_ascii_digit()) {
        let letters = lower.replace(|c: char| c.is_ascii_digit() || ":-/.+".contains(c), "");
        return BESIDE_DIGITS.contains(&letters.as_str());
    }
    let lower = lower.trim_end_matches('.');
    let is_name = |name: &&str| **name == *lower || (lower.len() == 3 && name.starts_with(lower));
    let is_short_zone =
        (2..=5).contains(&word.len()) && word.chars().all(|c| c.is_ascii_uppercase());
    matches!(lower, "at" | "am" | "pm" | "a.m" | "p.m" | "-")
        || DAYS_AND_MONTHS.iter().any(is_name)
        || is_short_zone
        || is_zone(word)
}

/// Whether a word is the name of a time zone, such as `Europe/Berlin`.
fn is_zone(word: &str) -> bool {
    let is_place = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part
                .chars()
                .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-')
    };
    word.contains('/') && word.split('/').all(is_place)
}

/// Whether a word has hours and minutes.
fn is_clock(word: &str) -> bool {
    let mut parts = word.split(':');
    let hours = parts.next().unwrap_or_default();
    let minutes = parts.next().unwrap_or_default();
    hours.ends_with(|c: char| c.is_ascii_digit())
        && minutes.starts_with(|c: char| c.is_ascii_digit())
}
