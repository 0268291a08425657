//! A call that only shows how one is written: `get_weather(city="...")`, `get_weather(<city>)`,
//! `{"name": "get_weather", "arguments": {"city": "<city>"}}`.

use haft_schema::match_key;
use serde_json::Value;

use crate::ToolSet;
use crate::calls;
use crate::reader::line::beginning;
use crate::reading::{Found, Reading};
use crate::tool_set::{BoundTool, Named};

/// True when the calls are all of that kind.
pub(super) fn are_examples(readings: &[Reading<'_>], tools: &ToolSet) -> bool {
    let mut calls = readings.iter().filter_map(|reading| match reading {
        Reading::Call(found) => Some(found),
        _ => None,
    });
    calls.next().is_some_and(|found| is_example(found, tools))
        && calls.all(|found| is_example(found, tools))
}

/// True when the first of these arguments looks as if something was to be put in its place. Most
/// calls need no closer look.
pub(super) fn begins_as_example(arguments: &str) -> bool {
    let near = beginning(arguments);
    let value = near.split_once([':', '=']).map_or(near, |(_, value)| value);
    let value = value.trim_start_matches(['{', ' ', '\n', '"', '\'']);
    value.starts_with(['<', '…']) || value.starts_with("...")
}

/// True when every value that the tool requires is a placeholder, or every one where it requires
/// none.
fn is_example(found: &Found<'_>, tools: &ToolSet) -> bool {
    if !begins_as_example(found.arguments.text()) {
        return false;
    }
    let Named::Bound(tool) = tools.find(&found.name) else {
        return false;
    };
    let Ok(read) = calls::as_written(&mut found.clone(), tool) else {
        return false;
    };
    let required = tool.definition.parameters.get("required");
    let required = required.and_then(Value::as_array).map(Vec::as_slice);
    let required = required.unwrap_or_default();
    let is_wanted = |(key, _): &(&String, &Value)| {
        let mut names = required.iter().filter_map(Value::as_str);
        required.is_empty() || is_place(key) || names.any(|name| same_name(key, name))
    };
    let mut values = read.iter().filter(is_wanted).map(|(_, value)| value);
    values
        .next()
        .is_some_and(|value| is_placeholder(value, tool))
        && values.all(|value| is_placeholder(value, tool))
}

fn same_name(key: &str, name: &str) -> bool {
    match_key(key, std::iter::once(name)).is_some()
}

/// True for the name of an argument that was written without one.
fn is_place(key: &str) -> bool {
    let place = key.strip_prefix("arg");
    place.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `...`, or the name of a parameter between brackets, with other words or without.
fn is_placeholder(value: &Value, tool: &BoundTool) -> bool {
    let Some(text) = value.as_str().map(str::trim) else {
        return false;
    };
    let inner = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    let Some((inner, schema)) = inner.zip(tool.schema()) else {
        return matches!(text, "..." | "…");
    };
    let is_name = |name: &str| match_key(name, schema.properties()).is_some();
    is_name(inner) || inner.split([' ', '_', '-']).any(is_name)
}
