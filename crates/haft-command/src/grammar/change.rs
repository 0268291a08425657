//! Commands that change a level or a temperature from where it is: "make it brighter", "turn the
//! heating down by two degrees". Commands that name the new level stand in `device.rs`.

use haft_select::english::one_of;

use super::device::{CLIMATE, NO_DEVICES};
use super::later::later;
use super::nouns::{has_device_noun, has_room};
use super::target::{in_room, targets};
use crate::intent::{Action, DeviceKind, Intent, Target};
use crate::numbers::{Amount, Unit, amount, number};
use crate::tokens::Phrase;

/// Percent by which "brighter" is brighter.
const STEP: f64 = 20.0;
/// Degrees by which "warmer" is warmer.
const DEGREES: f64 = 1.0;

const UP: &str = "brighten|lighten|raise|increase";
const DOWN: &str = "dim|lower|reduce|decrease|darken";
const BRIGHTER: &str = "brighter|lighter";
const DARKER: &str = "darker|dimmer";
const WARMER: &str = "warmer|hotter";
const COOLER: &str = "cooler|colder";
/// What is raised and lowered as a whole.
const COVERS: &str = "blind|blinds|curtain|curtains|shutter|shutters|shade|shades|gate|garage";

/// A wish for more or less of something.
#[derive(Clone, Copy)]
struct Change<'a> {
    /// What is to change.
    devices: Phrase<'a>,
    /// Where, with its preposition, if it follows the comparative: "brighter in the kitchen".
    room: Phrase<'a>,
    /// 1 for more, -1 for less.
    sign: f64,
    /// How many steps; "a bit" is half of one.
    steps: f64,
    /// How much, where it stands before the comparative: "two degrees warmer".
    by: Option<Amount>,
    /// Whether it is surely about warmth.
    is_warmth: bool,
}

pub(super) fn command(phrase: Phrase<'_>) -> Option<Intent> {
    if phrase.has(NO_DEVICES) && !phrase.has(CLIMATE) {
        return None;
    }
    let (phrase, by) = split_by(phrase);
    if by.is_some_and(|by| by.value < 0.0) {
        // "Up by minus 20" is not plainly one or the other.
        return None;
    }
    let (phrase, by) = match by {
        None => split_degrees(phrase),
        Some(_) => (phrase, by),
    };
    let (phrase, steps) = split_manner(phrase);
    let change = by_comparative(phrase).or_else(|| by_verb(phrase))?;
    let steps = change.steps * steps;
    let rest = change.devices;
    if let Some(at) = later(rest) {
        return command(phrase.to(at + 1)).map(|_| Intent::Later);
    }
    let is_pronoun = rest.is_empty() || rest.is("it|them|that|this|things|everything");
    let is_device = is_pronoun || has_device_noun(rest) || has_room(rest) || rest.has(CLIMATE);
    if !is_device || rest.has("to|not") {
        return None;
    }
    if rest.has(COVERS) {
        let is_up = change.sign > 0.0;
        let action = if is_up { Action::Open } else { Action::Close };
        return Some(Intent::Control {
            action,
            targets: targets(rest),
        });
    }
    let by = by.or(change.by);
    let degrees = by.is_some_and(|by| by.unit == Unit::Degrees);
    let is_warmth = change.is_warmth || degrees || rest.has(CLIMATE);
    let action = if is_warmth {
        // Half a degree is more than many thermostats can be set to.
        let degrees = by.map_or((DEGREES * steps).max(DEGREES), |by| by.value);
        Action::Warmer(change.sign * degrees)
    } else {
        Action::Brighter(change.sign * by.map_or(STEP * steps, |by| by.value))
    };
    Some(Intent::Control {
        action,
        targets: meant(rest, change.room, is_warmth),
    })
}

/// Cuts "by 20 percent" off the end.
fn split_by(phrase: Phrase<'_>) -> (Phrase<'_>, Option<Amount>) {
    let cut = phrase.position("by").and_then(|at| {
        let by = phrase.from(at + 1);
        let degrees = || trailing_degrees(by).filter(|(rest, _)| rest.is_empty());
        let amount = amount(by).or_else(|| Some(degrees()?.1))?;
        Some((phrase.to(at), Some(amount)))
    });
    cut.unwrap_or((phrase, None))
}

/// Cuts "two degrees" off the end of "turn the heat up two degrees".
fn split_degrees(phrase: Phrase<'_>) -> (Phrase<'_>, Option<Amount>) {
    match trailing_degrees(phrase) {
        // "Lower the temperature to 18 degrees" names the new one.
        Some((rest, by)) if !rest.has("to|at|of") && by_verb(rest).is_some() => (rest, Some(by)),
        _ => (phrase, None),
    }
}

/// A number of degrees at the end, and what stands before it; the longest number wins.
fn trailing_degrees(phrase: Phrase<'_>) -> Option<(Phrase<'_>, Amount)> {
    let value = phrase.strip_end("degrees|degree")?;
    (0..value.len()).find_map(|at| {
        let amount = Amount {
            value: number(value.from(at)).filter(|value| *value > 0.0)?,
            unit: Unit::Degrees,
        };
        Some((value.to(at), amount))
    })
}

