//! Dates as people say them, turned into dates once today is known, and the sentences about them.
//!
//! What is asked is recognised in `intent/date.rs`, the sentences stand in `calendar/speech.rs`.
//! Today always comes from a tool, so that the engine and the tool can never disagree.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

mod speech;

pub(super) use speech::{long, sentence};

use super::numbers::integer;
use super::tokens::{Phrase, one_of};

/// A day, seen from today.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum When {
    Today,
    /// So many days and months from today.
    Shift {
        days: i32,
        months: i32,
    },
    /// The first such weekday after today.
    Coming(Weekday),
    /// The last such weekday before today.
    Last(Weekday),
    /// Without a year: the next time it comes round, today included.
    Fixed {
        day: i8,
        month: i8,
        year: Option<i16>,
    },
    /// The next of one of [`HOLIDAYS`], today included.
    Holiday(&'static str),
    /// A holiday of this year.
    HolidayIn(&'static str, i16),
    /// A holiday of the year after this one.
    HolidayNextYear(&'static str),
    /// The last day of the month.
    MonthEnd,
}

/// What is asked about a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    Date,
    Days,
    Weeks,
    Week,
    Month,
    Year,
    DayOfYear,
    Is(Weekday),
    IsMonth(i8),
    IsYear(i16),
    IsWeekend,
    LeapYear,
    MonthLength,
}

const WEEKDAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "monday|mon"),
    (Weekday::Tuesday, "tuesday|tue|tues"),
    (Weekday::Wednesday, "wednesday|wed"),
    (Weekday::Thursday, "thursday|thu|thurs"),
    (Weekday::Friday, "friday|fri"),
    (Weekday::Saturday, "saturday|sat"),
    (Weekday::Sunday, "sunday|sun"),
];
const MONTHS: [&str; 12] = [
    "january|jan",
    "february|feb",
    "march|mar",
    "april|apr",
    "may",
    "june|jun",
    "july|jul",
    "august|aug",
    "september|sep|sept",
    "october|oct",
    "november|nov",
    "december|dec",
];
/// Name as shown, how it is said, day and month; 0 where the date moves.
const HOLIDAYS: [(&str, &str, i8, i8); 15] = [
    ("Christmas Eve", "christmas eve", 24, 12),
    ("Christmas", "christmas|xmas day?", 25, 12),
    ("Boxing Day", "boxing day", 26, 12),
    ("New Year's Eve", "new year's|years eve", 31, 12),
    ("New Year's Day", "the? new year|year's|years day?", 1, 1),
    (
        "Valentine's Day",
        "valentine's|valentines|valentine day",
        14,
        2,
    ),
    (
        "St. Patrick's Day",
        "st|saint patrick's|patricks day",
        17,
        3,
    ),
    ("April Fools' Day", "april fools|fool's|fools' day", 1, 4),
    ("Independence Day", "independence day", 4, 7),
    ("Halloween", "halloween", 31, 10),
    ("All Saints' Day", "all saints|saints' day", 1, 11),
    ("Labour Day", "labour day", 1, 5),
    ("Epiphany", "epiphany", 6, 1),
    ("Easter", "easter sunday?", 0, 0),
    ("Thanksgiving", "thanksgiving day?", 0, 0),
];

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(_, names)| one_of(word, names))
        .map(|(day, _)| *day)
}

/// The day that `phrase` is, all of it.
pub(super) fn when(phrase: Phrase<'_>) -> Option<When> {
    let phrase = phrase.strip("on|for|of").unwrap_or(phrase);
    let shift = |days, months| Some(When::Shift { days, months });
    for (words, days, months) in [
        ("tomorrow|tomorrow's date?", 1, 0),
        ("yesterday|yesterday's date?", -1, 0),
        ("the? day after tomorrow", 2, 0),
        ("the? day before yesterday", -2, 0),
        ("next week", 7, 0),
        ("last week", -7, 0),
        ("next month", 0, 1),
        ("last month", 0, -1),
        ("next year", 0, 12),
        ("last year", 0, -12),
    ] {
        if phrase.is(words) {
            return shift(days, months);
        }
    }
    if phrase.is("today|now|today's date?") || phrase.is("right now") {
        return Some(When::Today);
    }
    relative(phrase)
        .or_else(|| named_day(phrase))
        .or_else(|| fixed(phrase))
}

