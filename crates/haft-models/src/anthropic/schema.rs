//! Rewrites the schema of structured output into the subset that the API enforces.
//!
//! Output is constrained by `output_config.format`, supported by every model since Claude Sonnet
//! 4.5, and not by a tool whose arguments are the answer: this works together with thinking and
//! real tools, and the answer streams as text. The API refuses schemas with limits on numbers,
//! strings and arrays, and open objects (docs.anthropic.com, "Structured outputs", "JSON Schema
//! limitations"). Such constraints move to the description, where the model still reads them.

use serde_json::{Map, Value};

/// The maximum depth of a schema. The API refuses recursive and much less deep schemas anyway.
const MAX_DEPTH: usize = 64;

/// Keywords that are sent unchanged.
const KEPT: [&str; 9] = [
    "$ref",
    "const",
    "default",
    "description",
    "enum",
    "pattern",
    "required",
    "title",
    "type",
];

/// Keywords that are dropped without a note in the description.
const SILENT: [&str; 5] = [
    "$comment",
    "$id",
    "$schema",
    "additionalProperties",
    "examples",
];

/// The `format` values that the API supports.
const FORMATS: [&str; 10] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "time",
    "uri",
    "uuid",
];

/// Rewrites `schema` without the keywords that the API refuses.
pub(super) fn strict(schema: &Value) -> Value {
    rewrite(schema, 0)
}

fn rewrite(schema: &Value, depth: usize) -> Value {
    let Value::Object(schema) = schema else {
        return schema.clone();
    };
    if depth > MAX_DEPTH {
        return Value::Object(Map::new());
    }
    let each = |value: &Value| match value {
        Value::Array(schemas) => schemas.iter().map(|one| rewrite(one, depth + 1)).collect(),
        other => rewrite(other, depth + 1),
    };
    let mut strict = Map::new();
    let mut unsupported = Map::new();
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            (keyword, _) if KEPT.contains(&keyword) => {
                strict.insert(keyword.to_owned(), value.clone());
            }
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                let named = named.iter();
                let named = named.map(|(name, one)| (name.clone(), rewrite(one, depth + 1)));
                strict.insert(keyword.clone(), Value::Object(named.collect()));
            }
            ("anyOf" | "oneOf", _) => {
                strict.insert("anyOf".to_owned(), each(value));
            }
            ("allOf" | "items", _) => {
                strict.insert(keyword.clone(), each(value));
            }
            ("format", Value::String(format)) if FORMATS.contains(&format.as_str()) => {
                strict.insert(keyword.clone(), value.clone());
            }
            (keyword, _) if SILENT.contains(&keyword) => {}
            _ => {
                unsupported.insert(keyword.clone(), value.clone());
            }
        }
    }
    if strict.contains_key("properties") || is_object(schema) && !schema.contains_key("anyOf") {
        strict.insert("additionalProperties".to_owned(), Value::Bool(false));
    } else if is_object(schema) {
        // The alternatives are closed objects themselves; closing their parent would exclude their
        // properties.
        strict.shift_remove("type");
    }
    if !unsupported.is_empty() {
        tell(&mut strict, &Value::Object(unsupported));
    }
    Value::Object(strict)
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// Appends unsupported constraints to the description, as JSON.
fn tell(schema: &mut Map<String, Value>, facts: &Value) {
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} {facts}"),
        None => facts.to_string(),
    };
    schema.insert("description".to_owned(), description.into());
}

#[cfg(test)]
mod tests;
