//! Targets that are places: floors, whose devices only Home Assistant knows, and areas that a vacuum
//! is sent to.

use haft_select::english::one_of;

use super::choice::Count;
use super::noun_phrase::{CONNECTORS, quantified};
use super::{Floor, Meant, Scene};
use crate::assist::act::Act;
use crate::assist::grammar::Reading;
use crate::assist::home::{Domain, stem};

/// An area that a vacuum is sent to clean.
pub(super) fn area(scene: Scene<'_>, words: &[&str]) -> Option<Meant> {
    if scene.reading.act != Act::Clean {
        return None;
    }
    let stems: Vec<String> = quantified(words)
        .words
        .iter()
        .map(|word| stem(word))
        .collect();
    let areas = scene.home.devices.iter().flat_map(|device| &device.areas);
    let area = areas.into_iter().find(|area| area.stems == stems)?;
    Some(Meant::Area(area.text.clone()))
}

/// "The lights upstairs", "all blinds on the second floor": the client does not tell which devices
/// are there, but Home Assistant knows.
pub(super) fn floor(reading: &Reading, words: &[&str]) -> Option<Meant> {
    const ORDINALS: &str = "first|second|third|ground|top|upper|lower|main|bottom";
    let wanted = quantified(words);
    let words: Vec<&str> = wanted.words.iter().map(String::as_str).collect();
    let at = words
        .iter()
        .position(|word| one_of(word, "upstairs|downstairs|floor"))?;
    let (before, after) = words.split_at(at);
    let after = after.get(1..)?;
    let (before, name) = match words.get(at).copied()? {
        "floor" => {
            let (ordinal, rest) = before.split_last()?;
            (
                rest,
                one_of(ordinal, ORDINALS).then(|| format!("{ordinal} floor"))?,
            )
        }
        word => (before, word.to_owned()),
    };
    let rest: Vec<&str> = before.iter().chain(after).copied().collect();
    let nouns: Vec<&str> = rest
        .into_iter()
        .filter(|word| !one_of(word, CONNECTORS))
        .collect();
    let [noun] = nouns.as_slice() else {
        return None;
    };
    let is_plural = *noun != stem(noun) || wanted.count == Count::All;
    let domain = domain_of(&stem(noun)).filter(|domain| reading.act.domains().contains(domain))?;
    is_plural.then_some(Meant::Floor(Floor { name, domain }))
}

/// The kind of device that `noun` names wherever it is.
fn domain_of(noun: &str) -> Option<Domain> {
    match noun {
        "light" | "lamp" => Some(Domain::Light),
        "fan" => Some(Domain::Fan),
        "switch" | "plug" => Some(Domain::Switch),
        "speaker" => Some(Domain::MediaPlayer),
        _ => None,
    }
}
