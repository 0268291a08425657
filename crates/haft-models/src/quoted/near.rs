//! Detects a call in a text in any notation: the name of the tool, surrounded only by values, names
//! of parameters and words that are part of notations.
//!
//! The extractor supports the notations of models. A page may use another one, which a model
//! converts into its own when it repeats the call: `reboot_server --now`, `{"do": ...}`, a table.

use std::collections::HashSet;
use std::ops::Range;

use haft_core::Arguments;
use serde_json::Value;

use super::order::{RUN, RUN_SIGNS};
use super::text::{Words, is_one_of, letters};

/// Words that are part of notations, and those that connect a tool and its values in a sentence.
const FILLER: &[&str] = &[
    "a|action|an|and|arg|args|argument|arguments|array|as|at|bool|boolean|call|calls|false|\
     fn|for|func|function|functions|id|in|input|integer|invoke|is|item|json|key|kwargs|\
     message|name|null|number|object|of|on|output|param|parameter|parameters|params|request|\
     set|str|string|the|to|tool|tools|true|type|use|value|values|via|with|xml",
];

/// Words before the name of a tool that turn it into a call.
const CALLING: &[&str] = &[
    "call", "execute", "function", "invoke", "output", "print", "run", "tool", "trigger", "use",
];

/// The maximum number of values that are searched for. With
/// [`MAX_LETTERS`](super::text::MAX_LETTERS) this bounds the work for each word of a text.
const MAX_VALUES: usize = 32;

/// Characters between the words of one name.
const JOINTS: [char; 5] = ['_', '-', '.', ':', '/'];

/// The call to search for.
#[derive(Debug)]
pub(super) struct Sought {
    /// The name reduced to letters and digits.
    name: String,
    /// Whether the name is a single word, which may also occur in a sentence.
    is_plain_word: bool,
    /// The normalised argument values that can be searched for: strings and numbers.
    values: Vec<String>,
    /// The words that may be next to the name: those of the values and of the names of parameters.
    own: HashSet<String>,
    /// Whether the name alone is a call, in a sentence that asks for it.
    by_name: bool,
    /// Whether the name may be written as words, in a sentence that asks for it.
    by_word: bool,
}

/// How a call must be written to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Name and values next to each other are enough.
    Any,
    /// The name is followed by a bracket, or is in quotes or a tag, because users mention tools in
    /// sentences, too ("How is the weather in Oslo? Use get_weather.").
    CallLike,
}

