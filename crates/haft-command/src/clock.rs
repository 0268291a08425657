//! What a clock tool said: the moment in its result, and the zone names that some tools want.

use haft_core::ToolMessage;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde_json::Value;

use super::calendar;
use super::tokens::{Phrase, words};

/// A moment as a tool reported it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moment {
    pub(super) time: Option<Time>,
    pub(super) date: Option<Date>,
    /// The place's name in the tool's words.
    pub(super) place: Option<String>,
}

/// The moment in `result`, read from its artifact, its JSON or its sentence.
pub(super) fn moment(result: &ToolMessage) -> Moment {
    let text = result.content.text();
    let json = json(result);
    let field = |names: &[&str]| {
        let json = json.as_ref()?;
        names
            .iter()
            .find_map(|name| json.get(name).and_then(Value::as_str))
    };
    let stamp = field(&["iso8601", "datetime", "iso", "date_time", "timestamp"]).and_then(civil);
    let readable: String = text.replace(['"', '(', ')', '{', '}'], " ");
    let tokens = words(&readable);
    let phrase = Phrase::new(&readable, &tokens);
    let date = field(&["date"]).and_then(|date| date.parse().ok());
    let time = field(&["time"]).and_then(clock_time);
    Moment {
        date: date
            .or(stamp.map(DateTime::date))
            .or_else(|| calendar::find_date(phrase)),
        time: time.or(stamp.map(DateTime::time)).or_else(|| {
            tokens.iter().find_map(|word| {
                civil(&word.lower.to_uppercase())
                    .map(DateTime::time)
                    .or_else(|| clock_time(&word.lower))
            })
        }),
        place: field(&["place"]).map(str::to_owned),
    }
}

/// The data of a result: its artifact, or its text where that is JSON.
fn json(result: &ToolMessage) -> Option<Value> {
    let text = || serde_json::from_str(&result.content.text()).ok();
    result.artifact.clone().or_else(text)
}

/// The text of a field that `result` has.
fn field(result: &ToolMessage, name: &str) -> Option<String> {
    json(result)?.get(name)?.as_str().map(str::to_owned)
}

/// The name of the time zone in `result`.
pub(super) fn zone(result: &ToolMessage) -> Option<String> {
    field(result, "timezone")
}

/// The offset from UTC in `result`, in minutes.
pub(super) fn offset(result: &ToolMessage) -> Option<i64> {
    let text = field(result, "utc_offset")?;
    let (hours, minutes) = text.split_once(':')?;
    let sign = if hours.starts_with('-') { -1 } else { 1 };
    let hours: i64 = hours.trim_start_matches(['+', '-']).parse().ok()?;
    Some(sign * (hours * 60 + minutes.parse::<i64>().ok()?))
}

/// How many minutes the clock of `there` is ahead of that of `here`.
pub(super) fn ahead(there: &ToolMessage, here: &ToolMessage) -> Option<i64> {
    if let (Some(there), Some(here)) = (offset(there), offset(here)) {
        return Some(there - here);
    }
    // Both were asked at nearly the same moment, and offsets are whole quarters of an hour.
    let (there, here) = (moment(there), moment(here));
    let there = there.date?.to_datetime(there.time?);
    let here = here.date?.to_datetime(here.time?);
    let minutes = (there - here).total(jiff::Unit::Minute).ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "two clocks are less than a day or two apart"
    )]
    let quarters = (minutes / 15.0).round() as i64;
    Some(quarters * 15)
}

/// The local date and time of an ISO 8601 text, whatever its offset.
fn civil(text: &str) -> Option<DateTime> {
    text.get(..19)
        .or(text.get(..16))?
        .replace(' ', "T")
        .parse()
        .ok()
}

fn clock_time(text: &str) -> Option<Time> {
    text.contains(':').then(|| text.parse().ok())?
}

/// The IANA name of a place for tools that know no other, or of this machine's own zone.
pub(super) fn iana(place: Option<&str>) -> Option<String> {
    let Some(place) = place else {
        let here = TimeZone::system();
        let name = here.iana_name().filter(|name| *name != "Etc/Unknown");
        return Some(name.unwrap_or("UTC").to_owned());
    };
    let database = TimeZoneDatabase::bundled();
    let wanted = place.trim().replace(' ', "_").to_lowercase();
    let mut names = database.available();
    names
        .find(|name| {
            let name = name.as_str().to_lowercase();
            name == wanted
                || (name.contains('/') && name.rsplit('/').next() == Some(wanted.as_str()))
        })
        .map(|name| name.as_str().to_owned())
}

#[cfg(test)]
mod tests;
