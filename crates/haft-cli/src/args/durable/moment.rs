//! Parses a moment in the future: a time of day, a date with a time, or a time with its offset from
//! UTC.

use std::time::SystemTime;

use jiff::civil::{DateTime, Time};
use jiff::{Timestamp, ToSpan, Zoned};

/// Parses `18:00` (the next one), `2030-01-31 18:00` or `2030-01-31T18:00:00Z`.
pub(super) fn moment(text: &str) -> Result<SystemTime, String> {
    moment_after(text, &Zoned::now()).map(SystemTime::from)
}

fn moment_after(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    let wrong = || "write 18:00, \"2030-01-31 18:00\" or 2030-01-31T18:00:00Z".to_owned();
    let there = |date: DateTime| {
        let zoned = date.to_zoned(now.time_zone().clone());
        zoned.map(|zoned| zoned.timestamp()).map_err(|_| wrong())
    };
    let moment = if let Ok(moment) = text.parse::<Timestamp>() {
        moment
    } else if let Ok(date) = text.parse::<DateTime>() {
        there(date)?
    } else {
        let time = text.parse::<Time>().map_err(|_| wrong())?;
        let today = now.date().to_datetime(time);
        match today > now.datetime() {
            true => there(today)?,
            false => there(today.saturating_add(1.day()))?,
        }
    };
    match moment > now.timestamp() {
        true => Ok(moment),
        false => Err("that time has passed".to_owned()),
    }
}

#[cfg(test)]
mod tests;
