//! Finds the devices that a user means by a name, for every backend.
//!
//! These steps are tried in order, and the first one that finds anything decides: the exact name;
//! the name in other case; the words of the name in any order; words of the name, the room and the
//! kind ("the light in the kitchen"); a part of the name. If a step finds several devices, none is
//! chosen. A misspelt name yields only suggestions, because acting on a guess is worse than asking.
//! `words` splits and normalises names.

mod words;

use std::collections::BTreeSet;

use self::words::{canonical, fold, words};
use crate::device::{Device, DeviceKind};

/// The maximum number of suggestions for an unknown name.
const MAX_SUGGESTIONS: usize = 3;
/// The minimum similarity of a suggestion: 1 is equal, 0 has nothing in common. With a lower limit,
/// "oven" would be suggested for "door".
const MIN_SIMILARITY: f64 = 0.55;
/// The maximum difference in similarity to the best suggestion, so that an obvious one is the only
/// one.
const MAX_LAG: f64 = 0.2;
/// The minimum length of a prefix of a word in characters; shorter ones match too much.
const MIN_BEGINNING: usize = 3;
/// The minimum length of a part inside a word in characters; shorter ones match by chance, as "all"
/// in "hallway".
const MIN_PART: usize = 5;

/// The purpose of the lookup, which decides between several devices if only one is suitable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// No particular purpose.
    Any,
    /// To control the device: excludes sensors.
    Control,
    /// To read the device: prefers sensors.
    Reading,
}

/// The result of a lookup.
#[derive(Debug, PartialEq)]
pub(crate) enum Match<'a> {
    /// Exactly one device.
    One(&'a Device),
    /// Several devices, at least one.
    Several(Vec<&'a Device>),
    /// No device; similar names, the most similar first, at most three.
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

/// True if a list filtered by `filter` contains the device: `filter` is a part of its name or room,
/// or consists of words of its name, room and kind.
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
    // "livingroom lamp" also matches "Living Room Lamp".
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
            // A room alone does not identify a device, even if there is just one: it may be the
            // door's lock.
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

/// No decision for no device; the device for one; for several, the only one that suits the purpose.
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

/// Words that probably describe the device as well. They are used only if no device matches without
/// them.
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
