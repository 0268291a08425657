//! A tool in one line: `get_weather(city: string, unit?: "C" | "F") - Current weather in a city`.

use std::sync::Arc;

use haft_core::{Arguments, Tool};
use serde_json::{Map, Value, json};

use super::{Detail, json_line};
use crate::offered::name_of;
use crate::ollama::schema::for_ollama;
use crate::template_tokens::{without_template_tokens, without_tokens_in};

/// How deep nested shapes are shown; small models lose track earlier.
const MAX_DEPTH: usize = 3;

/// Choices and parameters that are shown; the rest is an ellipsis.
const MAX_SHOWN: usize = 24;

/// Characters of the description of a tool, and of one parameter.
const MAX_DESCRIPTION: usize = 300;
const MAX_PARAMETER: usize = 120;

/// The line of a tool. A brief one has the first sentence of the description, and tells of
/// parameters only what their names do not.
pub(super) fn line(tool: &Arc<dyn Tool>, detail: Detail) -> String {
    let schema = parameters(tool);
    let members = members(&schema, MAX_DEPTH);
    let mut line = format!("- {}({})", name_of(tool), members.join(", "));
    let description = match detail {
        Detail::Full => one_line(tool.description(), MAX_DESCRIPTION),
        Detail::Brief => first_sentence(tool.description()),
    };
    if !description.is_empty() {
        line.push_str(" - ");
        line.push_str(&description);
    }
    let is_told = |name: &str| detail == Detail::Full || is_required(&schema, name);
    for (name, property) in properties(&schema).filter(|(name, _)| is_told(name)) {
        let told = property.get("description").and_then(Value::as_str);
        let told = match detail {
            Detail::Full => one_line(told.unwrap_or_default(), MAX_PARAMETER),
            Detail::Brief if property.get("enum").is_some() => String::new(),
            Detail::Brief => first_sentence(told.unwrap_or_default()),
        };
        if !told.is_empty() {
            line.push_str(&format!("; {name}: {told}"));
        }
    }
    // The whole line, as its pieces could make a token together.
    without_template_tokens(&line).into_owned()
}

/// Arguments for an example: those that are required, else the first.
pub(super) fn example(tool: &Arc<dyn Tool>) -> Arguments {
    let schema = parameters(tool);
    let mut arguments = sample_members(&schema, MAX_DEPTH);
    if arguments.is_empty()
        && let Some((name, property)) = properties(&schema).next()
    {
        arguments.insert(name.clone(), sample(name, property, MAX_DEPTH));
    }
    arguments
}

/// The schema without references, `allOf` and limits, which go into the descriptions.
fn parameters(tool: &Arc<dyn Tool>) -> Value {
    without_tokens_in(for_ollama(tool.schema()))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|known| known == name))
}

fn members(schema: &Value, depth: usize) -> Vec<String> {
    let member = |(name, property): (&String, &Value)| {
        let mark = if is_required(schema, name) { "" } else { "?" };
        format!("{name}{mark}: {}", shape(property, depth))
    };
    let mut members: Vec<_> = properties(schema).take(MAX_SHOWN).map(member).collect();
    if properties(schema).count() > MAX_SHOWN {
        members.push("...".to_owned());
    }
    members
}

/// What a value looks like.
fn shape(schema: &Value, depth: usize) -> String {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(choices) = list("enum") {
        let mut shown: Vec<_> = choices.iter().take(MAX_SHOWN).map(json_line).collect();
        if choices.len() > MAX_SHOWN {
            shown.push("...".to_owned());
        }
        return shown.join(" | ");
    }
    if let Some(branches) = list("anyOf") {
        let mut shapes: Vec<_> = branches.iter().map(|one| shape(one, depth)).collect();
        shapes.dedup();
        return shapes.join(" | ");
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ if schema.get("properties").is_some() => vec!["object"],
        _ if schema.get("items").is_some() => vec!["array"],
        _ => return "any".to_owned(),
    };
    let shapes = kinds.into_iter().map(|kind| match kind {
        "object" => object(schema, depth),
        "array" => array(schema, depth),
        other => other.to_owned(),
    });
    shapes.collect::<Vec<_>>().join(" | ")
}

fn object(schema: &Value, depth: usize) -> String {
    match depth.checked_sub(1) {
        Some(depth) if properties(schema).next().is_some() => {
            format!("{{{}}}", members(schema, depth).join(", "))
        }
        _ => "object".to_owned(),
    }
}

fn array(schema: &Value, depth: usize) -> String {
    match (depth.checked_sub(1), schema.get("items")) {
        (Some(depth), Some(items)) => match shape(items, depth) {
            choice if choice.contains(" | ") => format!("({choice})[]"),
            one => format!("{one}[]"),
        },
        _ => "array".to_owned(),
    }
}

fn sample_members(schema: &Value, depth: usize) -> Map<String, Value> {
    let required = properties(schema).filter(|(name, _)| is_required(schema, name));
    required
        .map(|(name, property)| (name.clone(), sample(name, property, depth)))
        .collect()
}

/// A value for the parameter `name`: one that its schema names, else a placeholder.
fn sample(name: &str, schema: &Value, depth: usize) -> Value {
    let first = |key: &str| schema.get(key).and_then(Value::as_array)?.first().cloned();
    if let Some(value) = first("enum").or_else(|| first("examples")) {
        return value;
    }
    if let Some(branch) = first("anyOf") {
        return sample(name, &branch, depth);
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match (kind, depth.checked_sub(1)) {
        (Some("integer" | "number"), _) => json!(1),
        (Some("boolean"), _) => json!(true),
        (Some("null"), _) => Value::Null,
        (Some("array"), Some(depth)) => match schema.get("items") {
            Some(items) => json!([sample(name, items, depth)]),
            None => json!([]),
        },
        (Some("object"), Some(depth)) => Value::Object(sample_members(schema, depth)),
        (Some("object"), None) => json!({}),
        (Some("array"), None) => json!([]),
        _ => Value::String(format!("<{name}>")),
    }
}

/// The first sentence of a text, without its point.
fn first_sentence(text: &str) -> String {
    let line = one_line(text, MAX_DESCRIPTION);
    let sentence = line.split(". ").next().unwrap_or_default();
    let short = one_line(sentence, MAX_PARAMETER);
    short.trim_end_matches('.').to_owned()
}

/// The beginning of a text, on one line.
fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most).collect();
    cut.push('…');
    cut
}