/// "in 3 days", "two weeks from now", "10 days ago".
fn relative(phrase: Phrase<'_>) -> Option<When> {
    let (amount, sign) = if let Some(rest) = phrase.strip("in") {
        (rest, 1)
    } else if let Some(rest) = phrase.strip_end("from now|today") {
        (rest, 1)
    } else {
        (phrase.strip_end("ago")?, -1)
    };
    let unit = amount.last();
    let count = integer(amount.to(amount.len().checked_sub(1)?))?;
    let count = sign * count.clamp(0, 100_000);
    let (days, months) = match unit {
        "day" | "days" => (count, 0),
        "week" | "weeks" => (count * 7, 0),
        "fortnight" => (count * 14, 0),
        "month" | "months" => (0, count),
        "year" | "years" => (0, count * 12),
        _ => return None,
    };
    Some(When::Shift { days, months })
}

fn named_day(phrase: Phrase<'_>) -> Option<When> {
    let year = phrase.strip_end("this year").unwrap_or(phrase);
    if let Some((name, ..)) = HOLIDAYS.iter().find(|(_, said, ..)| year.is(said)) {
        return Some(When::Holiday(name));
    }
    if let Some((before, after)) = phrase
        .len()
        .checked_sub(1)
        .map(|at| (phrase.to(at), phrase.from(at)))
        && let Some((name, ..)) = HOLIDAYS
            .iter()
            .find(|(_, said, ..)| before.strip_end("in|of").unwrap_or(before).is(said))
        && let Some(year) = year_of(after.at(0))
    {
        return Some(When::HolidayIn(name, year));
    }
    if let Some(before) = phrase.strip_end("next year")
        && let Some((name, ..)) = HOLIDAYS.iter().find(|(_, said, ..)| before.is(said))
    {
        return Some(When::HolidayNextYear(name));
    }
    if phrase.is("the? end of the|this? month") || phrase.is("the? last day of the|this month") {
        return Some(When::MonthEnd);
    }
    let last = phrase
        .strip("last|the? last|past")
        .filter(|rest| rest.len() == 1);
    if let Some(day) = last.and_then(|rest| weekday(rest.at(0))) {
        return Some(When::Last(day));
    }
    let coming = phrase.strip("the? next|this|coming?").unwrap_or(phrase);
    if phrase.is("the|this|next? weekend") {
        return Some(When::Coming(Weekday::Saturday));
    }
    (coming.len() == 1)
        .then(|| weekday(coming.at(0)))?
        .map(When::Coming)
}

/// "2026-12-25", "25 December 2026", "December 25th", "the 4th of July".
fn fixed(phrase: Phrase<'_>) -> Option<When> {
    let phrase = phrase.strip("the").unwrap_or(phrase);
    if phrase.len() == 1 {
        let date: Date = phrase.at(0).parse().ok()?;
        return Some(When::Fixed {
            day: date.day(),
            month: date.month(),
            year: Some(date.year()),
        });
    }
    let mut words: Vec<&str> = phrase
        .words()
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    if weekday(phrase.at(0)).is_some() {
        words.remove(0);
    }
    words.retain(|word| !one_of(word, "of|the"));
    let at = words.iter().position(|word| month_of(word).is_some())?;
    let month = month_of(words.remove(at))?;
    let year = match words.as_slice() {
        [_, .., last] if year_of(last).is_some() => words.pop().and_then(year_of),
        _ => None,
    };
    let day = ordinal(&words)?;
    Date::new(year.unwrap_or(2000), month, day).ok()?;
    Some(When::Fixed { day, month, year })
}

pub(super) fn year_of(word: &str) -> Option<i16> {
    let is_year = word.len() == 4 && word.chars().all(|c| c.is_ascii_digit());
    is_year.then(|| word.parse().ok())?
}

