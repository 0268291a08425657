//! Commands that set something to a value: "set the blinds to 30 %", "kitchen light 40 percent",
//! "turn the volume down to 20", "heat the bedroom to 21", "make the lamp red".

use super::{Reading, spoken};
use crate::assist::act::{Act, Level, Measure};
use crate::numbers::{Amount, Unit, amount};
use crate::tokens::Phrase;

const SET: &str = "set|change|adjust|turn|put|move|bring|make|lower|raise|reduce|increase|decrease|\
    get|drop|crank|take|switch|run";
const LIGHT: &str = "dim|brighten|darken|lighten";
const COVER: &str = "open|close|shut";
const WARM: &str = "heat|cool|warm";
/// The longest value, "to about twenty one degrees celsius", has six words.
const LONGEST_VALUE: usize = 7;
/// Names of colours that Home Assistant knows, of those that people say.
const COLORS: &str = "red|green|blue|yellow|orange|purple|pink|white|cyan|magenta|turquoise|violet|\
    lavender|teal|gold|lime|indigo|salmon|crimson|coral|aqua|maroon|navy|olive|beige|ivory|khaki|\
    plum|orchid|tan|tomato|fuchsia";
/// Whites, in kelvin.
const WHITES: [(&str, f64); 4] = [
    ("warm white|light?", 2_700.0),
    ("soft white", 3_000.0),
    ("cool|neutral white", 4_000.0),
    ("cold white|daylight?", 6_500.0),
];

pub(super) fn readings(phrase: Phrase<'_>) -> Vec<Reading> {
    let mut readings = valued(phrase);
    readings.extend(value_first(phrase));
    readings.extend(colored(phrase));
    readings
}

/// A value, of what it is, and what stands before it.
struct Valued<'a> {
    before: Phrase<'a>,
    value: Amount,
    of: Measure,
    introduced: Option<Introduction>,
}

/// The word before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Introduction {
    To,
    At,
}

fn valued(phrase: Phrase<'_>) -> Vec<Reading> {
    let wish = phrase.strip("i|we want|need|would like? to? have?");
    let phrase = wish.unwrap_or(phrase);
    let first = phrase.len().saturating_sub(LONGEST_VALUE).max(1);
    let found = (first..phrase.len()).find_map(|start| value(phrase, start));
    let Some(Valued {
        before,
        value,
        of,
        introduced,
    }) = found
    else {
        return Vec::new();
    };
    let verbs = [
        (SET, Measure::Any),
        (LIGHT, Measure::Brightness),
        (COVER, Measure::Position),
        (WARM, Measure::Temperature),
    ];
    let verb = verbs
        .iter()
        .find_map(|(verbs, of)| Some((before.strip(verbs)?, *of)));

    let (target, by_verb) = verb.unwrap_or((before, Measure::Any));
    let target = target.without("up|down|on");
    let target = target.without_end("up|down|on");
    let (target, by_word) = measured(target);
    // "Open blind 2" has a number that is no value, and "turn on the lamp at 7" has a time.
    let is_value = match introduced {
        _ if value.unit != Unit::None => true,
        Some(Introduction::To) => true,
        Some(Introduction::At) => before.starts("set"),
        None => by_word != Measure::Any,
    };
    if !is_value {
        return Vec::new();
    }
    let mut measures = [of, by_word, by_verb].into_iter();
    let of = measures.find(|of| *of != Measure::Any);
    let level = Level {
        value: value.value,
        unit: value.unit,
        of: of.unwrap_or(Measure::Any),
    };
    vec![Reading::new(Act::Level(level), target)]
}

/// "Set 40 percent brightness on the desk lamp", "half volume on the radio".
fn value_first(phrase: Phrase<'_>) -> Vec<Reading> {
    let wish = phrase.strip("i|we want|need|would like? it to be");
    let it = wish.or_else(|| phrase.strip("make|set|get it"));
    let rest = it.or_else(|| phrase.strip("set|put|use|give"));
    let rest = rest.unwrap_or(phrase);
    let rest = rest.without("the|a|to");
    let cut = (1..rest.len().min(LONGEST_VALUE)).find_map(|at| {
        let value = value_or_measure(rest.to(at))?;
        let target = super::placed(rest.from(at)).filter(|target| !target.is_empty())?;
        Some(Reading::of(Act::Level(value), target))
    });
    cut.into_iter().collect()
}

