//! Numbers in an answer that come from nowhere: those with a unit, and times of day.
//!
//! A number may be rounded, converted or computed from the numbers of question and results; where
//! there are many of those, nothing is judged.

use haft_core::ToolMessage;
use haft_select::english::one_of;
use haft_select::stems;

use crate::text::{numbers, said_numbers, words};

/// From more numbers almost anything can be computed.
const MOST_NUMBERS: usize = 12;

/// With these words a time is not the one of a result.
const COMPUTING: &str = "until|ago|difference|between|ahead|behind|long|later|earlier|before|after|when|\
    yesterday|tomorrow|zone|both|compare";

/// With these words a number is not exact.
const ABOUT: &str = "about|around|nearly|almost|approximately|roughly|over|under|less|more|\
    half|quarter|average|total";

const DAY: u32 = 24 * 60;
const HALF_DAY: u32 = 12 * 60;

/// Time zones differ by whole quarters of an hour.
const QUARTER: u32 = 15;

/// True when a number of the answer is certainly in none of the texts.
pub(super) fn contradict(answer: &str, question: &str, results: &[&ToolMessage]) -> bool {
    if words(answer).iter().any(|word| one_of(word, ABOUT)) {
        return false;
    }
    let texts: Vec<String> = results.iter().map(|result| result.content.text()).collect();
    times_contradict(answer, question, results) || quantities_contradict(answer, question, &texts)
}

fn times_contradict(answer: &str, question: &str, results: &[&ToolMessage]) -> bool {
    let is_computed =
        words(question).iter().any(|word| one_of(word, COMPUTING)) || !numbers(question).is_empty();
    if is_computed {
        return false;
    }
    let mut known = Vec::new();
    let mut known_words = Vec::new();
    for result in results {
        let mut text = result.content.text();
        if let Some(artifact) = &result.artifact {
            text.push(' ');
            text.push_str(&artifact.to_string());
        }
        known.extend(times(&text));
        known_words.extend(stems(&text));
    }
    if known.is_empty() {
        return false;
    }
    // A tool that names the place has reported its local time, and nothing is left to convert.
    let place = stems(question).into_iter().filter(|stem| stem != "time");
    let is_local = place.into_iter().any(|stem| known_words.contains(&stem));
    let is_known = |time: &u32| {
        known.iter().any(|known| {
            time % HALF_DAY == known % HALF_DAY || (!is_local && time % QUARTER == known % QUARTER)
        })
    };
    let said = times(answer);
    !said.is_empty() && !said.iter().any(is_known)
}

/// The times of day in a text, in minutes: `17:14`, `5:14 pm`, `2026-11-25T17:14:09`.
fn times(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let digit = |index: usize| {
        let byte = bytes.get(index).filter(|byte| byte.is_ascii_digit())?;
        Some(u32::from(byte - b'0'))
    };
    let mut found = Vec::new();
    for (index, _) in text.match_indices(':') {
        let minutes = digit(index + 1).zip(digit(index + 2));
        let units = index.checked_sub(1).and_then(digit);
        let (Some((tens, ones)), Some(units)) = (minutes, units) else {
            continue;
        };
        let before = index.checked_sub(2);
        // The seconds of a time, or the minutes of an offset from UTC.
        let is_inner = index
            .checked_sub(3)
            .and_then(|mark| bytes.get(mark))
            .is_some_and(|mark| matches!(mark, b':' | b'+' | b'-'));
        let hours = before.and_then(digit).unwrap_or_default() * 10 + units;
        if is_inner || hours > 23 || tens > 5 {
            continue;
        }
        let after = text.get(index + 3..).unwrap_or_default();
        let after = after.trim_start().to_lowercase();
        let is_afternoon = (after.starts_with("pm") || after.starts_with("p.m")) && hours < 12;
        let hours = if is_afternoon { hours + 12 } else { hours };
        found.push((hours * 60 + tens * 10 + ones) % DAY);
    }
    found
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Celsius,
    Fahrenheit,
    /// Of a scale that is not said.
    Degrees,
    Percent,
}

