//! Fills the parameters of a tool from the words of a question.
//!
//! The result is a schema in which each parameter allows only what the question says: the choices
//! of an enum that it names, its numbers, dates, quotations and names. A model that answers by
//! this schema cannot invent an argument.

use serde_json::{Map, Value, json};

mod phrases;

pub(super) use self::phrases::is_named;
use self::phrases::{codes, dates, names, numbers, says};

/// What the question gives for a tool.
#[derive(Debug, PartialEq)]
pub(super) enum Filled {
    /// The tool's schema, narrowed to the values in the question.
    Schema(Value),
    /// The question has no value for this required parameter.
    Missing(String),
}

/// Narrows a tool's schema to what the question says.
pub(super) fn fill(question: &str, schema: &Value) -> Filled {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut narrowed = Map::new();
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.contains(&name.as_str());
        let values = if is_required {
            required_values(question, name, property)
        } else {
            optional_values(question, property)
        };
        if !values.is_empty() {
            narrowed.insert(name.clone(), json!({ "enum": values }));
        } else if is_required {
            return Filled::Missing(name.clone());
        }
    }
    // A value that the question contains belongs in the call, also where it is optional.
    let required: Vec<&String> = narrowed.keys().collect();
    Filled::Schema(json!({
        "type": "object",
        "required": required,
        "properties": narrowed,
        "additionalProperties": false,
    }))
}

/// The values that a required parameter may have.
fn required_values(question: &str, name: &str, property: &Value) -> Vec<Value> {
    if let Some(constant) = property.get("const") {
        return vec![constant.clone()];
    }
    if let Some(choices) = choices(property) {
        return said(question, choices);
    }
    match kind(property) {
        Some("integer" | "number") => fitting_numbers(question, property),
        Some("boolean") => vec![json!(true), json!(false)],
        Some("string") => strings(question, name, property)
            .into_iter()
            .map(Value::String)
            .collect(),
        _ => Vec::new(),
    }
}

/// The values that an optional parameter may have: only choices that the question names, because
/// most numbers and names are meant for the required parameters.
fn optional_values(question: &str, property: &Value) -> Vec<Value> {
    choices(property).map_or_else(Vec::new, |choices| said(question, choices))
}

fn choices(property: &Value) -> Option<&Vec<Value>> {
    property.get("enum")?.as_array()
}

/// The type, without `null` beside it.
fn kind(property: &Value) -> Option<&str> {
    match property.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null"),
        _ => None,
    }
}

fn said(question: &str, choices: &[Value]) -> Vec<Value> {
    let is_said = |choice: &&Value| choice.as_str().is_some_and(|text| says(question, text));
    choices.iter().filter(is_said).cloned().collect()
}

fn fitting_numbers(question: &str, property: &Value) -> Vec<Value> {
    let limit = |name: &str| property.get(name).and_then(Value::as_f64);
    let (low, high) = (limit("minimum"), limit("maximum"));
    let fits = |number: &f64| {
        low.is_none_or(|low| *number >= low) && high.is_none_or(|high| *number <= high)
    };
    let is_whole = kind(property) == Some("integer");
    numbers(question)
        .into_iter()
        .filter(fits)
        .filter_map(|number| {
            if number.fract() == 0.0 {
                Some(json!(number as i64))
            } else {
                (!is_whole).then(|| json!(number))
            }
        })
        .collect()
}

/// Texts for a string parameter.
fn strings(question: &str, name: &str, property: &Value) -> Vec<String> {
    let format = property.get("format").and_then(Value::as_str);
    let name = name.to_lowercase();
    if matches!(format, Some("date" | "date-time")) || name.contains("date") {
        return dates(question);
    }
    let is_free_text = [
        "query", "question", "search", "text", "prompt", "message", "input",
    ]
    .iter()
    .any(|word| name.contains(word));
    let is_code = ["number", "code", "id", "zip"]
        .iter()
        .any(|word| name.contains(word));
    let codes = codes(question);
    if is_code && !codes.is_empty() {
        return codes;
    }
    let found = names(question);
    if found.is_empty() && is_free_text {
        return vec![question.trim().to_owned()];
    }
    found
}

#[cfg(test)]
mod tests;
