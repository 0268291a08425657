//! Detects whether a query needs a tool that no tool group knows: from the words that both share,
//! and from values in the query that the tool's arguments could take.
//!
//! A linear score over a few features. A false positive costs a request and perhaps an unwanted
//! call, a false negative only leaves the model's text unchanged; so the threshold is high.
//! `examples/tool_need` fits the numbers here and measures them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fields::{Field, Fields, ToolText};
use super::terms::word_hash;
use crate::words::words;

/// The number of features.
pub const SIGNS: usize = 12;

/// The weight of each feature, and the bias: fitted on 1,697 questions of the Berkeley
/// Function-Calling Leaderboard (`ShishirPatil/gorilla`, Apache-2.0).
const WEIGHTS: [f32; SIGNS] = [
    1.46, 2.69, 1.09, -0.99, 0.73, -0.26, 1.65, -1.12, 1.59, 1.39, 1.33, -0.81,
];
const BIAS: f32 = -1.59;

/// The threshold. On held-out questions, 27 of 100 that need a call reach it, and 1.5 of 100 that
/// need none; not every one of those then gets a call.
const DUE: f32 = 4.0;

/// Numbers that are written as words.
const NUMBERS: [&str; 18] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "hundred", "thousand", "million", "half", "first", "dozen",
];

/// The maximum length of a query in bytes: a longer text is not a single request.
const MAX_QUERY: usize = 2048;

/// A query, parsed once for all tools.
#[derive(Debug)]
pub(crate) struct Asked {
    words: BTreeSet<u32>,
    lower: String,
    /// The number of numbers in it.
    numbers: usize,
    /// The number of names, detected by their capitals, and of quoted texts.
    names: usize,
}

impl Asked {
    /// Parses a query; `None` if it is too long.
    pub(crate) fn of(query: &str) -> Option<Self> {
        if query.len() > MAX_QUERY {
            return None;
        }
        let mut found = BTreeSet::new();
        words(query, |word| {
            found.insert(word_hash(word));
        });
        Some(Self {
            words: found,
            lower: query.to_lowercase(),
            numbers: numbers(query),
            names: names(query),
        })
    }

    /// True if the query surely needs the tool.
    pub(crate) fn calls_for(&self, tool: &ToolText<'_>) -> bool {
        self.score(tool) >= DUE
    }

    /// True when the query more likely than not calls for the tool.
    pub(crate) fn may_call_for(&self, tool: &ToolText<'_>) -> bool {
        self.score(tool) >= 0.0
    }

    /// The logarithm of the odds that the query calls for the tool.
    fn score(&self, tool: &ToolText<'_>) -> f32 {
        let signs = self.signs(tool);
        let score: f32 = signs.iter().zip(WEIGHTS).map(|(sign, w)| sign * w).sum();
        score + BIAS
    }

    /// The features of the tool for the query.
    pub(crate) fn signs(&self, tool: &ToolText<'_>) -> [f32; SIGNS] {
        let fields = Fields::of(tool);
        // In `math.factorial` the last part is the action.
        let own = tool.name.rsplit('.').next().unwrap_or(tool.name);
        let mut name = BTreeSet::new();
        words(own, |word| {
            name.insert(word_hash(word));
        });
        let of = |field| fields.words(field).iter().map(|word| word_hash(word));
        let parameters: BTreeSet<u32> = of(Field::ParameterName).collect();
        let all: BTreeSet<u32> = Field::ALL.into_iter().flat_map(of).collect();
        let asked = self.words.len() as f32;
        let common = self.words.intersection(&all).count() as f32;
        let wanted = self.wanted(tool.parameters);
        let yes = |is: bool| f32::from(u8::from(is));
        [
            self.share(&name),
            common.min(8.0) / 8.0,
            common / asked.max(1.0),
            (asked - common) / 10.0,
            self.share(&parameters),
            wanted.covered,
            yes(wanted.any && wanted.covered >= 1.0),
            yes(wanted.number && self.numbers == 0),
            yes(wanted.choice),
            yes(!wanted.any),
            asked.ln_1p(),
            (all.len() as f32).ln_1p(),
        ]
    }

    /// The share of these words that the query contains.
    fn share(&self, words: &BTreeSet<u32>) -> f32 {
        words.intersection(&self.words).count() as f32 / words.len().max(1) as f32
    }

    /// Which required arguments the query seems to contain.
    fn wanted(&self, parameters: &Value) -> Wanted {
        let required = parameters.get("required").and_then(Value::as_array);
        let (mut numbers, mut names) = (self.numbers, self.names);
        let (mut wanted, mut count, mut covered) = (Wanted::default(), 0.0, 0.0);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            count += 1.0;
            let property = parameters.get("properties").and_then(|all| all.get(name));
            let kind = property.and_then(|property| property.get("type")?.as_str());
            let choices = property.and_then(|property| property.get("enum")?.as_array());
            covered += match (choices, kind) {
                (Some(choices), _) => {
                    let is_said = choices.iter().any(|choice| self.says(choice));
                    wanted.choice |= is_said;
                    f32::from(u8::from(is_said))
                }
                (None, Some("integer" | "number")) => {
                    wanted.number = true;
                    taken(&mut numbers)
                }
                (None, Some("string")) if names == 0 && self.mentions(name) => HALF,
                (None, Some("string")) => taken(&mut names),
                (None, Some("array")) => f32::from(u8::from(self.numbers > 1 || self.names > 1)),
                _ => HALF,
            };
        }
        wanted.any = count > 0.0;
        wanted.covered = if wanted.any { covered / count } else { HALF };
        wanted
    }

    /// True if the query contains a choice literally.
    fn says(&self, choice: &Value) -> bool {
        let text = choice.as_str().map(str::to_lowercase);
        text.is_some_and(|text| !text.is_empty() && self.lower.contains(&text))
    }

    fn mentions(&self, name: &str) -> bool {
        let mut is_mentioned = false;
        words(name, |word| {
            is_mentioned |= self.words.contains(&word_hash(word));
        });
        is_mentioned
    }
}

/// A neutral value.
const HALF: f32 = 0.5;

/// The required arguments of a tool, and how many of them a query contains.
#[derive(Debug, Default)]
struct Wanted {
    any: bool,
    /// The share of them, from 0 to 1.
    covered: f32,
    /// A number is required.
    number: bool,
    /// A choice is required, and contained in the query.
    choice: bool,
}

/// Takes one value: returns 1 if one is left, else 0.
fn taken(left: &mut usize) -> f32 {
    match left.checked_sub(1) {
        Some(rest) => {
            *left = rest;
            1.0
        }
        None => 0.0,
    }
}

fn numbers(query: &str) -> usize {
    let parts = query.split(|c: char| !c.is_alphanumeric() && c != '.' && c != ',');
    let is_number = |part: &&str| {
        part.contains(|c: char| c.is_ascii_digit())
            || NUMBERS.contains(&part.to_lowercase().as_str())
    };
    parts.filter(is_number).count()
}

/// The number of capitalised words inside sentences, and of quoted texts.
fn names(query: &str) -> usize {
    let mut begins = true;
    let mut count = query.matches('"').count() / 2;
    for word in query.split_whitespace() {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        count += usize::from(!begins && bare.starts_with(char::is_uppercase) && bare != "I");
        begins = word.ends_with(['.', '?', '!', ':']);
    }
    count
}

#[cfg(test)]
mod tests;