/// A number with its unit.
#[derive(Clone, Copy, Debug)]
struct Quantity {
    number: f64,
    unit: Unit,
}

fn quantities_contradict(answer: &str, question: &str, results: &[String]) -> bool {
    let said = quantities(answer);
    let mut known = said_numbers(question);
    let mut units = quantities(question);
    for result in results {
        known.extend(numbers(result));
        units.extend(quantities(result));
    }
    known.sort_by(f64::total_cmp);
    known.dedup();
    if known.len() > MOST_NUMBERS {
        return false;
    }
    let is_same_unit = |said: &Quantity| {
        units.is_empty()
            || units.iter().any(|known| {
                known.unit == said.unit
                    || (is_temperature(known.unit) && said.unit == Unit::Degrees)
            })
    };
    said.iter()
        .any(|said| is_same_unit(said) && !is_derived(said.number, &known))
}

fn is_temperature(unit: Unit) -> bool {
    unit != Unit::Percent
}

/// The numbers with a unit in a text.
fn quantities(text: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = rest.get(start..).unwrap_or_default();
        let end = from
            .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
            .unwrap_or(from.len());
        let (number, after) = from.split_at_checked(end).unwrap_or((from, ""));
        let is_negative = rest
            .get(..start)
            .is_some_and(|before| before.ends_with(['-', '−']));
        if let (Some(number), Some(unit)) = (numbers(number).pop(), unit(after)) {
            let number = if is_negative { -number } else { number };
            found.push(Quantity { number, unit });
        }
        rest = after;
    }
    found
}

/// The unit that a text begins with.
fn unit(text: &str) -> Option<Unit> {
    let text = text.trim_start().to_lowercase();
    let is_degree = text.starts_with('°') || text.starts_with("degree");
    let scale = text
        .trim_start_matches('°')
        .trim_start_matches("degrees")
        .trim_start_matches("degree")
        .trim_start();
    let scale: String = scale.chars().take_while(|c| c.is_alphabetic()).collect();
    match scale.as_str() {
        "c" | "celsius" => Some(Unit::Celsius),
        "f" | "fahrenheit" => Some(Unit::Fahrenheit),
        "percent" => Some(Unit::Percent),
        _ if text.starts_with('%') => Some(Unit::Percent),
        _ if is_degree => Some(Unit::Degrees),
        _ => None,
    }
}

/// True when a number is one of these, rounded, converted, or computed from two of them.
fn is_derived(number: f64, known: &[f64]) -> bool {
    let is_near = |value: f64| (value.abs() - number.abs()).abs() <= 0.5 + 1e-9;
    let is_exact = |value: f64| {
        let tolerance = if number.fract() == 0.0 { 0.5 } else { 0.051 };
        (value.abs() - number.abs()).abs() <= tolerance + 1e-9
    };
    let single = known.iter().any(|value| {
        is_exact(*value)
            || is_near(value * 9.0 / 5.0 + 32.0)
            || is_near((value - 32.0) * 5.0 / 9.0)
            || is_exact(value * 100.0)
            || is_exact(value * 100.0 / 255.0)
            || is_exact(100.0 - value)
    });
    let pairs = || {
        known
            .iter()
            .flat_map(|one| known.iter().map(move |two| (*one, *two)))
    };
    let computed = pairs().any(|(one, two)| {
        // A number with itself is computed from nothing else.
        (one - two).abs() > 1e-9
            && [
                one + two,
                one - two,
                one * two,
                one / two,
                one / two * 100.0,
                f64::midpoint(one, two),
            ]
            .into_iter()
            .any(is_exact)
    });
    let sum: f64 = known.iter().sum();
    let count = known.len().max(1) as f64;
    single || computed || is_exact(sum) || is_exact(sum / count)
}
