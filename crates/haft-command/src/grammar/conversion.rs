//! Questions about an amount in another unit: "how many miles are 5 km", "350 fahrenheit in celsius".

use crate::intent::Intent;
use crate::numbers::{number, plain};
use crate::tokens::Phrase;
use crate::units::{Conversion, pair, units};

/// The longest name of a unit in words: "kilometers per hour".
const LONGEST: usize = 3;

pub(super) fn question(phrase: Phrase<'_>) -> Option<Intent> {
    amount_first(phrase)
        .or_else(|| unit_first(phrase))
        .map(Intent::Convert)
}

/// "What is 350 fahrenheit in celsius?", "convert 10 kg to pounds", "5 km is how many miles".
fn amount_first(phrase: Phrase<'_>) -> Option<Conversion> {
    let heads = [
        "what is|are",
        "how much|many|long|far|heavy|hot|cold|warm|tall|high|deep|wide|big|fast is|are",
        "convert|translate|express|calculate",
        "tell|give|show me what? is|are?",
    ];
    let rest = phrase.strip_any(&heads).unwrap_or(phrase);
    (1..rest.len()).find_map(|at| {
        let tail = rest.from(at);
        let to = tail
            .strip("in|into|to|as")
            .or_else(|| tail.strip("is|are|makes|make|equals|equal|= how many|much"))?;
        conversion(rest.to(at), to)
    })
}

/// "How many miles are (there in) 5 km?", "how many cups in a liter".
fn unit_first(phrase: Phrase<'_>) -> Option<Conversion> {
    let rest = phrase
        .strip("how many|much")
        .or_else(|| phrase.strip("what is the? number of"))?;
    (1..=LONGEST.min(rest.len())).rev().find_map(|at| {
        let tail = rest.from(at);
        let amount = [
            "is|are there? in?",
            "in",
            "do|does|can|will i|you|we need|get for|from",
            "make|makes|to|per|equal|equals up?",
            "go|goes|fit|fits in|into|to?",
        ]
        .iter()
        .find_map(|words| tail.strip(words))
        .or_else(|| {
            let has = tail.strip("does|do|has|have")?;
            has.strip_end("have|contain|make|equal")
        })?;
        conversion(amount, rest.to(at))
    })
}

/// The conversion of "5 km" or "5km" into the unit that `to` names.
fn conversion(amount: Phrase<'_>, to: Phrase<'_>) -> Option<Conversion> {
    let to = name(to)?;
    let split = |value: f64, from: &str| {
        let (from, to) = pair(from, &to)?;
        Some(Conversion { value, from, to })
    };
    if amount.len() == 1 {
        let word = amount.at(0);
        let end = word
            .char_indices()
            .find(|(_, c)| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-')))?;
        let (digits, unit) = word.split_at_checked(end.0)?;
        return split(plain(digits)?, unit);
    }
    (1..amount.len()).find_map(|at| {
        let from = name(amount.from(at))?;
        let value = number(amount.to(at).strip_end("of").unwrap_or(amount.to(at)))?;
        split(value, &from)
    })
}

/// The name of a unit, if `phrase` is one.
fn name(phrase: Phrase<'_>) -> Option<String> {
    let phrase = phrase.without("the|a|an");
    let words: Vec<&str> = phrase
        .words()
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    let name = words.join(" ");
    let is_known = words.len() <= LONGEST && units(&name).next().is_some();
    is_known.then_some(name)
}
