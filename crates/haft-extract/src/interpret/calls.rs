//! Calls in a value: in lists, in texts, and in objects that may stand in other ones.

use haft_core::Arguments;
use serde_json::Value;

use super::objects::{
    is_choice, is_definition, is_record, keyed_calls, named_call, nested_calls, written_inside,
};
use super::{Call, ToolSet, is_arguments_key, is_name_like, split, value};
use crate::{calls::with_places, limits, scan::closed};

/// Under which keys lists of calls stand.
const LISTS: &str = "tool_calls tool_uses toolCalls function_calls functions tools calls actions";

/// Under which keys one call stands.
const SINGLES: &str = "function function_call tool_call tool_use call tool";

/// The calls in a value; nothing when it holds anything else.
pub(super) fn calls_in(value: Value, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    match value {
        _ if depth > limits::NESTING => None,
        Value::Object(map) => calls_in_object(map, tools, depth),
        Value::Array(items) => calls_in_list(items, tools, depth),
        Value::String(text) => calls_in_text(&text, tools, depth),
        _ => None,
    }
}

pub(super) fn calls_in_list(items: Vec<Value>, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    // A pair of a name and its arguments, or a run of such pairs.
    let is_name = |value: &Value| value.as_str().is_some_and(|name| tools.binds(name));
    let is_pair = |pair: &[Value]| matches!(pair, [name, Value::Object(_)] if is_name(name));
    let mut calls = Vec::new();
    if !items.is_empty() && !tools.is_any() && items.chunks(2).all(is_pair) {
        let mut items = items.into_iter();
        while let (Some(Value::String(name)), Some(arguments)) = (items.next(), items.next()) {
            calls.push(Call { name, arguments });
        }
        return Some(calls);
    }
    if let [Value::String(name), rest @ ..] = items.as_slice()
        && tools.definition(name).is_some()
    {
        // `['f', 'a=1', 'b="x"']`.
        let parts: Option<Vec<&str>> = rest.iter().map(Value::as_str).collect();
        let parts = parts.filter(|parts| !parts.iter().any(|part| tools.binds(part)))?;
        let text = parts.join(", ");
        let read = value::read_parenthesized(&text, false).ok()?;
        // `["search", "web"]` is a list of words.
        if rest.is_empty() || !read.value.positional.is_empty() {
            return None;
        }
        let arguments = Value::Object(with_places(read.value));
        let name = name.clone();
        return Some(vec![Call { name, arguments }]);
    }
    let (mut bound, mut unknown) = (false, false);
    for item in items {
        if let Some(call) = unknown_call(&item, tools) {
            unknown = true;
            calls.push(call);
            continue;
        }
        let found = calls_in(item, tools, depth + 1)?;
        bound |= !found.is_empty();
        calls.extend(found);
    }
    (bound || !unknown).then_some(calls)
}

/// A call of a tool that is not bound, among others that are: it is answered with an error.
pub(super) fn unknown_call(item: &Value, tools: &ToolSet) -> Option<Call> {
    let map = item.as_object()?;
    // OpenAI's form has both in an object of their own, the arguments as text.
    let inner = map.get("function").and_then(Value::as_object);
    let map = inner.unwrap_or(map);
    let are_arguments = |value: &Value| {
        let is_text = |text: &str| text.trim_start().starts_with('{');
        value.is_object() || value.as_str().is_some_and(is_text)
    };
    let mut members = map.iter();
    let has_arguments = members.any(|(key, value)| is_arguments_key(key) && are_arguments(value));
    let is_call = map.len() <= 4 && has_arguments && !is_definition(map);
    let call = is_call.then(|| split(Value::Object(map.clone())))??;
    let is_name = !call.name.is_empty() && is_name_like(&call.name) && !call.name.contains(' ');
    let is_unknown = is_name && !tools.is_any() && !tools.binds(&call.name);
    is_unknown.then_some(call)
}

/// A text that is a call: `"f(a=1)"`, or an object that is one.
fn calls_in_text(text: &str, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    let mut text = text.trim();
    let mut calls = Vec::new();
    if text.starts_with('{') {
        return calls_in(serde_json::from_str(text).ok()?, tools, depth + 1);
    }
    while !text.is_empty() {
        let (name, rest) = text.split_at(text.find('(')?);
        let name = name.trim();
        tools.definition(name)?;
        let end = closed(rest)?;
        let read = value::read_parenthesized(rest.get(1..end - 1)?, false).ok()?;
        let (name, arguments) = (name.to_owned(), Value::Object(with_places(read.value)));
        calls.push(Call { name, arguments });
        text = rest.get(end..)?.trim_start_matches([' ', ',', ';', '\n']);
    }
    Some(calls)
}

fn calls_in_object(mut map: Arguments, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    if is_definition(&map) || is_choice(&map) || is_record(&map) {
        return None;
    }
    let is_list = |key: &&str| matches!(map.get(*key), Some(Value::Array(_)));
    let is_single =
        |key: &&str| matches!(map.get(*key), Some(Value::Object(_))) && !tools.binds_exactly(key);
    let list = LISTS.split(' ').find(is_list);
    let key = list.or_else(|| SINGLES.split(' ').find(is_single));
    let inner = key.and_then(|key| map.remove(key));
    if let Some(inner) = inner.or_else(|| written_inside(&map)) {
        return calls_in(inner, tools, depth + 1);
    }
    let named = named_call(&map, tools).map(|call| vec![call]);
    let found = named.or_else(|| nested_calls(&map, tools, depth));
    found.or_else(|| keyed_calls(map, tools))
}
