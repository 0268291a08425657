//! Whether the values of a call are in what was said.

use haft_select::english::one_of;
use haft_select::stems;
use serde_json::Value;

use super::Said;
use super::direction::OPPOSITES;
use crate::text::{letters, numbers, words, words_of_name};

/// Values of up to so many words must be said whole, longer ones for the most part.
const SHORT: usize = 3;

/// Letters of a value that may be written together or apart, such as "livingroom".
const JOINED: usize = 7;

/// Words this long may differ by one letter.
const LONG_WORD: usize = 5;

/// Choices that people say in other words.
const OTHER_WORDS: [(&str, &str); 4] = [
    (
        "dim",
        "brightness|bright|brighter|darker|percent|level|dimmed",
    ),
    ("set", "set|to"),
    ("heat", "heat|heating|warm|warmer"),
    ("cool", "cool|cooling|cold|colder|cooler"),
];

/// Words from which a date or a time follows.
const TIME_WORDS: &str = "now|today|tomorrow|tonight|yesterday|morning|noon|midnight|evening|week|month|\
    year|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|last|current|currently";

impl Said {
    /// True when a value of this parameter is said, known, or the default.
    pub(super) fn has_value(&self, name: &str, value: &Value, schema: &Value) -> bool {
        if schema.get("default") == Some(value) || schema.get("const") == Some(value) {
            return true;
        }
        match value {
            Value::Null | Value::Bool(_) => true,
            Value::Number(number) => number
                .as_f64()
                .is_some_and(|number| self.has_number(number)),
            Value::String(text) => {
                let is_choice = schema.get("enum").is_some();
                // Which unit is meant people leave to the machine.
                (is_choice && letters(name).contains("unit")) || self.has_text(text)
            }
            Value::Array(items) => {
                let schema = schema.get("items").unwrap_or(&Value::Null);
                items.iter().all(|item| self.has_value(name, item, schema))
            }
            Value::Object(fields) => fields.iter().all(|(name, value)| {
                let schema = schema.get("properties").and_then(|all| all.get(name));
                self.has_value(name, value, schema.unwrap_or(&Value::Null))
            }),
        }
    }

    fn has_number(&self, number: f64) -> bool {
        let is_near = |said: f64| (said - number).abs() < 1e-6;
        // A level may be asked for in percent and set as a share or a byte.
        let is_level = |said: f64| is_near(said / 100.0) || is_near((said * 255.0 / 100.0).round());
        let mut said = self.numbers.iter().copied();
        said.any(|said| is_near(said) || is_level(said))
            || (is_near_zero(number) && self.says("off"))
            || ((number - 100.0).abs() < 1e-6 && self.says("on|fully|max|completely|maximal"))
    }

    fn has_text(&self, text: &str) -> bool {
        let wanted = letters(text);
        if wanted.is_empty() {
            return text.trim().is_empty();
        }
        if wanted.len() >= JOINED && self.letters.contains(&wanted) {
            return true;
        }
        // Of `Africa/Nairobi` only the last part is said.
        let text = text.rsplit('/').next().unwrap_or(text);
        if !text.contains(char::is_alphabetic) || is_timestamp(text) {
            return self.says(TIME_WORDS)
                || numbers(text)
                    .iter()
                    .all(|number| self.numbers.contains(number));
        }
        let own = stems(text);
        if own.is_empty() {
            let own = words_of_name(text);
            return own
                .iter()
                .all(|word| self.says(word) || self.says_alike(word));
        }
        let said = own.iter().filter(|stem| self.has_stem(stem)).count();
        let is_said = if own.len() <= SHORT {
            said == own.len()
        } else {
            said * 3 >= own.len() * 2
        };
        is_said || (own.len() == 1 && words(text).iter().any(|word| self.says_alike(word)))
    }

    fn has_stem(&self, stem: &str) -> bool {
        let is_alike = |said: &String| {
            said == stem || (stem.len() >= LONG_WORD && strsim::levenshtein(said, stem) <= 1)
        };
        self.stems.iter().any(is_alike)
    }

    /// True when the question has one of these words.
    fn says(&self, choices: &str) -> bool {
        self.words.iter().any(|word| one_of(word, choices))
    }

    /// True when the question says a choice in other words.
    fn says_alike(&self, choice: &str) -> bool {
        let other = OTHER_WORDS.iter().find(|(known, _)| *known == choice);
        let sides = OPPOSITES.iter().flat_map(|(one, other)| [*one, *other]);
        let mut sides = sides.filter(|side| one_of(choice, side));
        other.is_some_and(|(_, words)| self.says(words)) || sides.any(|side| self.says(side))
    }
}

fn is_near_zero(number: f64) -> bool {
    number.abs() < 1e-6
}

/// `2026-11-25T17:14:00Z` and the like.
fn is_timestamp(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let others = text.chars().filter(|c| c.is_alphabetic()).count();
    digits >= 4 && others <= 2
}
