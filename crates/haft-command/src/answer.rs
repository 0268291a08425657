//! From results to sentences that can be read aloud; those about devices stand in `report.rs`.

use haft_core::{ToolMessage, ToolStatus};
use jiff::civil::DateTime;
use serde_json::Value;

use super::assist::{self, Home, Inquiry};
use super::calendar;
use super::clock;
use super::device::listed;
use super::intent::{Action, Until};
use super::plan::{Reading, TimeAsked};
use super::report;

/// A longer text of a tool is not read out.
const LONGEST_ANSWER: usize = 700;

pub(super) fn sentence(reading: &Reading, result: &ToolMessage) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    match reading {
        Reading::Time(asked) => time(result, asked),
        Reading::Date { asked, when, place } => match clock::moment(result).date {
            None => speakable(result),
            Some(today) => {
                let answer = calendar::sentence(*asked, when, today);
                match place {
                    Some(place) => in_place(&answer, place),
                    None => answer,
                }
            }
        },
        Reading::Until(until) => match clock::moment(result) {
            clock::Moment {
                time: Some(time),
                date: Some(date),
                ..
            } => until_time(until, date.to_datetime(time)),
            _ => speakable(result),
        },
        Reading::Span { asked, from, to } => match clock::moment(result).date {
            Some(today) => calendar::apart(*asked, from, to, today),
            None => speakable(result),
        },
        Reading::Done { device, action } => done(result, device, *action),
        Reading::Ordered { devices, outcome } => {
            told(result).unwrap_or_else(|| format!("Done: {devices}, {outcome}."))
        }
        Reading::Zone { place } => zone(result, place.as_deref()),
        Reading::Words => speakable(result),
        Reading::Device { device, about } => report::device_answer(result, device, *about),
    }
}

/// A tool's error without its prefix.
pub(super) fn failure(result: &ToolMessage) -> String {
    let text = speakable(result);
    text.strip_prefix("Error: ")
        .map_or(text.clone(), str::to_owned)
}

fn time(result: &ToolMessage, asked: &TimeAsked) -> String {
    let minutes = asked.minutes;
    let moment = clock::moment(result);
    let Some(time) = moment.time else {
        return speakable(result);
    };
    let place = moment.place.as_deref().or(asked.place.as_deref());
    let place = place
        .map(|place| format!(" in {}", spoken_zone(place)))
        .unwrap_or_default();
    if minutes != 0 {
        let now = moment.date.map(|date| date.to_datetime(time));
        let Some(then) = now.and_then(|now| calendar::later(now, minutes)) else {
            return speakable(result);
        };
        let verb = if minutes < 0 { "was" } else { "will be" };
        return format!("It {verb} {}{place}.", then.strftime("%H:%M"));
    }
    let clock = time.strftime("%H:%M");
    match moment.date.filter(|_| asked.dated) {
        Some(date) => format!("It is {clock}{place} on {}.", calendar::long(date)),
        None => format!("It is {clock}{place}."),
    }
}

/// "Tokyo is in the time zone Asia/Tokyo, 9 hours ahead of UTC."
fn zone(result: &ToolMessage, place: Option<&str>) -> String {
    let Some(zone) = clock::zone(result) else {
        return speakable(result);
    };
    let ahead = match clock::offset(result) {
        None | Some(0) => String::new(),
        Some(minutes) if minutes > 0 => format!(", {} ahead of UTC", span(minutes)),
        Some(minutes) => format!(", {} behind UTC", span(-minutes)),
    };
    match clock::moment(result).place.or(place.map(str::to_owned)) {
        Some(place) => format!("{} is in the time zone {zone}{ahead}.", spoken_zone(&place)),
        None => format!("The time zone here is {zone}{ahead}."),
    }
}

/// Two clocks to compare: what they reported, and their places as the user said them.
pub(super) struct Clocks<'a> {
    pub(super) there: &'a ToolMessage,
    pub(super) here: &'a ToolMessage,
    pub(super) place: &'a str,
    /// The place of the other clock; `None` is here.
    pub(super) from: Option<&'a str>,
}

/// "There are 3 hours and 20 minutes until 18:00."
fn until_time(until: &Until, now: DateTime) -> String {
    let today = now.date();
    let days = [Some(today), today.tomorrow().ok()];
    let days = days.into_iter().flatten();
    let moments = days.flat_map(|day| until.times.iter().map(move |time| day.to_datetime(*time)));
    let is_meant =
        |moment: &DateTime| *moment > now && (!until.is_tomorrow || moment.date() > today);
    let Some(moment) = moments.filter(is_meant).min() else {
        return "I cannot reckon that far.".to_owned();
    };
    let seconds = moment.duration_since(now).as_secs();
    let span = span((seconds + 59) / 60);
    let verb = if span.starts_with("1 ") && !span.contains("and") {
        "is"
    } else {
        "are"
    };
    let day = if moment.date() > today {
        " tomorrow"
    } else {
        ""
    };
    let place = until
        .place
        .as_deref()
        .map(|place| format!(" in {}", spoken_zone(place)))
        .unwrap_or_default();
    format!(
        "There {verb} {span} until {}{place}{day}.",
        moment.strftime("%H:%M")
    )
}

