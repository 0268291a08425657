//! From results to sentences that can be read aloud.

use haft_core::{ToolMessage, ToolStatus};
use serde_json::Value;

use super::calendar;
use super::clock;
use super::device::{Listed, listed};
use super::intent::{About, Action, Kind, State, Target};
use super::plan::Reading;

/// A longer text of a tool is not read out.
const LONGEST_ANSWER: usize = 700;
/// More devices than this are counted, not named.
const MOST_NAMED: usize = 12;

/// The sentence for one result.
pub(super) fn sentence(reading: &Reading, result: &ToolMessage) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    match reading {
        Reading::Time {
            place,
            minutes,
            dated,
        } => time(result, place.as_deref(), (*minutes, *dated)),
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
        Reading::Done { device, action } => done(result, device, *action),
        Reading::Device { device, about } => device_answer(result, device, *about),
    }
}

/// A tool's error without its prefix.
pub(super) fn failure(result: &ToolMessage) -> String {
    let text = speakable(result);
    text.strip_prefix("Error: ")
        .map_or(text.clone(), str::to_owned)
}

fn time(result: &ToolMessage, place: Option<&str>, (minutes, dated): (i64, bool)) -> String {
    let moment = clock::moment(result);
    let Some(time) = moment.time else {
        return speakable(result);
    };
    let place = moment.place.as_deref().or(place);
    let place = place
        .map(|place| format!(" in {}", spoken_zone(place)))
        .unwrap_or_default();
    if minutes != 0 {
        let now = moment.date.map(|date| date.to_datetime(time));
        let Some(then) = now.and_then(|now| calendar::later(now, minutes)) else {
            return speakable(result);
        };
        return format!("It will be {}{place}.", then.strftime("%H:%M"));
    }
    let clock = time.strftime("%H:%M");
    match moment.date.filter(|_| dated) {
        Some(date) => format!("It is {clock}{place} on {}.", calendar::long(date)),
        None => format!("It is {clock}{place}."),
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
        None => format!("Seen from {place}: {answer}"),
    }
}

fn done(result: &ToolMessage, device: &str, action: Action) -> String {
    let text = speakable(result);
    let is_sentence = !text.is_empty() && !text.starts_with(['{', '[']) && text.contains(' ');
    if is_sentence {
        return text;
    }
    let spoken = serde_json::from_str::<Value>(&result.content.text())
        .ok()
        .and_then(|json| {
            json.pointer("/speech/plain/speech")?
                .as_str()
                .map(str::to_owned)
        });
    if let Some(spoken) = spoken.filter(|spoken| !spoken.is_empty()) {
        return spoken;
    }
    let devices = listed(result);
    match devices.as_slice() {
        [only] if !only.condition().is_empty() => {
            format!("{} is now {}.", only.name, only.condition())
        }
        _ => format!("Done: {device}, {}.", outcome(action)),
    }
}

fn outcome(action: Action) -> String {
    match action {
        Action::On => "on".to_owned(),
        Action::Off => "off".to_owned(),
        Action::Toggle => "toggled".to_owned(),
        Action::Level(level) => format!("{level} percent"),
        Action::Temperature(degrees) => format!("{degrees} degrees"),
        Action::Lock => "locked".to_owned(),
        Action::Unlock => "unlocked".to_owned(),
        Action::Open => "open".to_owned(),
        Action::Close => "closed".to_owned(),
    }
}

fn device_answer(result: &ToolMessage, device: &str, about: About) -> String {
    let devices = listed(result);
    // A name may stand for a lock and for its contact; the question tells which is meant.
    let opposite = |state| match state {
        State::On => State::Off,
        State::Off => State::On,
        State::Locked => State::Unlocked,
        State::Unlocked => State::Locked,
        State::Open => State::Closed,
        State::Closed => State::Open,
        State::Any => State::Any,
    };
    if let About::State(state) = about {
        let fitting: Vec<&Listed> = devices
            .iter()
            .filter(|device| device.is_in(state) || device.is_in(opposite(state)))
            .collect();
        if let [only] = fitting.as_slice() {
            let yes = if only.is_in(state) { "Yes" } else { "No" };
            return format!("{yes}, {} is {}.", only.name, only.condition());
        }
    }
    if let [only] = devices.as_slice()
        && !only.condition().is_empty()
    {
        let verb = if only.unit.is_some() && only.on.is_none() {
            "reads"
        } else {
            "is"
        };
        let is_plain = about != About::Status || result.content.text().starts_with(['{', '[']);
        if is_plain {
            return format!("{} {verb} {}.", only.name, only.condition());
        }
    }
    let text = speakable(result);
    if text.is_empty() {
        format!("I got no answer about {device}.")
    } else {
        text
    }
}

