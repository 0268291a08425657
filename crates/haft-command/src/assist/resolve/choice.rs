//! Weighs the devices of a home against the words of a target.

use haft_select::english::one_of;

use super::{Meant, Scene};
use crate::assist::act::{Act, Measure};
use crate::assist::home::{Device, Domain, stem};
use crate::assist::lexicon::{Explanation, explanation, is_noun, is_noun_of};
use crate::numbers::Unit;

/// The words of one device or group, without articles and places that mean everywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wanted {
    /// In lower case, as they were said.
    pub(super) words: Vec<String>,
    pub(super) count: Count,
    /// "In the house": all of it, wherever the speaker is.
    pub(super) is_everywhere: bool,
    /// "In here".
    pub(super) is_here: bool,
}

/// How many devices are meant, as far as the words before the noun say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Count {
    #[default]
    Unsaid,
    All,
    Both,
    /// "Some": more than is said.
    Some,
}

/// A device that all words fit.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    index: usize,
    /// The less the better.
    rank: u8,
    /// Whether a word besides the noun of its kind tells it from others.
    is_told: bool,
}

/// Rank of a name that was said wholly, and nothing else.
const EXACT: u8 = 0;
/// Rank of a whole name with a noun or an area beside it.
const WHOLE: u8 = 1;
/// Rank of a part of a name.
const PART: u8 = 2;
/// Rank of an area and a kind.
const KIND: u8 = 3;
/// Added for other words than the home's own.
const BY_SYNONYM: u8 = 10;
const BY_SLIP: u8 = 20;

/// The devices that `wanted` means.
pub(super) fn chosen(scene: Scene<'_>, wanted: &Wanted) -> Meant {
    let stems: Vec<String> = wanted.words.iter().map(|word| stem(word)).collect();
    let devices = scene.home.devices.iter().enumerate();
    let mut candidates: Vec<Candidate> = devices
        .filter(|(_, device)| may_be(scene, device))
        .filter_map(|(index, _)| candidate(scene, index, &stems))
        .collect();
    let is_group = wanted.count != Count::Unsaid || is_plural(&wanted.words);
    let Some(best) = candidates.iter().map(|candidate| candidate.rank).min() else {
        return Meant::Unknown;
    };
    let is_named = |candidate: &Candidate| {
        let device = scene.home.device(candidate.index);
        device.is_some_and(is_plural_name)
    };
    if best == EXACT && candidates.iter().any(|c| c.rank == EXACT && is_named(c)) {
        candidates.retain(|candidate| candidate.rank == EXACT);
    } else if is_group {
        let level = best / BY_SYNONYM;
        candidates.retain(|candidate| candidate.rank / BY_SYNONYM == level);
    } else {
        candidates.retain(|candidate| candidate.rank == best);
    }
    settled(scene, wanted, &candidates)
}

fn may_be(scene: Scene<'_>, device: &Device) -> bool {
    let only = scene.reading.only;
    scene.reading.act.domains().contains(&device.domain)
        && only.is_none_or(|only| only == device.domain)
}

fn candidate(scene: Scene<'_>, index: usize, stems: &[String]) -> Option<Candidate> {
    let device = scene.home.device(index)?;
    let squeezed = stems.concat();
    let is_exact = device
        .names
        .iter()
        .any(|name| !stems.is_empty() && name.stems.concat() == squeezed);
    if is_exact {
        return Some(Candidate {
            index,
            rank: EXACT,
            is_told: true,
        });
    }
    let explained: Option<Vec<Explanation>> =
        stems.iter().map(|stem| explanation(stem, device)).collect();
    let explained = explained?;
    let has = |wanted: Explanation| explained.contains(&wanted);
    let is_whole = device
        .names
        .iter()
        .any(|name| name.stems.iter().all(|stem| stems.contains(stem)));
    let are_areas = explained.iter().all(|word| *word == Explanation::Area);
    let is_area_alone = !explained.is_empty() && are_areas && !is_whole;
    // "The garage" is an area and the door of it.
    let is_noun = stems.iter().all(|stem| is_noun_of(stem, device));
    let is_its_door = device.domain == Domain::Cover && is_noun;
    if is_area_alone && !is_its_door && !takes_area(scene.reading, device) {
        return None;
    }
    let rank = match () {
        () if is_whole => WHOLE,
        () if has(Explanation::Name) => PART,
        () => KIND,
    };
    let penalty = match () {
        () if has(Explanation::Slip) => BY_SLIP,
        () if has(Explanation::Synonym) => BY_SYNONYM,
        () => 0,
    };
    Some(Candidate {
        index,
        rank: rank + penalty,
        is_told: explained.iter().any(|word| *word != Explanation::Kind),
    })
}

