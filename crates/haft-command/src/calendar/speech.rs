//! Answers about days, weeks, months and years, as sentences.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::{Asked, When, resolve};

/// The sentence that answers `asked` about `when`, if today is `today`.
pub(crate) fn sentence(asked: Asked, when: &When, today: Date) -> String {
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
        Asked::Is(day) => confirmed(date.weekday() == day, &the_date(when, date, today)),
        Asked::IsWeekend => {
            let is_weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
            confirmed(is_weekend, &the_date(when, date, today))
        }
        Asked::IsMonth(month) => confirmed(
            date.month() == month,
            &format!("It is {}.", date.strftime("%B %Y")),
        ),
        Asked::IsYear(year) => confirmed(date.year() == year, &format!("It is {}.", date.year())),
        Asked::LeapYear if date.in_leap_year() => format!("Yes, {} is a leap year.", date.year()),
        Asked::LeapYear => format!("No, {} is not a leap year.", date.year()),
        Asked::MonthLength => {
            format!(
                "{} has {} days.",
                date.strftime("%B %Y"),
                date.days_in_month()
            )
        }
    }
}

pub(crate) fn long(date: Date) -> String {
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
        When::Holiday(day) | When::HolidayIn(day, _) | When::HolidayNextYear(day) => {
            format!("{} {verb} on {}.", day.name, long(date))
        }
        When::MonthEnd => format!("The month ends on {}.", long(date)),
    }
}

fn until(asked: Asked, when: &When, date: Date, today: Date) -> String {
    let days = (date - today).get_days();
    let target = match when {
        When::Holiday(day) | When::HolidayIn(day, _) | When::HolidayNextYear(day) => {
            format!("{} on {}", day.name, long(date))
        }
        _ => long(date),
    };
    if days == 0 {
        return format!("That is today, {}.", long(date));
    }
    if days < 0 {
        return format!("{} was {} ago.", long(date), count(-days, "day"));
    }
    format!("{} until {target}.", there_are(asked, days))
}

/// "There is 1 day", "There are 2 weeks and 3 days".
fn there_are(asked: Asked, days: i32) -> String {
    let (span, is_one) = match (asked, days / 7, days % 7) {
        (Asked::Weeks, weeks, 0) => (count(weeks, "week"), weeks == 1),
        (Asked::Weeks, weeks, rest) if weeks > 0 => {
            let span = format!("{} and {}", count(weeks, "week"), count(rest, "day"));
            (span, false)
        }
        _ => (count(days, "day"), days == 1),
    };
    let verb = if is_one { "is" } else { "are" };
    format!("There {verb} {span}")
}

/// How far two days are apart. Without a year the first is in this year, and the second follows it.
pub(crate) fn apart(asked: Asked, from: &When, to: &When, today: Date) -> String {
    let (Some(first), Some(second)) = (in_this_year(from, today), in_this_year(to, today)) else {
        return "I cannot reckon that far.".to_owned();
    };
    let second = match to {
        When::Fixed { year: None, .. } if second < first => {
            second.checked_add(1.year()).unwrap_or(second)
        }
        _ => second,
    };
    let (first, second) = (first.min(second), first.max(second));
    let days = (second - first).get_days();
    format!(
        "{} between {} and {}.",
        there_are(asked, days),
        long(first),
        long(second)
    )
}

fn in_this_year(when: &When, today: Date) -> Option<Date> {
    match when {
        When::Fixed {
            day,
            month,
            year: None,
        } => Date::new(today.year(), *month, *day).ok(),
        When::Holiday(holiday) => holiday.day(today.year()),
        _ => resolve(when, today),
    }
}

fn count(number: i32, unit: &str) -> String {
    if number == 1 {
        format!("1 {unit}")
    } else {
        format!("{number} {unit}s")
    }
}

fn confirmed(is_so: bool, sentence: &str) -> String {
    let word = if is_so { "Yes" } else { "No" };
    format!("{word}, {}", uncapital(sentence))
}

fn uncapital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
