//! Describes limits, formats and defaults of a schema in words, for its description.

use serde_json::{Map, Value};

/// The maximum length in bytes of a default, pattern or example in a description.
const MAX_VALUE: usize = 120;

/// Whether [`facts`] describes this keyword, or it means nothing to a model.
pub(super) fn is_fact(key: &str, value: &Value) -> bool {
    match key {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        | "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
        | "maxProperties" | "uniqueItems" | "format" | "pattern" | "default" | "examples"
        | "prefixItems" => true,
        // Neither boolean needs a description.
        "additionalProperties" => value.is_object(),
        _ => false,
    }
}

/// Describes the keywords of `schema`, in a fixed order.
pub(super) fn facts(schema: &Map<String, Value>) -> Vec<String> {
    let number = |key: &str| schema.get(key).filter(|value| value.is_number());
    let mut facts = Vec::new();
    for (key, words) in [
        ("minimum", "at least"),
        ("exclusiveMinimum", "more than"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ] {
        facts.extend(number(key).map(|limit| format!("{words} {limit}")));
    }
    for (key, words, thing) in [
        ("minLength", "at least", "character"),
        ("maxLength", "at most", "character"),
        ("minItems", "at least", "item"),
        ("maxItems", "at most", "item"),
        ("minProperties", "at least", "key"),
        ("maxProperties", "at most", "key"),
    ] {
        facts.extend(number(key).map(|limit| {
            let plural = if limit.as_u64() == Some(1) { "" } else { "s" };
            format!("{words} {limit} {thing}{plural}")
        }));
    }
    if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
        facts.push("no item twice".to_owned());
    }
    facts.extend(schema.get("prefixItems").and_then(positions));
    facts.extend(schema.get("additionalProperties").and_then(values));
    facts.extend(
        text(schema, "format")
            .filter(|name| !is_width(name))
            .map(|name| format!("format {name}")),
    );
    facts.extend(text(schema, "pattern").map(|pattern| format!("matching {pattern}")));
    facts.extend(
        schema
            .get("default")
            .and_then(shown)
            .map(|value| format!("default {value}")),
    );
    let example = schema.get("examples").and_then(|examples| examples.get(0));
    facts.extend(
        example
            .and_then(shown)
            .map(|value| format!("for example {value}")),
    );
    facts
}

/// Appends `facts` to the description of `schema`.
pub(super) fn tell(schema: &mut Map<String, Value>, facts: &[String]) {
    if facts.is_empty() {
        return;
    }
    let facts = facts.join(", ");
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(known) if !known.trim().is_empty() => format!("{} ({facts})", known.trim_end()),
        _ => facts,
    };
    schema.insert("description".to_owned(), description.into());
}

/// Describes one alternative: `"on": Turns the light on`.
pub(super) fn choice(branch: &Value) -> Option<String> {
    let description = branch.get("description")?.as_str()?;
    let values = branch.get("enum")?.as_array()?;
    let values: Vec<_> = values.iter().map(Value::to_string).collect();
    Some(format!("{}: {description}", values.join(", ")))
}

/// Whether a format is a machine number type (`int64`, `uint32`, `double`), which schema generators
/// add and which means nothing to a model.
fn is_width(format: &str) -> bool {
    matches!(format, "float" | "double" | "int" | "uint")
        || format
            .trim_start_matches('u')
            .strip_prefix("int")
            .is_some_and(|bits| bits.parse::<u8>().is_ok())
}

/// Describes an array with a fixed type for each position.
fn positions(items: &Value) -> Option<String> {
    let kinds = items.as_array()?.iter().map(|item| {
        let kind = item.get("type").and_then(Value::as_str);
        kind.unwrap_or("any value")
    });
    Some(format!(
        "in this order: {}",
        kinds.collect::<Vec<_>>().join(", ")
    ))
}

/// Describes an object with arbitrary keys.
fn values(schema: &Value) -> Option<String> {
    let kind = schema.get("type").and_then(Value::as_str)?;
    Some(format!("any keys, each with a value of type {kind}"))
}

fn text<'a>(schema: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    schema
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| text.len() <= MAX_VALUE)
}

fn shown(value: &Value) -> Option<String> {
    let text = value.to_string();
    (!value.is_null() && text.len() <= MAX_VALUE).then_some(text)
}