impl Sought {
    /// A call of the tool with this name. `keys` are the names of its parameters; `by_name` says
    /// whether a bare name may be its call.
    pub(super) fn new<'k>(
        name: &str,
        arguments: &Arguments,
        keys: impl IntoIterator<Item = &'k str>,
        by_name: bool,
    ) -> Self {
        let mut values = Vec::new();
        arguments.values().for_each(|value| add(value, &mut values));
        let has_parts = Words::of(name).len() > 1 || name.contains(char::is_uppercase);
        let words = |text: &str| {
            let words = Words::of(text);
            let words = words.texts().map(str::to_owned);
            words.chain([letters(text)]).collect::<Vec<_>>()
        };
        let own = keys.into_iter().flat_map(words);
        let own = own.chain(arguments.keys().flat_map(|key| words(key)));
        let own = own.chain(values.iter().flat_map(|value| words(value)));
        Self {
            name: letters(name),
            is_plain_word: !has_parts,
            by_name: by_name && values.is_empty(),
            by_word: by_name,
            own: own.collect(),
            values: values
                .iter()
                .map(|value| letters(value))
                .filter(|value| !value.is_empty())
                .take(MAX_VALUES)
                .collect(),
        }
    }

    /// The values, reduced to letters and digits.
    pub(super) fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether the text contains the call. Linear: from each occurrence of the name the search ends
    /// at the next one.
    pub(super) fn stands_in(&self, text: &Words, notation: Notation) -> bool {
        let is_free = notation == Notation::Any && !self.is_plain_word;
        (0..text.len()).any(|place| {
            self.named(text, place).is_some_and(|end| {
                let is_call = if self.values.is_empty() {
                    self.by_name && notation == Notation::Any && is_asked_for(text, place..end)
                } else {
                    is_free || is_call_like(text, place, end)
                };
                is_call && self.has_values_beside(text, place, end)
            })
        })
    }

    /// The end of the name that begins at this index.
    fn named(&self, text: &Words, place: usize) -> Option<usize> {
        let end = place + text.spelled(place, &self.name)?;
        let is_one = (place + 1..end).all(|part| is_joint(text.before(part)));
        // "Call the tool delete file" names it in words.
        let is_told = || {
            let mut gaps = (place + 1..end).map(|part| text.before(part));
            self.by_word
                && gaps.all(|gap| gap == " " || is_joint(gap))
                && is_asked_for(text, place..end)
        };
        let goes_on = end < text.len() && matches!(text.before(end), "_" | "-");
        ((is_one || is_told()) && !goes_on).then_some(end)
    }

    /// Whether all values are next to the name, without other words in between.
    fn has_values_beside(&self, text: &Words, place: usize, end: usize) -> bool {
        let mut missing: Vec<&str> = self.values.iter().map(String::as_str).collect();
        self.take(
            text,
            (end..text.len()).take_while(|at| self.goes_on(text, *at)),
            &mut missing,
        );
        self.take(
            text,
            (0..place).rev().take_while(|at| self.goes_on(text, *at)),
            &mut missing,
        );
        missing.is_empty()
    }

    /// Removes the values at these indexes from `missing`.
    fn take(&self, text: &Words, places: impl Iterator<Item = usize>, missing: &mut Vec<&str>) {
        for place in places {
            missing.retain(|value| text.spelled(place, value).is_none());
            if missing.is_empty() {
                return;
            }
        }
    }

    /// Whether a call may contain the word at this index.
    fn goes_on(&self, text: &Words, place: usize) -> bool {
        let Some(word) = text.word(place) else {
            return false;
        };
        self.own.contains(word) || is_one_of(word, FILLER)
    }
}

/// Whether the characters between two words join them into one name, possibly across a line end.
fn is_joint(between: &str) -> bool {
    let signs = between.trim();
    let is_cut = between.contains('\n') && signs.contains('_');
    signs.chars().all(|sign| JOINTS.contains(&sign)) && (signs.len() == between.len() || is_cut)
}

/// True if a word that asks for the call, in any supported language, is next to the name at `name`.
fn is_asked_for(text: &Words, name: Range<usize>) -> bool {
    let before: Vec<&str> = words_at(text, name.start.saturating_sub(3)..name.start);
    let behind = words_at(text, name.end..name.end + 3);
    let signs = before.concat() + &behind.concat();
    let mut near = before.iter().rev().take(2);
    near.any(|word| CALLING.contains(word))
        || before.iter().any(|word| is_one_of(word, RUN))
        || RUN_SIGNS.iter().any(|sign| signs.contains(sign))
}

fn words_at(text: &Words, places: Range<usize>) -> Vec<&str> {
    places.filter_map(|place| text.word(place)).collect()
}

/// Whether a word is written like the name of a call: in quotes or a tag, or before a bracket.
fn is_call_like(text: &Words, place: usize, end: usize) -> bool {
    let (before, behind) = (text.before(place), text.before(end));
    let opened = before.trim_end().chars().next_back();
    let next = behind.trim_start().chars().next();
    let is_quote = |sign: Option<char>| matches!(sign, Some('"' | '\'' | '`' | '>' | '<' | '='));
    matches!(next, Some('(' | '{' | '['))
        || is_quote(opened) && matches!(next, Some('"' | '\'' | '`' | '>' | '<'))
        || place > 0
            && opened.is_some_and(|sign| matches!(sign, ':' | '='))
            && text
                .word(place - 1)
                .is_some_and(|word| is_one_of(word, FILLER))
}

fn add(value: &Value, values: &mut Vec<String>) {
    match value {
        Value::String(text) => values.push(text.clone()),
        Value::Number(number) => values.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| add(item, values)),
        Value::Object(members) => members.values().for_each(|member| add(member, values)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests;