/// Cuts "a bit" or "a lot" off the end; gives how many steps that is.
fn split_manner(phrase: Phrase<'_>) -> (Phrase<'_>, f64) {
    let slightly = [
        "just? a? bit|little|tad|touch|smidge more?",
        "slightly|somewhat",
    ];
    let much = ["a? lot|whole more?", "much|considerably more?"];
    let cut = |words: &[&str]| words.iter().find_map(|words| phrase.strip_end(words));
    if let Some(rest) = cut(&slightly) {
        (rest, 0.5)
    } else if let Some(rest) = cut(&much) {
        (rest, 2.0)
    } else {
        (phrase.without_end("some? more"), 1.0)
    }
}

/// "Make the lamp a bit brighter", "brighter in the kitchen".
fn by_comparative(phrase: Phrase<'_>) -> Option<Change<'_>> {
    let at = (0..phrase.len()).find(|at| {
        [BRIGHTER, DARKER, WARMER, COOLER]
            .iter()
            .any(|words| one_of(phrase.at(*at), words))
    })?;
    let word = phrase.at(at);
    let room = phrase.from(at + 1);
    if !(room.is_empty() || room.starts("in|at|here|inside|upstairs|downstairs")) {
        return None;
    }
    let (before, by) = match trailing_degrees(phrase.to(at)) {
        Some((before, by)) => (before, Some(by)),
        None => (phrase.to(at), None),
    };
    let wish = before
        .strip("make|get|turn|set")
        .or_else(|| before.strip("i|we want|need"))
        .or_else(|| before.strip("i|we would like"));
    let rest = match wish {
        Some(rest) => rest,
        None if before.is_empty() => before,
        None => return None,
    };
    let (devices, steps) = split_manner(rest);
    Some(Change {
        devices,
        room,
        sign: if one_of(word, BRIGHTER) || one_of(word, WARMER) {
            1.0
        } else {
            -1.0
        },
        steps,
        by,
        is_warmth: one_of(word, WARMER) || one_of(word, COOLER),
    })
}

/// "Brighten the lamp", "turn down the heating", "turn the lamp up".
fn by_verb(phrase: Phrase<'_>) -> Option<Change<'_>> {
    let (devices, sign) = turned_up_or_down(phrase).or_else(|| {
        let raised = phrase.strip(UP).map(|rest| (rest, 1.0));
        let (rest, sign) = raised.or_else(|| phrase.strip(DOWN).map(|rest| (rest, -1.0)))?;
        Some((rest.without("up|down"), sign))
    })?;
    Some(Change {
        devices,
        room: phrase.to(0),
        sign,
        steps: 1.0,
        by: None,
        is_warmth: false,
    })
}

/// The devices of "turn up the lamp" or "turn the lamp down", and the sign of the change.
fn turned_up_or_down(phrase: Phrase<'_>) -> Option<(Phrase<'_>, f64)> {
    let rest = phrase.strip("turn|put|bring|crank|take|bump|nudge")?;
    let signs = [("up", 1.0), ("down", -1.0)];
    let at_start = signs
        .iter()
        .find_map(|(word, sign)| Some((rest.strip(word)?, *sign)));
    let at_end = || {
        let mut signs = signs.iter();
        signs.find_map(|(word, sign)| Some((rest.strip_end(word)?, *sign)))
    };
    at_start.or_else(at_end)
}

/// What is to change: a name, the lights of a room, or the thermostat where warmth is meant.
fn meant(rest: Phrase<'_>, place: Phrase<'_>, is_warmth: bool) -> Vec<Target> {
    let is_pronoun = rest.is_empty() || rest.is("it|them|that|this|things");
    let beside = place;
    let place = place.without("in|at? the|my?|here").text();
    let bare = rest
        .strip("the? brightness|level|temperature|intensity of|in|on|for|at?")
        .or_else(|| rest.strip_end("brightness|level|temperature|intensity"))
        .unwrap_or(rest);
    if is_warmth {
        let is_plain = is_pronoun
            || bare.is_empty()
            || bare.is("the? heat|heating")
            || bare.is("the|my|our? whole? house|home|flat|apartment|place");
        return match (is_plain, place.is_empty()) {
            (true, true) => vec![Target::Named("thermostat".to_owned())],
            (true, false) => vec![Target::Named(format!("{place} thermostat"))],
            (false, _) => in_room(bare, beside),
        };
    }
    let lights = |room: String| vec![Target::all(DeviceKind::Light, vec![room])];
    if is_pronoun && !place.is_empty() {
        return lights(place);
    }
    // "The bedroom" is its lights; "the room" could be any.
    let room = bare.without("the|my|our");
    if has_room(room) && !has_device_noun(room) && !room.is("room") {
        return lights(room.text());
    }
    in_room(bare, beside)
}
