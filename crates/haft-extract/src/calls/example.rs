//! Arguments that only show how a call is written: `city="..."`, `<city>`, `{"city": "<city name>"}`.

use haft_core::Arguments;
use haft_schema::match_key;
use memchr::{memchr_iter, memchr2};
use serde_json::Value;

use super::{BoundTool, FoundCall, ToolSet, is_place, read_arguments};
use crate::scan::within;

/// True for a call of a bound tool whose arguments are placeholders.
pub(crate) fn is_example(call: &FoundCall<'_>, tools: &ToolSet) -> bool {
    let is_one = |tool: &BoundTool| {
        let read = read_arguments(&mut call.clone(), Some(tool));
        read.is_ok_and(|read| are_placeholders(&read.value, tool))
    };
    may_hold_placeholders(call.arguments.text())
        && tools.find(&call.name).tool().is_some_and(is_one)
}

/// False for the text of arguments without a bracket, an ellipsis, which JSON may escape, or `YOUR_`.
fn may_hold_placeholders(text: &str) -> bool {
    // In JSON, the first value tells.
    let members = text.strip_prefix("{\"").unwrap_or_default();
    let mut quotes = memchr_iter(b'"', members.as_bytes()).filter_map(|at| members.get(at + 1..));
    let value = quotes.find_map(|after| after.strip_prefix(':'));
    let value = value.unwrap_or_default().trim_start();
    if matches!(value.as_bytes(), [b'"', first, ..] if first.is_ascii_alphanumeric()) {
        return value.starts_with("\"YOUR_");
    }
    // With the first byte of an ellipsis.
    let signs = memchr2(b'<', 0xE2, text.as_bytes());
    signs.is_some()
        || ["...", "\\u", "\"{", "\"["]
            .iter()
            .any(|part| text.contains(part))
}

/// True when every value that the tool requires is a placeholder, or every one where it requires
/// none, and the first one is.
pub(super) fn are_placeholders(arguments: &Arguments, tool: &BoundTool) -> bool {
    // Most calls need no closer look.
    let first = arguments.values().next();
    let first = first.and_then(|value| value.get(0).unwrap_or(value).as_str());
    if !first.is_some_and(|text| text.starts_with(['<', '{', '[', '.', 'Y', '…'])) {
        return false;
    }
    let required = tool.definition.parameters.get("required");
    let required = required.and_then(Value::as_array).map(Vec::as_slice);
    let required = required.unwrap_or_default();
    let is_required = |key: &str| {
        let names = required.iter().filter_map(Value::as_str);
        required.is_empty() || is_place(key) || match_key(key, names).is_some()
    };
    let mut values = arguments.iter().filter(|(key, _)| is_required(key));
    values.clone().next().is_some() && values.all(|(_, value)| is_placeholder(value, tool))
}

/// `...`, `YOUR_CITY`, or the name of a parameter between brackets, with other words or without; a
/// list of these.
fn is_placeholder(value: &Value, tool: &BoundTool) -> bool {
    if let Some(items) = value.as_array().filter(|items| !items.is_empty()) {
        return items.iter().all(|item| is_placeholder(item, tool));
    }
    let text = value.as_str().unwrap_or_default().trim();
    // Elements are text.
    let brackets = [('<', '>'), ('{', '}'), ('[', ']')].into_iter();
    let mut inner = brackets.filter_map(|(open, close)| within(text, open, close));
    let inner = inner.find(|inner| !inner.contains(['<', ':', '"', ',', '(', '=']));
    let Some((inner, schema)) = inner.zip(tool.schema()) else {
        let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let is_yours = text.starts_with("YOUR_") && text.chars().all(is_part);
        return is_yours || matches!(text, "..." | "…");
    };
    let is_name = |name: &str| match_key(name, schema.properties()).is_some();
    is_name(inner) || inner.split([' ', '_', '-', '{', '}']).any(is_name)
}