/// True where an area alone says enough: "dim the bedroom", but not "turn on the bedroom".
fn takes_area(reading: &super::Reading, device: &Device) -> bool {
    match &reading.act {
        Act::On => reading.only == Some(Domain::Light),
        Act::Off | Act::Start | Act::Stop | Act::StopMoving => false,
        Act::Lock | Act::Unlock => false,
        Act::Open | Act::Close => reading.only == Some(Domain::Valve),
        Act::Level(level) if level.of == Measure::Any => {
            device.domain == Domain::Light || level.unit == Unit::Degrees
        }
        _ => true,
    }
}

/// True when the noun among `words` is in the plural.
fn is_plural(words: &[String]) -> bool {
    words.iter().any(|word| {
        let singular = stem(word);
        is_noun(&singular) && *word != singular && !one_of(word, "switch")
    })
}

/// True when the device itself is called in the plural, as a group of lamps is.
fn is_plural_name(device: &Device) -> bool {
    device.names.iter().any(|name| {
        let last = name.text.split_whitespace().next_back().unwrap_or_default();
        is_plural(&[last.to_lowercase()])
    })
}

/// What remains is one device, a group, or a question.
fn settled(scene: Scene<'_>, wanted: &Wanted, candidates: &[Candidate]) -> Meant {
    let home = scene.home;
    let is_told = candidates.iter().all(|candidate| candidate.is_told);
    let all: Vec<usize> = candidates.iter().map(|candidate| candidate.index).collect();
    let are_lights = |indexes: &[usize]| {
        let mut devices = indexes.iter().filter_map(|index| home.device(*index));
        devices.all(|device| device.domain == Domain::Light)
    };
    let is_group = wanted.count != Count::Unsaid || is_plural(&wanted.words);
    match (wanted.count, all.len()) {
        (Count::Some, _) => return Meant::Which(all),
        (Count::Both, 2) => return Meant::Devices(all),
        (Count::Both, _) => return Meant::Which(all),
        (_, 1) if !wanted.is_here => return Meant::Devices(all),
        _ => {}
    }
    if wanted.is_here || (!is_told && !wanted.is_everywhere) {
        let near = all.iter().copied();
        let near: Vec<usize> = near
            .filter(|index| {
                home.device(*index)
                    .is_some_and(|device| home.is_here(device))
            })
            .collect();
        match near.as_slice() {
            [] if wanted.is_here && home.here.is_some() => return Meant::Unknown,
            [] if wanted.is_here => return Meant::Which(all),
            [] => {}
            [_] => return Meant::Devices(near),
            _ if is_group || are_lights(&near) => return Meant::Devices(near),
            _ => return Meant::Which(near),
        }
    }
    let is_said = is_told || wanted.is_everywhere || !home.asks_for_area;
    if is_group && is_said {
        return Meant::Devices(all);
    }
    // "The kitchen light" are all lights of the kitchen.
    let areas = all.iter().filter_map(|index| home.device(*index)?.area());
    let mut areas: Vec<&str> = areas.collect();
    let is_placed = areas.len() == all.len();
    areas.dedup();
    let is_one_area = is_placed && areas.len() == 1 && candidates.iter().all(|c| c.rank == KIND);
    if !is_group && is_told && is_one_area && are_lights(&all) {
        return Meant::Devices(all);
    }
    playing(scene, all)
}

/// Of several players the one that plays is paused, if the client tells which that is.
fn playing(scene: Scene<'_>, all: Vec<usize>) -> Meant {
    let state = match &scene.reading.act {
        Act::Pause | Act::Next | Act::Previous | Act::Stop => "playing",
        Act::Resume => "paused",
        _ => return Meant::Which(all),
    };
    let is_so = |index: &usize| {
        let device = scene.home.device(*index);
        device.is_some_and(|device| device.state.as_deref() == Some(state))
    };
    let so: Vec<usize> = all.iter().copied().filter(is_so).collect();
    if so.len() == 1 {
        Meant::Devices(so)
    } else {
        Meant::Which(all)
    }
}