/// "40 percent brightness", "volume 30", all of `phrase`.
fn value_or_measure(phrase: Phrase<'_>) -> Option<Level> {
    let measures = [
        ("brightness", Measure::Brightness),
        ("volume", Measure::Volume),
        ("speed", Measure::Speed),
    ];
    let named = measures
        .iter()
        .find_map(|(word, of)| Some((phrase.strip(word)?, *of)));
    let (rest, named) = named.unwrap_or((phrase, Measure::Any));
    let said = value(rest, 0)?;
    let is_plain = named != Measure::Any || said.value.unit != Unit::None;
    let of = if named == Measure::Any {
        said.of
    } else {
        named
    };
    is_plain.then_some(Level {
        value: said.value.value,
        unit: said.value.unit,
        of,
    })
}

/// The value that begins at word `start` and ends `phrase`.
fn value(phrase: Phrase<'_>, start: usize) -> Option<Valued<'_>> {
    let tail = phrase.from(start);
    let introduced = match tail.at(0) {
        "to" => Some(Introduction::To),
        "at" => Some(Introduction::At),
        _ => None,
    };
    let said = tail.strip("to|at about|around|roughly|exactly?");
    let said = said.unwrap_or(tail);
    let units = [
        ("brightness|bright", Measure::Brightness),
        ("volume|loud", Measure::Volume),
        ("speed", Measure::Speed),
        ("open", Measure::Position),
    ];
    let with_unit = units
        .iter()
        .find_map(|(unit, of)| Some((said.strip_end(unit)?, *of)));
    let (said, of) = with_unit.unwrap_or((said, Measure::Any));
    let percent = |value| Amount {
        value,
        unit: Unit::Percent,
    };
    let speeds = [("low", 33.0), ("medium", 66.0), ("high", 100.0)];
    let speed = speeds.iter().find(|(word, _)| said.is(word));
    let (value, of) = if let Some((_, value)) = speed {
        (percent(*value), Measure::Speed)
    } else if said.is("halfway|midway") || said.is("half way?") {
        (percent(50.0), of)
    } else {
        (amount(said).filter(|_| !said.is("a|an|one"))?, of)
    };
    Some(Valued {
        before: phrase.to(start),
        value,
        of,
        introduced,
    })
}

/// Takes the word for what is measured from the target: "volume of the radio", "radio volume".
fn measured(target: Phrase<'_>) -> (Vec<String>, Measure) {
    let words = [
        ("brightness|intensity", Measure::Brightness),
        ("volume|sound", Measure::Volume),
        ("temperature|temp|heat|heating", Measure::Temperature),
        ("speed", Measure::Speed),
        ("position", Measure::Position),
        ("level", Measure::Any),
    ];
    let target = target.without("the|my|our");
    for (word, of) in words {
        let named = target.strip(&format!("target? {word}"));
        if let Some(rest) = named {
            // "the temperature in the bedroom", "the volume to ..."
            let rest = if rest.is_empty() {
                Some(rest)
            } else {
                super::placed(rest).map(|rest| rest.without("the|my|our"))
            };
            if let Some(rest) = rest {
                return (spoken(rest), of);
            }
        }
        if let Some(rest) = target.strip_end(word).filter(|rest| !rest.is_empty()) {
            let rest = rest.without_end("target");
            return (spoken(rest), of);
        }
    }
    (spoken(target), Measure::Any)
}

/// "Make the lamp red", "set the colour of the lamp to warm white".
fn colored(phrase: Phrase<'_>) -> Vec<Reading> {
    let Some(rest) = phrase.strip("make|turn|set|change|switch|put|paint|color|colour") else {
        return Vec::new();
    };
    let whites = WHITES
        .iter()
        .find_map(|(words, kelvin)| Some((rest.strip_end(words)?, Act::Kelvin(*kelvin))));
    let kelvin = || {
        let count = rest.strip_end("kelvin|k")?;
        let number: f64 = count.last().parse().ok()?;
        Some((count.to(count.len() - 1), Act::Kelvin(number)))
    };
    let color = || {
        let before = rest.strip_end(COLORS)?;
        Some((before, Act::Color(rest.last().to_owned())))
    };
    let Some((target, act)) = whites.or_else(kelvin).or_else(color) else {
        return Vec::new();
    };
    let target = target.without_end("to");
    let target = target.without("the? color|colour of");
    let target = target.without_end("color|colour");
    vec![Reading::of(act, target)]
}
