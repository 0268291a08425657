//! Reads the words of a target: quantifiers, lists, exceptions, "here" and "it". Floors and areas
//! stand in `place.rs`.

use haft_select::english::one_of;

use super::choice::{Count, Wanted, chosen};
use super::place::{area, floor};
use super::{Meant, Scene};
use crate::assist::act::Act;
use crate::assist::grammar::Reading;
use crate::assist::home::{Home, stem};
use crate::assist::lexicon::is_noun;

/// More devices than anybody names in one breath.
const MOST_LISTED: usize = 8;
/// Longer lists of words name nothing.
const MOST_WORDS: usize = 24;
const ARTICLES: &str = "the|my|our|your|that|this|these|those";
const PRONOUNS: &str = "it|them|that|this|these|those";
/// What joins the words of one name: "the light in the hall".
pub(super) const CONNECTORS: &str = "in|on|at|of|inside|from|for|to|the|my|our|by";
const EVERYTHING: &str = "everything|devices|things|appliances";
const EXCEPTIONS: &str = "except|besides|excluding|but|without";
/// What means the whole home.
const EVERYWHERE: [&str; 5] = [
    "everywhere",
    "in the house|home|apartment|flat|building",
    "in the whole|entire house|home|apartment|flat|building",
    "the house|home|apartment|flat",
    "in every|all|each rooms|room",
];
const HERE: [&str; 4] = ["in here", "here", "in this room", "in the room"];

/// What the target of `reading` means in `home`.
pub(in crate::assist) fn meant(home: &Home, reading: &Reading) -> Meant {
    let scene = Scene { home, reading };
    let words: Vec<&str> = reading.target.iter().map(String::as_str).collect();
    if words.len() > MOST_WORDS {
        return Meant::Unknown;
    }
    match with_exception(scene, &words) {
        Meant::Unknown => area(scene, &words)
            .or_else(|| floor(reading, &words))
            .unwrap_or(Meant::Unknown),
        meant => meant,
    }
}

/// "All the lights except the lamp in the hall".
fn with_exception(scene: Scene<'_>, words: &[&str]) -> Meant {
    let at = words.iter().position(|word| one_of(word, EXCEPTIONS));
    let Some((all, kept)) = at.filter(|at| *at > 0).map(|at| words.split_at(at)) else {
        return listed(scene, words);
    };
    let kept = kept.get(1..).unwrap_or_default();
    let kept = stripped(kept, "not|for|from").unwrap_or(kept);
    let kept = stripped(kept, "in|on|at").unwrap_or(kept);
    // Who says what to leave out means all the rest, wherever it is.
    let mut said: Vec<&str> = all.to_vec();
    if without_end(all, &EVERYWHERE).is_none() && !all.iter().any(|word| one_of(word, "in|here")) {
        said.push("everywhere");
    }
    // "All lights except in the kitchen" leaves out the lights of it.
    let nouns = all.iter().copied().filter(|word| is_noun(&stem(word)));
    let with_noun: Vec<&str> = kept.iter().copied().chain(nouns).collect();
    let kept = match listed(scene, kept) {
        Meant::Unknown => listed(scene, &with_noun),
        kept => kept,
    };
    let (Meant::Devices(all), Meant::Devices(kept)) = (listed(scene, &said), kept) else {
        return Meant::Unknown;
    };
    let rest: Vec<usize> = all
        .iter()
        .copied()
        .filter(|index| !kept.contains(index))
        .collect();
    let is_part = kept.iter().all(|index| all.contains(index));
    if !is_part || rest.is_empty() {
        return Meant::Unknown;
    }
    Meant::Devices(rest)
}

/// "The lamp, the fan and the radio", "the hall and attic lights".
fn listed(scene: Scene<'_>, words: &[&str]) -> Meant {
    let whole = one(scene, words);
    let parts: Vec<&[&str]> = words
        .split(|word| one_of(word, "and|or|plus|&"))
        .filter(|part| !part.is_empty())
        .collect();
    if whole != Meant::Unknown || parts.len() < 2 || parts.len() > MOST_LISTED {
        return whole;
    }
    let is_choice = words.contains(&"or");
    let all = quantified(words).count;
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = quantified(part).words;
        let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, part)| *part);
        let part: Vec<&str> = part.iter().map(String::as_str).collect();
        match member(scene, &part, (all == Count::All).then_some("all"), others) {
            Meant::Devices(devices) => found.extend(devices),
            meant @ Meant::Which(_) => return meant,
            _ => return Meant::Unknown,
        }
    }
    found.dedup();
    if is_choice {
        Meant::Which(found)
    } else {
        Meant::Devices(found)
    }
}

