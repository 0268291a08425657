//! Numbers as people say them: `40`, `40%`, "forty percent", "half", "21.5 degrees", "the third".

use haft_select::english::one_of;

use super::tokens::Phrase;

/// A number and what it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) value: f64,
    pub(super) unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Percent,
    Degrees,
}

const SMALL: &str = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\
    thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen";
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// The amount that `phrase` is, all of it.
pub(super) fn amount(phrase: Phrase<'_>) -> Option<Amount> {
    let percent = |value| Amount {
        value,
        unit: Unit::Percent,
    };
    for (words, value) in [
        ("a? half brightness|power?", 50.0),
        ("a? quarter brightness?", 25.0),
        ("a|one? third brightness|power?", 33.0),
        ("three quarters", 75.0),
        ("the? full|maximum|max|highest brightness|power?", 100.0),
        ("the? minimum|min|lowest brightness?", 1.0),
    ] {
        if phrase.is(words) {
            return Some(percent(value));
        }
    }
    let (number, unit) = split_unit(phrase);
    let amount = integer(number).map_or_else(
        || decimal(number),
        |value| {
            Some(Amount {
                value: value.into(),
                unit: Unit::None,
            })
        },
    )?;
    let unit = if unit == Unit::None {
        amount.unit
    } else {
        unit
    };
    Some(Amount { unit, ..amount })
}

/// A whole number in digits or words, all of `phrase`: "42", "forty two", "a hundred".
pub(super) fn integer(phrase: Phrase<'_>) -> Option<i32> {
    if phrase.len() == 1 && phrase.at(0).starts_with(|c: char| c.is_ascii_digit()) {
        return phrase.at(0).parse().ok();
    }
    if let Some(rest) = phrase.strip("minus|negative") {
        return integer(rest).map(|value| -value);
    }
    if phrase.is("a|one hundred") {
        return Some(100);
    }
    if phrase.is("a|an") {
        return Some(1);
    }
    let spoken = phrase.words().iter().map(|word| word.lower.as_str());
    let words: Vec<&str> = spoken.flat_map(|word| word.split('-')).collect();
    match words.as_slice() {
        [word] => small(word).or_else(|| tens(word)),
        [ten, unit] => Some(tens(ten)? + small(unit).filter(|unit| (1..10).contains(unit))?),
        _ => None,
    }
}

/// A number that is counted, all of `phrase`: "5", "2.5", "half a", "two and a half", "a dozen".
pub(super) fn number(phrase: Phrase<'_>) -> Option<f64> {
    if phrase.is("half a|an") || phrase.is("a? half") {
        return Some(0.5);
    }
    if phrase.is("a|one quarter of? a?|an?") {
        return Some(0.25);
    }
    if phrase.is("a dozen") {
        return Some(12.0);
    }
    if phrase.is("a|one thousand") {
        return Some(1000.0);
    }
    if phrase.is("a couple of?") {
        return Some(2.0);
    }
    if let Some(whole) = phrase.strip_end("and a half") {
        return Some(number(whole)? + 0.5);
    }
    let digits = (phrase.len() == 1).then(|| plain(phrase.at(0))).flatten();
    if let Some(rest) = phrase.strip("minus|negative") {
        return number(rest).map(|value| -value);
    }
    digits.or_else(|| integer(phrase).map(f64::from))
}

/// A number in digits: "5", "-2.5", "1,000".
pub(super) fn plain(word: &str) -> Option<f64> {
    let digits = word.replace(',', "");
    let is_plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let groups_fit = word.split(',').skip(1).all(|group| group.len() == 3);
    digits
        .parse()
        .ok()
        .filter(|_| is_plain && groups_fit && digits.len() < 13)
}

/// The day of a month that `words` are, all of them: "3rd", "third", "twenty third".
pub(super) fn ordinal(words: &[&str]) -> Option<i8> {
    const NAMES: &str = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\
        eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|\
        nineteenth|twentieth";
    let named = |word: &str| {
        let mut names = NAMES.split('|').zip(1..);
        names.find(|(name, _)| *name == word).map(|(_, day)| day)
    };
    let parts: Vec<&str> = words.iter().flat_map(|word| word.split('-')).collect();
    match parts.as_slice() {
        ["thirtieth"] => Some(30),
        [word] => day_of(word).or_else(|| named(word)),
        ["twenty", unit] => named(unit).filter(|day| *day < 10).map(|day: i8| 20 + day),
        ["thirty", "first"] => Some(31),
        _ => None,
    }
}

fn day_of(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn split_unit(phrase: Phrase<'_>) -> (Phrase<'_>, Unit) {
    let degrees = "degrees|degree|°|°c|°f|c|f celsius|fahrenheit|centigrade|c|f?";
    if let Some(number) = phrase
        .strip_end("percent|%|pct")
        .or(phrase.strip_end("per cent"))
    {
        (number, Unit::Percent)
    } else if let Some(number) = phrase
        .strip_end(degrees)
        .or(phrase.strip_end("celsius|fahrenheit"))
    {
        (number, Unit::Degrees)
    } else {
        (phrase, Unit::None)
    }
}

/// One word such as `21.5`, `40%` or `21°C`.
fn decimal(phrase: Phrase<'_>) -> Option<Amount> {
    if phrase.len() != 1 {
        return None;
    }
    let word = phrase.at(0);
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match word.strip_prefix(digits)? {
        "" => Unit::None,
        "%" => Unit::Percent,
        suffix if one_of(suffix, "°|°c|°f|c|f") => Unit::Degrees,
        _ => return None,
    };
    let is_plain = digits
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let value: f64 = digits
        .parse()
        .ok()
        .filter(|_| is_plain && digits.len() < 9)?;
    Some(Amount { value, unit })
}

fn small(word: &str) -> Option<i32> {
    let mut named = SMALL.split('|').zip(0..);
    named
        .find(|(name, _)| *name == word)
        .map(|(_, value)| value)
}

fn tens(word: &str) -> Option<i32> {
    TENS.iter()
        .zip(2..)
        .find(|(name, _)| **name == word)
        .map(|(_, value)| value * 10)
}

#[cfg(test)]
mod tests;
