//! Commands to media players: "pause the music", "skip this song", "next track on the kitchen
//! speaker", "turn it up", "mute the TV".

use super::{Reading, around, placed, spoken};
use crate::assist::act::Act;
use crate::assist::home::Domain;
use crate::numbers::amount;
use crate::tokens::Phrase;

const PIECE: &str = "song|track|tune|one|title|episode|chapter|video";
const SOUND: &str = "volume|sound|audio";

pub(super) fn readings(phrase: Phrase<'_>) -> Vec<Reading> {
    let mut readings = played(phrase);
    readings.extend(skipped(phrase));
    readings.extend(muted(phrase));
    readings.extend(louder(phrase));
    readings
}

fn media(act: Act, target: Vec<String>) -> Reading {
    Reading::new(act, target).only(Domain::MediaPlayer)
}

fn played(phrase: Phrase<'_>) -> Vec<Reading> {
    let verbs = [
        ("pause|hold playing|playback?", Act::Pause),
        ("stop|quit|halt playing|playback", Act::Pause),
        ("unpause playing|playback?", Act::Resume),
        ("resume|continue playing|playback?", Act::Resume),
        ("keep|carry on? playing", Act::Resume),
        ("play|start playing|playback?", Act::Resume),
    ];
    let plain = verbs.into_iter().filter_map(|(verbs, act)| {
        let rest = phrase.strip(verbs)?;
        let rest = rest.without("on|in");
        Some(media(act, spoken(rest)))
    });
    // "Start the music again", "radio pause".
    let again = phrase
        .between("start", "back? up|again|playing")
        .map(|rest| media(Act::Resume, spoken(rest)));
    let ends = [
        ("pause", Act::Pause),
        ("resume|unpause", Act::Resume),
        ("mute", Act::Mute),
        ("unmute", Act::Unmute),
    ];
    let bare = ends.into_iter().filter_map(|(end, act)| {
        let target = phrase.strip_end(end).filter(|target| !target.is_empty())?;
        Some(media(act, spoken(target)))
    });
    plain.chain(again).chain(bare).collect()
}

/// "Next song", "skip this track on the speaker", "go back to the previous one".
fn skipped(phrase: Phrase<'_>) -> Vec<Reading> {
    let forms = [
        (format!("play|put? on? the? next {PIECE}"), Act::Next),
        (
            format!("skip|go|jump|advance|move to? the|a? next {PIECE}?"),
            Act::Next,
        ),
        (
            format!("skip the|this|that|current? current? {PIECE}|it"),
            Act::Next,
        ),
        ("skip|jump|go forward|ahead".to_owned(), Act::Next),
        ("skip|next".to_owned(), Act::Next),
        (
            format!("play? the? previous|last|preceding {PIECE}"),
            Act::Previous,
        ),
        (
            format!("skip|go|jump back? to? the? previous|last {PIECE}?"),
            Act::Previous,
        ),
        (format!("skip|go|jump back one|a? {PIECE}?"), Act::Previous),
        ("previous".to_owned(), Act::Previous),
    ];
    let found = forms.into_iter().filter_map(|(words, act)| {
        let rest = placed(phrase.strip(&words)?)?;
        Some(media(act, spoken(rest)))
    });
    found.collect()
}

fn muted(phrase: Phrase<'_>) -> Vec<Reading> {
    let off = format!("turn|switch|put off the? {SOUND}");
    let on = format!("turn|switch|put on the? {SOUND}");
    let silent = [
        ("mute", Act::Mute),
        ("silence", Act::Mute),
        ("unmute", Act::Unmute),
        (off.as_str(), Act::Mute),
        (on.as_str(), Act::Unmute),
    ];
    let mut readings: Vec<Reading> = silent
        .into_iter()
        .filter_map(|(words, act)| {
            let rest = phrase.strip(words)?;
            let rest = placed(rest).unwrap_or(rest);
            let rest = rest.strip(&format!("the? {SOUND}")).unwrap_or(rest);
            Some(media(act, spoken(placed(rest).unwrap_or(rest))))
        })
        .collect();
    let turned = format!("turn|switch the? {SOUND}");
    if let Some(rest) = phrase.strip(&turned) {
        for (particle, act) in [("off", Act::Mute), ("on", Act::Unmute)] {
            let target = rest.strip(particle).and_then(placed);
            readings.extend(target.map(|target| media(act, spoken(target))));
        }
    }
    readings
}

/// "Turn the music up", "lower the volume by 10", "louder".
fn louder(phrase: Phrase<'_>) -> Vec<Reading> {
    let (phrase, by) = split_by(phrase);
    let phrase = phrase.without_end("a bit|little|lot");
    let phrase = phrase.without_end("slightly|some");
    let act = |is_up: bool| match is_up {
        true => Act::Louder(by),
        false => Act::Softer(by),
    };
    let mut readings = Vec::new();
    let turned = phrase.strip("turn|crank|bring|put");
    let changed = [
        ("increase|raise|boost", true),
        ("decrease|reduce|lower", false),
    ];
    for (particle, is_up) in [("up", true), ("down", false)] {
        if let Some(rest) = turned.and_then(|rest| rest.strip(particle)) {
            readings.push(media(act(is_up), without_sound(rest)));
        }
        let split = turned.and_then(|rest| {
            let at = rest.position(particle).filter(|at| *at > 0)?;
            let place = rest.from(at + 1);
            let place = if place.is_empty() {
                place
            } else {
                placed(place)?
            };
            Some(around(rest.to(at), place))
        });
        readings.extend(split.map(|words| media(act(is_up), sound_out(words))));
        let bare = phrase
            .strip(&format!("the? {SOUND} {particle}"))
            .and_then(placed);
        readings.extend(bare.map(|rest| media(act(is_up), spoken(rest))));
    }
    for (verbs, is_up) in changed {
        let named = phrase.strip(verbs).filter(|rest| rest.has(SOUND));
        readings.extend(named.map(|rest| media(act(is_up), without_sound(rest))));
    }
    for (words, is_up) in [("louder", true), ("quieter|softer", false)] {
        let made = phrase
            .strip("make|turn")
            .and_then(|rest| rest.strip_end(words));
        let bare = phrase.strip(words).and_then(placed);
        let target = made.or(bare);
        readings.extend(target.map(|target| media(act(is_up), without_sound(target))));
    }
    readings
}

/// Cuts "by 10 percent" off the end.
fn split_by(phrase: Phrase<'_>) -> (Phrase<'_>, Option<f64>) {
    let cut = phrase.position("by").and_then(|at| {
        let amount = amount(phrase.from(at + 1))?;
        (amount.value > 0.0).then_some((phrase.to(at), Some(amount.value)))
    });
    cut.unwrap_or((phrase, None))
}

/// "The volume of the radio" and "the radio volume" are the radio.
fn without_sound(phrase: Phrase<'_>) -> Vec<String> {
    let phrase = phrase.without("the|my|our");
    if let Some(rest) = phrase.strip(SOUND) {
        return spoken(placed(rest).unwrap_or(rest));
    }
    spoken(phrase.without_end(SOUND))
}

fn sound_out(mut words: Vec<String>) -> Vec<String> {
    words.retain(|word| !matches!(word.as_str(), "volume" | "sound" | "audio"));
    words
}