/// "3rd", "third", "twenty third", "twenty-third".
fn ordinal(words: &[&str]) -> Option<i8> {
    const NAMES: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let named = |word: &str| {
        NAMES
            .iter()
            .zip(1..)
            .find(|(name, _)| **name == word)
            .map(|(_, day)| day)
    };
    let parts: Vec<&str> = words.iter().flat_map(|word| word.split('-')).collect();
    match parts.as_slice() {
        ["thirtieth"] => Some(30),
        [word] => day_of(word).or_else(|| named(word)),
        ["twenty", unit] => named(unit).filter(|day| *day < 10).map(|day: i8| 20 + day),
        ["thirty", "first"] => Some(31),
        _ => None,
    }
}

fn day_of(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

pub(super) fn month_of(word: &str) -> Option<i8> {
    MONTHS
        .iter()
        .zip(1..)
        .find(|(names, _)| one_of(word, names))
        .map(|(_, month)| month)
}

/// The date that is written somewhere in `phrase`: ISO 8601, or "22 November 2026".
pub(super) fn find_date(phrase: Phrase<'_>) -> Option<Date> {
    (0..phrase.len()).find_map(|start| {
        let rest = phrase.from(start);
        let iso = rest
            .at(0)
            .split('t')
            .next()
            .and_then(|date| date.parse().ok());
        iso.or_else(|| match fixed(rest.to(3))? {
            When::Fixed {
                day,
                month,
                year: Some(year),
            } => Date::new(year, month, day).ok(),
            _ => None,
        })
    })
}

/// The date that `when` is, if today is `today`; `None` beyond the calendar.
pub(super) fn resolve(when: &When, today: Date) -> Option<Date> {
    match when {
        When::Today => Some(today),
        When::Shift { days, months } => {
            let span = Span::new().try_days(*days).ok()?.try_months(*months).ok()?;
            today.checked_add(span).ok()
        }
        When::Coming(day) => today.nth_weekday(1, *day).ok(),
        When::Last(day) => today.nth_weekday(-1, *day).ok(),
        When::Fixed {
            day,
            month,
            year: Some(year),
        } => Date::new(*year, *month, *day).ok(),
        When::Fixed {
            day,
            month,
            year: None,
        } => {
            // Eight years hold at least one 29 February.
            coming(today, |year| Date::new(year, *month, *day).ok())
        }
        When::Holiday(name) => coming(today, |year| holiday(name, year)),
        When::HolidayIn(name, year) => holiday(name, *year),
        When::HolidayNextYear(name) => holiday(name, today.year().checked_add(1)?),
        When::MonthEnd => Some(today.last_of_month()),
    }
}

/// The day of a holiday in `year`.
fn holiday(name: &str, year: i16) -> Option<Date> {
    match name {
        "Easter" => easter(year),
        "Thanksgiving" => Date::new(year, 11, 1)
            .ok()?
            .nth_weekday_of_month(4, Weekday::Thursday)
            .ok(),
        _ => {
            let (.., day, month) = HOLIDAYS.iter().find(|(known, ..)| *known == name)?;
            Date::new(year, *month, *day).ok()
        }
    }
}

fn coming(today: Date, in_year: impl Fn(i16) -> Option<Date>) -> Option<Date> {
    (0..=8)
        .filter_map(|years| in_year(today.year().checked_add(years)?))
        .find(|date| *date >= today)
}

/// Easter Sunday by the anonymous Gregorian computus.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let days = h + l - 7 * m + 114;
    Date::new(
        year,
        i8::try_from(days / 31).ok()?,
        i8::try_from(days % 31 + 1).ok()?,
    )
    .ok()
}

/// The last day of the year of `today`.
pub(super) fn end_of_year() -> When {
    When::Fixed {
        day: 31,
        month: 12,
        year: None,
    }
}

/// Moves `time` of `date` by some minutes.
pub(super) fn later(date: jiff::civil::DateTime, minutes: i64) -> Option<jiff::civil::DateTime> {
    date.checked_add(minutes.minutes()).ok()
}

#[cfg(test)]
mod tests;
