//! Matches names that a person uses with devices, for every backend.
//!
//! In this order, and the first step that finds anything decides: the name exactly; the name in
//! other case; the name's words in any order; words of the name, the room and the kind ("the
//! light in the kitchen"); a part of the name. A step that finds several devices decides for
//! none of them. A misspelt name finds nothing, only suggestions: acting on a guess is worse
//! than asking. `words` takes texts apart.

mod words;

use std::collections::BTreeSet;

use self::words::{canonical, fold, words};
use crate::device::{Device, DeviceKind};

/// How many suggestions an unknown name gets.
const MAX_SUGGESTIONS: usize = 3;
/// How alike a suggestion must be: 1 is equal, 0 has nothing in common. Below this, even
/// "oven" would be offered for "door".
const MIN_SIMILARITY: f64 = 0.55;
/// How much less alike than the best suggestion the others may be: an obvious one stands alone.
const MAX_LAG: f64 = 0.2;
/// A shorter beginning of a word says too little.
const MIN_BEGINNING: usize = 3;
/// A shorter part from within a word is there by chance, as "all" is in "hallway".
const MIN_PART: usize = 5;

/// What the device is wanted for; it settles which of several is meant where only one will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Nothing in particular.
    Any,
    /// To be switched: not a sensor.
    Control,
    /// To be read: a sensor before anything else.
    Reading,
}

/// The devices that a name may mean.
#[derive(Debug, PartialEq)]
pub(crate) enum Match<'a> {
    /// This one.
    One(&'a Device),
    /// Any of these; at least one.
    Several(Vec<&'a Device>),
    /// None; the names that are written alike, the most similar first, at most three.
    Nothing(Vec<&'a str>),
}

/// Finds the device that `query` means.
pub(crate) fn find<'a>(query: &str, devices: &'a [Device], purpose: Purpose) -> Match<'a> {
    let query = query.trim();
    let steps: [fn(&str, &Device) -> bool; 3] = [
        |query, device| device.name == query,
        |query, device| device.name.to_lowercase() == query.to_lowercase(),
        same_words,
    ];
    for step in steps {
        let found = devices
            .iter()
            .filter(|device| step(query, device))
            .collect();
        if let Some(found) = decide(found, purpose) {
            return found;
        }
    }
    let wanted = canonical_words(query);
    if let Some(found) = by_vocabulary(&wanted, devices, purpose) {
        return found;
    }
    let part = words(query).join(" ");
    let found = devices.iter().filter(|device| has_part(device, &part));
    decide(found.collect(), purpose).unwrap_or_else(|| Match::Nothing(suggestions(query, devices)))
}

/// Whether a listing that is narrowed to `filter` shows the device: part of its name or room, or
/// words of name, room and kind.
pub(crate) fn passes(filter: &str, device: &Device) -> bool {
    let part = fold(filter.trim());
    let wanted = canonical_words(filter);
    fold(&device.name).contains(&part)
        || fold(&device.location).contains(&part)
        || (!wanted.is_empty() && wanted.is_subset(&vocabulary(device)))
}

fn same_words(query: &str, device: &Device) -> bool {
    let (wanted, name) = (words(query), words(&device.name));
    if wanted.is_empty() || name.is_empty() {
        return false;
    }
    // "livingroom lamp" is "Living Room Lamp" too.
    wanted.concat() == name.concat()
        || wanted.iter().collect::<BTreeSet<_>>() == name.iter().collect()
}

fn has_part(device: &Device, part: &str) -> bool {
    let name = format!(" {}", words(&device.name).join(" "));
    match part.chars().count() {
        ..MIN_BEGINNING => false,
        MIN_BEGINNING..MIN_PART => name.contains(&format!(" {part}")),
        MIN_PART.. => name.contains(part),
    }
}

fn by_vocabulary<'a>(
    wanted: &BTreeSet<String>,
    devices: &'a [Device],
    purpose: Purpose,
) -> Option<Match<'a>> {
    if wanted.is_empty() {
        return None;
    }
    let everything: Vec<_> = devices.iter().collect();
    for devices in [suitable(&everything, purpose), everything] {
        for words in [vocabulary, wide_vocabulary] {
            let fits = |device: &&Device| wanted.is_subset(&words(device));
            let found: Vec<_> = devices.iter().copied().filter(fits).collect();
            // A room alone names no device, even if there is just one: it may be the door's lock.
            if found
                .iter()
                .any(|device| wanted.is_subset(&room_words(device)))
            {
                return Some(Match::Several(found));
            }
            if let Some(found) = decide(found, purpose) {
                return Some(found);
            }
        }
    }
    None
}

/// Nothing for no device, the device for one, and the only one that will do for several.
fn decide<'a>(found: Vec<&'a Device>, purpose: Purpose) -> Option<Match<'a>> {
    let suitable = suitable(&found, purpose);
    match (found.as_slice(), suitable.as_slice()) {
        ([], _) => None,
        ([one], _) | (_, [one]) => Some(Match::One(one)),
        (_, []) => Some(Match::Several(found)),
        _ => Some(Match::Several(suitable)),
    }
}

fn suitable<'a>(devices: &[&'a Device], purpose: Purpose) -> Vec<&'a Device> {
    let suits = |device: &&Device| match purpose {
        Purpose::Any => true,
        Purpose::Control => device.kind != DeviceKind::Sensor,
        Purpose::Reading => device.kind == DeviceKind::Sensor,
    };
    devices.iter().copied().filter(suits).collect()
}

fn canonical_words(text: &str) -> BTreeSet<String> {
    words(text).into_iter().map(canonical).collect()
}

fn room_words(device: &Device) -> BTreeSet<String> {
    let mut room = canonical_words(&device.location);
    room.insert(words(&device.location).concat());
    room
}

/// The words of the device's name, room and kind.
fn vocabulary(device: &Device) -> BTreeSet<String> {
    let mut vocabulary = canonical_words(&device.name);
    vocabulary.extend(room_words(device));
    vocabulary.insert(device.kind.word().to_owned());
    vocabulary.extend(canonical_words(
        device.quantity.as_deref().unwrap_or_default(),
    ));
    vocabulary
}

/// What a device probably is or does as well. It counts only where no device is plainly so.
fn wide_vocabulary(device: &Device) -> BTreeSet<String> {
    let mut vocabulary = vocabulary(device);
    let word = match device.kind {
        DeviceKind::Dimmer => "light",
        DeviceKind::Thermostat => "temperature",
        DeviceKind::Switch | DeviceKind::Sensor | DeviceKind::Lock => return vocabulary,
    };
    vocabulary.insert(word.to_owned());
    vocabulary
}

fn suggestions<'a>(query: &str, devices: &'a [Device]) -> Vec<&'a str> {
    let query = words(query).join(" ");
    let likeness = |text: &str| strsim::normalized_damerau_levenshtein(&query, text);
    let mut alike: Vec<_> = devices
        .iter()
        .map(|device| {
            let name = words(&device.name).join(" ");
            let full = format!("{} {name}", words(&device.location).join(" "));
            (likeness(&name).max(likeness(&full)), device.name.as_str())
        })
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .collect();
    alike.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let best = alike.first().map_or(0.0, |(similarity, _)| *similarity);
    alike.retain(|(similarity, _)| best - similarity <= MAX_LAG);
    alike.dedup_by_key(|(_, name)| *name);
    alike
        .into_iter()
        .map(|(_, name)| name)
        .take(MAX_SUGGESTIONS)
        .collect()
}

#[cfg(test)]
mod tests;