/// How far two clocks are apart.
pub(super) fn difference(clocks: &Clocks<'_>) -> String {
    let Clocks {
        there,
        here,
        place,
        from: said,
    } = *clocks;
    for result in [there, here] {
        if result.status == ToolStatus::Error {
            return failure(result);
        }
    }
    let Some(minutes) = clock::ahead(there, here) else {
        return format!("{} {}", speakable(there), speakable(here));
    };
    let name = |result: &ToolMessage, said: &str| {
        spoken_zone(&clock::moment(result).place.unwrap_or(said.to_owned()))
    };
    let place = name(there, place);
    let from = said.map_or("here".to_owned(), |said| name(here, said));
    match minutes {
        0 if said.is_none() => format!("It is the same time in {place} as here."),
        0 => format!("{place} and {from} have the same time."),
        minutes if minutes > 0 => format!("{place} is {} ahead of {from}.", span(minutes)),
        minutes if said.is_none() => {
            format!("{place} is {} behind the time here.", span(-minutes))
        }
        minutes => format!("{place} is {} behind {from}.", span(-minutes)),
    }
}

/// "5 hours and 30 minutes".
fn span(minutes: i64) -> String {
    let count = |number: i64, unit: &str| match number {
        1 => format!("1 {unit}"),
        _ => format!("{number} {unit}s"),
    };
    match (minutes / 60, minutes % 60) {
        (0, minutes) => count(minutes, "minute"),
        (hours, 0) => count(hours, "hour"),
        (hours, minutes) => format!("{} and {}", count(hours, "hour"), count(minutes, "minute")),
    }
}

/// "Asia/Kolkata" is read as "Kolkata".
fn spoken_zone(place: &str) -> String {
    match place.rsplit_once('/') {
        Some((_, city)) => city.replace('_', " "),
        None => place.to_owned(),
    }
}

fn in_place(answer: &str, place: &str) -> String {
    let place = spoken_zone(place);
    match answer
        .strip_prefix("Today is ")
        .or_else(|| answer.strip_prefix("It is "))
    {
        Some(rest) => format!("In {place} it is {rest}"),
        None => answer.to_owned(),
    }
}

/// That a device was controlled, in the tool's words where it has any.
pub(super) fn done(result: &ToolMessage, device: &str, action: Action) -> String {
    if let Some(told) = told(result) {
        return told;
    }
    let devices = listed(result);
    match devices.as_slice() {
        [only] if !only.condition().is_empty() => {
            format!("{} is now {}.", only.name, only.condition())
        }
        _ => format!("Done: {device}, {}.", outcome(action)),
    }
}

/// The answer to a question about the devices that a result lists.
pub(super) fn inquired(result: &ToolMessage, inquiry: &Inquiry) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    let text = result.content.text();
    let json = serde_json::from_str::<Value>(&text).ok();
    let listed = json
        .as_ref()
        .and_then(|json| json.get("result")?.as_str())
        .unwrap_or(&text);
    Home::read(listed).map_or_else(|| speakable(result), |home| assist::told(inquiry, &home))
}

/// What a tool itself says in words that can be read aloud, if it does.
fn told(result: &ToolMessage) -> Option<String> {
    let text = speakable(result);
    let is_sentence = !text.is_empty() && !text.starts_with(['{', '[']) && text.contains(' ');
    if is_sentence {
        return Some(text);
    }
    let json: Value = serde_json::from_str(&result.content.text()).ok()?;
    let said = |path: &str| json.pointer(path).and_then(Value::as_str);
    let spoken = said("/speech/plain/speech").filter(|spoken| !spoken.is_empty());
    let failed = said("/error_text").or_else(|| said("/error"));
    spoken
        .map(str::to_owned)
        .or_else(|| failed.map(|error| format!("That did not work: {error}.")))
}

/// The state that an action leads to.
pub(super) fn outcome(action: Action) -> String {
    match action {
        Action::On => "on".to_owned(),
        Action::Off => "off".to_owned(),
        Action::Toggle => "toggled".to_owned(),
        Action::Brighter(step) if step > 0.0 => "brighter".to_owned(),
        Action::Brighter(_) => "darker".to_owned(),
        Action::Warmer(step) if step > 0.0 => "warmer".to_owned(),
        Action::Warmer(_) => "cooler".to_owned(),
        Action::Level(level) => format!("{level} percent"),
        Action::Temperature(degrees) => format!("{degrees} degrees"),
        Action::Lock => "locked".to_owned(),
        Action::Unlock => "unlocked".to_owned(),
        Action::Open => "open".to_owned(),
        Action::Close => "closed".to_owned(),
    }
}

/// A tool's text on one line, without the signs of Markdown, and not endless.
pub(super) fn speakable(result: &ToolMessage) -> String {
    let text = result.content.text();
    let lines = text
        .lines()
        .map(|line| {
            line.trim()
                .trim_start_matches(['#', '*', '-', '>', '•'])
                .trim()
        })
        .filter(|line| !line.is_empty() && *line != "```");
    let joined = lines.collect::<Vec<_>>().join(" ");
    let mut plain = joined.replace("**", "").replace('`', "");
    if plain.chars().count() > LONGEST_ANSWER {
        plain = plain.chars().take(LONGEST_ANSWER).collect::<String>() + "...";
    }
    plain
}

#[cfg(test)]
mod tests;
