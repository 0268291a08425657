//! Dates as people say them, turned into dates once today is known, and the sentences about them.
//!
//! What is asked is recognised in `intent/date.rs`, the sentences stand in `calendar/speech.rs`.
//! Today always comes from a tool, so that the engine and the tool can never disagree.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

mod holiday;
mod speech;

pub(super) use speech::{apart, long, sentence};

use haft_select::english::one_of;

use holiday::Holiday;

use super::numbers::{integer, ordinal};
use super::tokens::Phrase;

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
    /// The next time a holiday comes round, today included.
    Holiday(&'static Holiday),
    /// A holiday of this year.
    HolidayIn(&'static Holiday, i16),
    /// A holiday of the year after this one.
    HolidayNextYear(&'static Holiday),
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
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(_, names)| one_of(word, names))
        .map(|(day, _)| *day)
}

/// The day that `phrase` is, all of it.
pub(super) fn when(phrase: Phrase<'_>) -> Option<When> {
    let phrase = phrase.without("on|for|of");
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
    let year = phrase.without_end("this year");
    if let Some(holiday) = Holiday::named(year) {
        return Some(When::Holiday(holiday));
    }
    if let Some(at) = phrase.len().checked_sub(1)
        && let Some(year) = year_of(phrase.at(at))
    {
        let before = phrase.to(at);
        let name = before.without_end("in|of");
        if let Some(holiday) = Holiday::named(name) {
            return Some(When::HolidayIn(holiday, year));
        }
    }
    if let Some(holiday) = phrase.strip_end("next year").and_then(Holiday::named) {
        return Some(When::HolidayNextYear(holiday));
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
    let coming = phrase.without("the? next|this|coming?");
    if phrase.is("the|this|next? weekend") {
        return Some(When::Coming(Weekday::Saturday));
    }
    (coming.len() == 1)
        .then(|| weekday(coming.at(0)))?
        .map(When::Coming)
}

/// "2026-12-25", "25 December 2026", "December 25th", "the 4th of July".
fn fixed(phrase: Phrase<'_>) -> Option<When> {
    let phrase = phrase.without("the");
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
        When::Holiday(holiday) => coming(today, |year| holiday.day(year)),
        When::HolidayIn(holiday, year) => holiday.day(*year),
        When::HolidayNextYear(holiday) => holiday.day(today.year().checked_add(1)?),
        When::MonthEnd => Some(today.last_of_month()),
    }
}

fn coming(today: Date, in_year: impl Fn(i16) -> Option<Date>) -> Option<Date> {
    (0..=8)
        .filter_map(|years| in_year(today.year().checked_add(years)?))
        .find(|date| *date >= today)
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