/// What a listing says about the devices that are meant.
pub(super) fn telling(result: &ToolMessage, about: About, target: &Target) -> String {
    if result.status == ToolStatus::Error {
        return failure(result);
    }
    let all = listed(result);
    if all.is_empty() {
        return speakable(result);
    }
    let meant: Vec<&Listed> = all
        .iter()
        .filter(|device| device.is_meant(target))
        .collect();
    let noun = group(target);
    match about {
        About::Temperature => readings(&all, target, "temperature"),
        About::Humidity => readings(&all, target, "humidity"),
        About::Count(state) => {
            let count = meant.iter().filter(|device| device.is_in(state)).count();
            let verb = if count == 1 { "is" } else { "are" };
            match state {
                State::Any => format!("You have {count} {noun}."),
                _ => format!("{count} {noun} {verb} {}.", word(state)),
            }
        }
        About::State(state) => {
            let found: Vec<&Listed> = meant
                .into_iter()
                .filter(|device| device.is_in(state))
                .collect();
            if found.is_empty() {
                return format!("No {noun} are {}.", word(state));
            }
            let verb = if found.len() == 1 { "is" } else { "are" };
            format!("{} {verb} {}.", names(&found), word(state))
        }
        About::Existence | About::Status => existence(&meant, &noun),
    }
}

fn existence(meant: &[&Listed], noun: &str) -> String {
    if meant.is_empty() {
        return format!("I find no {noun}.");
    }
    let shown = meant
        .iter()
        .take(MOST_NAMED)
        .map(|device| match device.condition() {
            state if state.is_empty() => device.name.clone(),
            state => format!("{} is {state}", device.name),
        });
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if meant.len() > MOST_NAMED {
        list += &format!(" and {} more", meant.len() - MOST_NAMED);
    }
    format!("You have {} {noun}: {list}.", meant.len())
}

fn readings(all: &[Listed], target: &Target, quantity: &str) -> String {
    let measures = |device: &&Listed| {
        let unit = device.unit.as_deref().unwrap_or_default();
        let by_unit = match quantity {
            "temperature" => unit.contains('°'),
            _ => unit == "%",
        };
        let named = device.quantity.as_deref() == Some(quantity)
            || device.name.to_lowercase().contains(quantity)
            || (by_unit && device.quantity.is_none());
        named && (device.value.is_some() || !device.state.is_empty())
    };
    let found: Vec<String> = all
        .iter()
        .filter(|device| matches!(target, Target::All { .. }) || device.is_meant(target))
        .filter(measures)
        .map(|device| {
            let unit = device.unit.as_deref().unwrap_or_default();
            match &device.value {
                Some(value) => format!(
                    "{} reads {} {unit}.",
                    device.name,
                    value.to_string().trim_matches('"')
                ),
                None => format!("{} reads {}.", device.name, device.state),
            }
        })
        .collect();
    if found.is_empty() {
        return format!("I find no {quantity} reading for that.");
    }
    found.join(" ")
}

/// One sentence for what was done to several devices.
pub(super) fn summary(results: &[(&str, &ToolMessage)], action: Action) -> String {
    let failed = |result: &ToolMessage| result.status == ToolStatus::Error;
    if results.len() <= 3 || results.iter().any(|(_, result)| failed(result)) {
        let sentences = results.iter().map(|(device, result)| {
            if failed(result) {
                failure(result)
            } else {
                done(result, device, action)
            }
        });
        return sentences.collect::<Vec<_>>().join(" ");
    }
    let names: Vec<&str> = results.iter().map(|(device, _)| *device).collect();
    format!(
        "{} devices are now {}: {}.",
        names.len(),
        outcome(action),
        names.join(", ")
    )
}

/// That nothing is meant by "all the lights in the attic".
pub(super) fn nothing_meant(target: &Target) -> String {
    format!("I find no {}.", group(target))
}

fn names(devices: &[&Listed]) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// "lights in the kitchen".
fn group(target: &Target) -> String {
    let Target::All { kind, rooms, .. } = target else {
        return "such device".to_owned();
    };
    let noun = match kind {
        Kind::Anything => "devices",
        Kind::Light => "lights",
        Kind::Switch => "switches",
        Kind::Lock => "locks",
        Kind::Sensor => "sensors",
        Kind::Thermostat => "thermostats",
        Kind::Fan => "fans",
        Kind::Cover => "blinds",
    };
    if rooms.is_empty() {
        noun.to_owned()
    } else {
        format!("{noun} for {}", rooms.join(" and "))
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::On => "on",
        State::Off => "off",
        State::Locked => "locked",
        State::Unlocked => "unlocked",
        State::Open => "open",
        State::Closed => "closed",
        State::Any => "there",
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
