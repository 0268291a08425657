//! Compares one argument with its accepted values.
//!
//! Types are compared strictly: `"5"` is not 5, 5.0 is not an integer, but an integer is a number.
//! Strings are compared without case, spaces and some punctuation. Lists are ordered. Objects are
//! compared key by key.

use serde_json::{Number, Value};

/// Characters ignored in strings, as in BFCL's `standardize_string`.
const IGNORED: [char; 9] = [' ', ',', '.', '/', '-', '_', '*', '^', '\u{a0}'];

pub(super) fn is_accepted(value: &Value, accepted: &[Value], schema: Option<&Value>) -> bool {
    let is_nothing = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    (accepted.is_empty() && is_nothing(value))
        || accepted.iter().any(|right| fits(value, right, schema))
}

fn fits(value: &Value, right: &Value, schema: Option<&Value>) -> bool {
    match (value, right) {
        (Value::String(value), Value::String(right)) => plain(value) == plain(right),
        (Value::Number(value), Value::Number(right)) => {
            same_number(value, right) && (is_whole(value) || !wants_whole(schema, right))
        }
        (Value::Array(values), Value::Array(rights)) => {
            let items = schema.and_then(|schema| schema.get("items"));
            values.len() == rights.len()
                && values
                    .iter()
                    .zip(rights)
                    .all(|(value, right)| fits(value, right, items))
        }
        (Value::Object(values), Value::Object(rights)) => {
            let property = |key: &str| schema.and_then(|schema| schema.get("properties")?.get(key));
            let known = values.keys().all(|key| rights.contains_key(key));
            known
                && rights
                    .iter()
                    .all(|(key, right)| match (values.get(key), right) {
                        (Some(value), Value::Array(accepted)) => {
                            is_accepted(value, accepted, property(key))
                                || fits(value, right, property(key))
                        }
                        (Some(value), right) => fits(value, right, property(key)),
                        (None, Value::Array(accepted)) => accepted.iter().any(|value| value == ""),
                        (None, _) => false,
                    })
        }
        (value, right) => value == right,
    }
}

/// Normalises a string for comparison.
fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| !IGNORED.contains(c));
    kept.flat_map(char::to_lowercase)
        .map(|c| if c == '\'' { '"' } else { c })
        .collect()
}

fn same_number(a: &Number, b: &Number) -> bool {
    a == b || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a == b)
}

fn is_whole(number: &Number) -> bool {
    number.is_i64()
        || number.is_u64()
        || number
            .to_string()
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'-')
}

/// Whether an integer is expected: by the schema, or without one by the gold answer.
fn wants_whole(schema: Option<&Value>, right: &Number) -> bool {
    match schema.and_then(|schema| schema.get("type")) {
        Some(kind) => kind == "integer",
        None => is_whole(right),
    }
}
