//! Times, ages and lists in words that can be read aloud.

use std::fmt::Display;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The maximum number of items that a sentence lists.
const MAX_ITEMS: usize = 6;

/// The time as HH:MM in the zone of this machine, with the date unless it is that of `now`.
pub(crate) fn clock(time: Timestamp, now: Timestamp) -> String {
    clock_in(&TimeZone::system(), time, now)
}

fn clock_in(zone: &TimeZone, time: Timestamp, now: Timestamp) -> String {
    let (time, now) = (time.to_zoned(zone.clone()), now.to_zoned(zone.clone()));
    if time.date() == now.date() {
        return time.strftime("%H:%M").to_string();
    }
    time.strftime("%H:%M on %-d %B %Y").to_string()
}

/// "just now", "40 seconds ago", "1 minute ago", "3 hours ago", "5 days ago".
pub(crate) fn ago(seconds: i64) -> String {
    let (count, unit) = match seconds {
        ..2 => return "just now".to_owned(),
        seconds @ 2..60 => (seconds, "second"),
        seconds @ 60..3_600 => (seconds / 60, "minute"),
        seconds @ 3_600..86_400 => (seconds / 3_600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    format!("{} ago", count_of(count, unit))
}

/// "1 device", "14 devices".
pub(crate) fn count_of(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// "A", "A or B", "A, B or C"; a long list ends in "or 3 more". `last` is "and" or "or".
pub(crate) fn list(items: &[impl AsRef<str>], last: &str) -> String {
    let mut shown: Vec<_> = items
        .iter()
        .take(MAX_ITEMS)
        .map(|item| item.as_ref().to_owned())
        .collect();
    if items.len() > MAX_ITEMS {
        shown.push(format!("{} more", items.len() - MAX_ITEMS));
    }
    match shown.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests;
