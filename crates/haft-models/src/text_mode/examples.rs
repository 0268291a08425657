//! Examples of questions and their calls, made from the tools themselves, for small models.
//!
//! A small model copies what it read last. So the tool that is nearest to the question comes last, and
//! the values are ones that the question does not have: a call with such a value is seen to be
//! copied ([`is_example_value`]).

use std::sync::Arc;

use haft_core::{Arguments, Tool};
use serde_json::{Value, json};

use super::signature;
use crate::offered::name_of;

/// The number of examples.
const MOST: usize = 2;

/// Shorter words tell tools and questions apart badly.
const SHORTEST_WORD: usize = 4;

/// Of a longer word so many letters are compared, so that "lights" is "light".
const STEM: usize = 5;

/// Numbers of examples.
const NUMBERS: [i64; 2] = [37, 64];

/// Texts of examples by words of the parameter's name; the last line is for all others.
const TEXTS: [(&[&str], [&str; 2]); 6] = [
    (&["device", "entity"], ["attic lamp", "cellar fan"]),
    (
        &["city", "place", "location", "zone"],
        ["Windhoek", "Paramaribo"],
    ),
    (&["date", "day"], ["2031-05-17", "2033-11-08"]),
    (&["time", "hour"], ["07:40", "23:15"]),
    (&["name", "person", "recipient"], ["Henrietta", "Osvaldo"]),
    (&[], ["purple walrus", "paper lantern"]),
];

/// A question and the call that answers it.
#[derive(Debug)]
pub(super) struct Example<'a> {
    pub(super) question: String,
    pub(super) tool: &'a Arc<dyn Tool>,
    pub(super) arguments: Arguments,
}

/// Examples of the tools that have most words in common with the question, the nearest last.
pub(super) fn nearest<'a>(tools: &'a [Arc<dyn Tool>], question: &str) -> Vec<Example<'a>> {
    let asked = words(question);
    let shared = |tool: &Arc<dyn Tool>| {
        let own = words(&format!("{} {}", name_of(tool), tool.description()));
        asked.iter().filter(|word| own.contains(word)).count()
    };
    let mut ranked: Vec<(usize, &Arc<dyn Tool>)> =
        tools.iter().map(|tool| (shared(tool), tool)).collect();
    // Stable, so that equal tools keep the order of the list.
    ranked.sort_by_key(|(shared, _)| *shared);
    let skipped = ranked.len().saturating_sub(MOST);
    let nearest = ranked.into_iter().skip(skipped);
    nearest.map(|(_, tool)| example(tool, question)).collect()
}

/// True for a value that examples have: a model that calls with it has copied it, unless somebody
/// said it.
#[must_use]
pub fn is_example_value(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let mut texts = TEXTS.iter().flat_map(|(_, texts)| texts);
            texts.any(|known| known.eq_ignore_ascii_case(text.trim()))
        }
        Value::Number(number) => number.as_i64().is_some_and(|n| NUMBERS.contains(&n)),
        Value::Array(items) => items.iter().any(is_example_value),
        _ => false,
    }
}

fn example<'a>(tool: &'a Arc<dyn Tool>, question: &str) -> Example<'a> {
    let arguments = signature::required(tool, |name, schema| value(name, schema, question));
    let mut sentence = name_of(tool).replace(['_', '-', '.'], " ");
    let said: Vec<String> = arguments.values().map(spoken).collect();
    if !said.is_empty() {
        sentence = format!("{sentence}: {}", said.join(", "));
    }
    Example {
        question: sentence,
        tool,
        arguments,
    }
}

/// A value that the question does not have.
fn value(name: &str, schema: &Value, question: &str) -> Value {
    let question = question.to_lowercase();
    let is_new = |text: &str| !question.contains(&text.to_lowercase());
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        let mut other = choices
            .iter()
            .filter_map(Value::as_str)
            .filter(|text| is_new(text));
        return match other.next() {
            Some(choice) => json!(choice),
            None => choices.first().cloned().unwrap_or_default(),
        };
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match kind {
        Some("integer" | "number") => {
            let [one, other] = NUMBERS;
            json!(if is_new(&one.to_string()) { one } else { other })
        }
        Some("boolean") => json!(true),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            json!([value(name, items, &question)])
        }
        Some("object") => json!({}),
        _ => json!(text(name, is_new)),
    }
}

fn text(name: &str, is_new: impl Fn(&str) -> bool) -> &'static str {
    let name = name.to_lowercase();
    let fits = |parts: &[&str]| parts.is_empty() || parts.iter().any(|part| name.contains(part));
    let texts = TEXTS.iter().find(|(parts, _)| fits(parts));
    let [one, other] = texts.map_or(["purple walrus", "paper lantern"], |(_, texts)| *texts);
    if is_new(one) { one } else { other }
}

/// A value as a question says it.
fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(spoken).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// The telling words of a text, without their endings.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let mut stems: Vec<String> = words
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .map(|word| word.chars().take(STEM).collect())
        .collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

#[cfg(test)]
mod tests;
