//! Interprets mistakes in a tool's schema.
//!
//! Schemas of tools contain type names of other languages (`float`, `dict`, `STRING`), `required:
//! true` inside a parameter, or a type name in place of a parameter's schema. A single mistake
//! would make the whole schema unusable, so it is interpreted or left out: the repaired schema is
//! never stricter than the original.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::compiled::document::refused_at;
use crate::path::unescape;

/// The maximum number of passes. Each pass repairs all mistakes that it finds, but only one
/// pattern.
const PASSES: usize = 16;

/// Keywords whose members are schemas.
const HOLDERS: [&str; 7] = [
    "properties",
    "anyOf",
    "oneOf",
    "allOf",
    "prefixItems",
    "$defs",
    "definitions",
];

/// Keywords whose value is a schema.
const HELD: [&str; 3] = ["items", "additionalProperties", "not"];

/// `schema` without its mistakes; `None` if that is impossible.
pub(crate) fn as_meant(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    for _ in 0..PASSES {
        let wrong = wrong_places(&schema);
        if wrong.is_empty() {
            return Some(schema);
        }
        for pointer in &wrong {
            repair(&mut schema, pointer)?;
        }
    }
    None
}

/// `schema` with `null` added where OpenAPI's `nullable` allows it; `None` if that is nowhere.
pub(crate) fn with_null(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    add_null(&mut schema).then_some(schema)
}

/// Adds `null` to `schema` and its subschemas; returns false if none is nullable.
fn add_null(schema: &mut Value) -> bool {
    let Some(map) = schema.as_object_mut() else {
        return false;
    };
    let mut is_marked = map.get("nullable") == Some(&Value::Bool(true));
    if is_marked {
        for (keyword, nothing) in [
            ("type", json!("null")),
            ("enum", Value::Null),
            ("anyOf", json!({"type": "null"})),
            ("oneOf", json!({"type": "null"})),
        ] {
            match map.get_mut(keyword) {
                Some(Value::Array(items)) if !items.contains(&nothing) => items.push(nothing),
                Some(Value::String(word)) => {
                    let word = std::mem::take(word);
                    map.insert(keyword.to_owned(), json!([word, nothing]));
                }
                _ => {}
            }
        }
    }
    for (keyword, value) in map {
        match value {
            value if HELD.contains(&keyword.as_str()) => is_marked |= add_null(value),
            Value::Object(members) if HOLDERS.contains(&keyword.as_str()) => {
                members
                    .values_mut()
                    .for_each(|part| is_marked |= add_null(part));
            }
            Value::Array(parts) if HOLDERS.contains(&keyword.as_str()) => {
                parts
                    .iter_mut()
                    .for_each(|part| is_marked |= add_null(part));
            }
            _ => {}
        }
    }
    is_marked
}

/// The JSON pointers to the mistakes in `schema`.
fn wrong_places(schema: &Value) -> BTreeSet<String> {
    let validator = jsonschema::draft202012::meta::validator();
    let errors = validator.iter_errors(schema);
    let places = errors.map(|error| error.instance_path().as_str().to_owned());
    let places: BTreeSet<_> = places.collect();
    if places.is_empty() {
        // Such as a pattern in the syntax of another language.
        return refused_at(schema).into_iter().collect();
    }
    places
}

/// Interprets the value at `pointer`, or removes it; `None` if it is the root.
fn repair(schema: &mut Value, pointer: &str) -> Option<()> {
    let (parent, name) = pointer.rsplit_once('/')?;
    let meant = schema.pointer(pointer).and_then(|value| match name {
        // `"properties": {"city": "string"}`: the parameter must be kept, whatever its schema is.
        _ if is_schema(pointer) => {
            Some(types(value).map_or(json!(true), |types| json!({"type": types})))
        }
        "type" => types(value),
        _ => None,
    });
    if let Some(meant) = meant {
        *schema.pointer_mut(pointer)? = meant;
    } else if let Some(map) = schema.pointer_mut(parent).and_then(Value::as_object_mut) {
        map.remove(&unescape(name));
    } else if schema.pointer(parent).is_some_and(Value::is_array) {
        // Removing an item of a list such as `required` would change the meaning of the list.
        repair(schema, parent)?;
    }
    Some(())
}

/// True if `pointer` refers to a schema, not to the value of a keyword.
fn is_schema(pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    while let Some(keyword) = steps.next() {
        let is_held = HELD.contains(&keyword);
        if !(is_held || HOLDERS.contains(&keyword) && steps.next().is_some()) {
            return false;
        }
    }
    true
}

/// The types that `value` names, if all names are known.
fn types(value: &Value) -> Option<Value> {
    match value {
        Value::String(word) => type_of(word).map(Value::from),
        Value::Array(words) => {
            let words = words
                .iter()
                .map(|word| type_of(word.as_str()?))
                .collect::<Option<BTreeSet<_>>>()?;
            (!words.is_empty()).then(|| words.into_iter().collect())
        }
        _ => None,
    }
}

/// The JSON Schema type for a type name of another language.
fn type_of(word: &str) -> Option<&'static str> {
    let word = word.trim().to_ascii_lowercase();
    if word.ends_with("[]") {
        return Some("array");
    }
    // `list[str]`, `array<string>`
    let bare = word.split(['[', '<']).next().unwrap_or_default().trim();
    Some(match without_width(bare) {
        "string" | "str" | "text" | "char" | "varchar" => "string",
        "integer" | "int" | "uint" | "long" | "short" | "bigint" => "integer",
        "number" | "float" | "double" | "decimal" | "numeric" | "real" => "number",
        "boolean" | "bool" => "boolean",
        "array" | "list" | "tuple" | "set" => "array",
        "object" | "dict" | "dictionary" | "map" | "hash" | "struct" => "object",
        "null" | "none" | "nil" | "nonetype" => "null",
        _ => return None,
    })
}

/// `uint` for `uint32`; a word without a width is unchanged.
fn without_width(word: &str) -> &str {
    ["8", "16", "32", "64", "128"]
        .iter()
        .filter_map(|width| word.strip_suffix(width))
        .find(|word| matches!(*word, "int" | "uint" | "float"))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests;