/// One member of a list, which may have its noun or its place in common with the others.
fn member<'a>(
    scene: Scene<'_>,
    part: &[&'a str],
    quantifier: Option<&'a str>,
    others: impl Iterator<Item = &'a [&'a str]>,
) -> Meant {
    let with = |more: &[&'a str]| {
        let mut words: Vec<&str> = quantifier.into_iter().collect();
        words.extend(part);
        words.extend(more);
        one(scene, &words)
    };
    let alone = with(&[]);
    if matches!(alone, Meant::Devices(_)) {
        return alone;
    }
    for other in others {
        let nouns: Vec<&str> = other
            .iter()
            .copied()
            .filter(|word| is_noun(&stem(word)))
            .collect();
        let place = other.iter().position(|word| one_of(word, "in|on|at"));
        let place = place.and_then(|at| other.get(at..)).unwrap_or_default();
        let is_noun_missing = !part.iter().any(|word| is_noun(&stem(word)));
        let shared = if is_noun_missing {
            nouns.as_slice()
        } else {
            place
        };
        if let meant @ Meant::Devices(_) = with(shared)
            && !shared.is_empty()
        {
            return meant;
        }
    }
    alone
}

/// One device or group.
fn one(scene: Scene<'_>, words: &[&str]) -> Meant {
    if words.len() == 1 && words.iter().all(|word| one_of(word, PRONOUNS)) {
        return Meant::Pronoun;
    }
    let words = if words == ["it", "all"] {
        &["everything"]
    } else {
        words
    };
    let wanted = quantified(words);
    let mut content = Vec::new();
    for (at, word) in wanted.words.iter().enumerate() {
        let is_edge = at == 0 || at + 1 == wanted.words.len();
        if is_edge || !one_of(word, CONNECTORS) {
            content.push(word.clone());
        }
    }
    let implied = scene.reading.only.is_some() || is_implied(&scene.reading.act);
    let is_bare = wanted.count != Count::All && !wanted.is_here && !wanted.is_everywhere;
    if content.is_empty() && is_bare && (!implied || !words.is_empty()) {
        // "Pause the" is not said to its end.
        let is_said = words.is_empty() || !implied;
        return if is_said {
            Meant::Nothing
        } else {
            Meant::Unknown
        };
    }
    if let Some(place) = everything(&wanted, &content) {
        return all_of(scene, &wanted, &place);
    }
    chosen(
        scene,
        &Wanted {
            words: content,
            ..wanted
        },
    )
}

/// True when the act speaks of one kind of device alone: "dim", "pause".
fn is_implied(act: &Act) -> bool {
    act.domains().len() == 1 && !matches!(act, Act::Lock | Act::Unlock | Act::StopMoving)
}

/// What is beside "everything", if that was said.
fn everything(wanted: &Wanted, content: &[String]) -> Option<Vec<String>> {
    let is_all = wanted.count == Count::All && content.is_empty();
    let first = content.first().is_some_and(|word| one_of(word, EVERYTHING));
    let rest = content.get(1..).unwrap_or_default();
    (is_all || first).then(|| rest.to_vec())
}

/// All that is plainly on or off in an area.
fn all_of(scene: Scene<'_>, wanted: &Wanted, place: &[String]) -> Meant {
    let home = scene.home;
    let stems: Vec<String> = place.iter().map(|word| stem(word)).collect();
    let devices = home.devices.iter().enumerate().filter(|(_, device)| {
        let is_there = device.areas.iter().any(|area| area.stems == stems);
        let is_meant = match stems.is_empty() {
            true if wanted.is_everywhere => true,
            true => home.is_here(device),
            false => is_there,
        };
        is_meant && scene.reading.act.everything().contains(&device.domain)
    });
    let indexes: Vec<usize> = devices.map(|(index, _)| index).collect();
    match (indexes.is_empty(), stems.is_empty()) {
        (false, _) => Meant::Devices(indexes),
        (true, true) => Meant::Nothing,
        (true, false) => Meant::Unknown,
    }
}

/// Takes quantifiers, articles, and places that mean everywhere or here from `words`.
pub(super) fn quantified(words: &[&str]) -> Wanted {
    let everywhere = without_end(words, &EVERYWHERE);
    let is_everywhere = everywhere.is_some();
    let words = everywhere.unwrap_or(words);
    let here = without_end(words, &HERE);
    let is_here = here.is_some();
    let mut words = here.unwrap_or(words);
    let mut count = Count::Unsaid;
    while let Some((first, rest)) = words.split_first() {
        count = match *first {
            "all" | "every" | "each" => Count::All,
            "both" => Count::Both,
            "some" | "a" | "an" | "any" | "another" | "one" => Count::Some,
            word if one_of(word, ARTICLES) => count,
            "of" if count != Count::Unsaid => count,
            _ => break,
        };
        words = rest;
    }
    if let Some((last, rest)) = words.split_last()
        && one_of(last, "too|both")
        && !rest.is_empty()
    {
        words = rest;
    }
    Wanted {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        count,
        is_everywhere,
        is_here,
    }
}

/// `words` without the one of `places` at their end.
fn without_end<'w, 'a>(words: &'w [&'a str], places: &[&str]) -> Option<&'w [&'a str]> {
    places.iter().find_map(|place| {
        let parts: Vec<&str> = place.split(' ').collect();
        let (before, end) = words.split_at(words.len().checked_sub(parts.len())?);
        let mut pairs = end.iter().zip(&parts);
        pairs
            .all(|(word, part)| one_of(word, part))
            .then_some(before)
    })
}

fn stripped<'w, 'a>(words: &'w [&'a str], choices: &str) -> Option<&'w [&'a str]> {
    let (first, rest) = words.split_first()?;
    one_of(first, choices).then_some(rest)
}
