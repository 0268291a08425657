//! Dates as people say them, turned into dates once today is known, and the sentences about them.
//!
//! What is asked is recognised in `intent/date.rs`. Today always comes from a tool, so that the
//! engine and the tool can never disagree.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

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
    /// One of [`HOLIDAYS`], or Easter or Thanksgiving.
    Holiday(&'static str),
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
    let last = phrase
        .strip("last|the? last|past")
        .filter(|rest| rest.len() == 1);
    if let Some(day) = last.and_then(|rest| weekday(rest.at(0))) {
        return Some(When::Last(day));
    }
    let coming = phrase.strip("the? next|this|coming?").unwrap_or(phrase);
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
    let (day, month, year) = match words.as_slice() {
        [first, second] => (*first, *second, None),
        [first, second, year] => (*first, *second, Some(year.parse().ok()?)),
        _ => return None,
    };
    let (day, month) = day_of(day)
        .zip(month_of(month))
        .or_else(|| day_of(month).zip(month_of(day)))?;
    Date::new(year.unwrap_or(2000), month, day).ok()?;
    Some(When::Fixed { day, month, year })
}

fn day_of(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn month_of(word: &str) -> Option<i8> {
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
        When::Holiday("Easter") => coming(today, easter),
        When::Holiday("Thanksgiving") => coming(today, |year| {
            Date::new(year, 11, 1)
                .ok()?
                .nth_weekday_of_month(4, Weekday::Thursday)
                .ok()
        }),
        When::Holiday(name) => {
            let (.., day, month) = HOLIDAYS.iter().find(|(known, ..)| known == name)?;
            coming(today, |year| Date::new(year, *month, *day).ok())
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

/// The sentence that answers `asked` about `when`, if today is `today`.
pub(super) fn sentence(asked: Asked, when: &When, today: Date) -> String {
    let Some(date) = resolve(when, today) else {
        return "I cannot reckon that far.".to_owned();
    };
    match asked {
        Asked::Date => the_date(when, date, today),
        Asked::Days | Asked::Weeks => until(asked, when, date, today),
        Asked::Week => format!(
            "{} week {} of {}.",
            it_is(when, date, today),
            date.iso_week_date().week(),
            date.iso_week_date().year()
        ),
        Asked::Month => format!("{} {}.", it_is(when, date, today), date.strftime("%B %Y")),
        Asked::Year => format!("{} {}.", it_is(when, date, today), date.year()),
        Asked::DayOfYear => format!(
            "{} day {} of {}.",
            it_is(when, date, today),
            date.day_of_year(),
            date.year()
        ),
        Asked::Is(day) if date.weekday() == day => {
            format!("Yes, {}", uncapital(&the_date(when, date, today)))
        }
        Asked::Is(_) => format!("No, {}", uncapital(&the_date(when, date, today))),
    }
}

pub(super) fn long(date: Date) -> String {
    date.strftime("%A, %-d %B %Y").to_string()
}

/// "It is", "Tomorrow is", "In 3 weeks it is".
fn it_is(when: &When, date: Date, today: Date) -> String {
    match when {
        When::Today => "It is".to_owned(),
        When::Shift { months: 0, days } => match days {
            1 => "Tomorrow is".to_owned(),
            -1 => "Yesterday was".to_owned(),
            days if *days < 0 => format!("{} ago it was", count(-days, "day")),
            days => format!("In {} it is", count(*days, "day")),
        },
        When::Shift { months, .. } => {
            let size = months.abs();
            let span = if size % 12 == 0 {
                count(size / 12, "year")
            } else {
                count(size, "month")
            };
            if *months < 0 {
                format!("{span} ago it was")
            } else {
                format!("In {span} it is")
            }
        }
        _ if date < today => format!("{} was in", long(date)),
        _ => format!("{} is in", long(date)),
    }
}

fn the_date(when: &When, date: Date, today: Date) -> String {
    let day = date.strftime("%-d %B %Y");
    let weekday = date.strftime("%A");
    let verb = if date < today { "was" } else { "is" };
    match when {
        When::Today => format!("Today is {}.", long(date)),
        When::Shift { .. } => format!("{} {}.", it_is(when, date, today), long(date)),
        When::Coming(_) => format!("The next {weekday} is {day}."),
        When::Last(_) => format!("The last {weekday} was {day}."),
        When::Fixed { .. } => format!("{day} {verb} a {weekday}."),
        When::Holiday(name) => format!("{name} is on {}.", long(date)),
    }
}

fn until(asked: Asked, when: &When, date: Date, today: Date) -> String {
    let days = (date - today).get_days();
    let target = match when {
        When::Holiday(name) => format!("{name} on {}", long(date)),
        _ => long(date),
    };
    if days == 0 {
        return format!("That is today, {}.", long(date));
    }
    if days < 0 {
        return format!("{} was {} ago.", long(date), count(-days, "day"));
    }
    let span = match (asked, days / 7, days % 7) {
        (Asked::Weeks, weeks, 0) => count(weeks, "week"),
        (Asked::Weeks, weeks, rest) if weeks > 0 => {
            format!("{} and {}", count(weeks, "week"), count(rest, "day"))
        }
        _ => count(days, "day"),
    };
    let verb = if span.starts_with("1 ") && !span.contains("and") {
        "is"
    } else {
        "are"
    };
    format!("There {verb} {span} until {target}.")
}

fn count(number: i32, unit: &str) -> String {
    if number == 1 {
        format!("1 {unit}")
    } else {
        format!("{number} {unit}s")
    }
}

fn uncapital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
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
