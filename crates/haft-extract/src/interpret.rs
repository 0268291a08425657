//! What an object or a list means as calls: under which keys the name and the arguments stand.
//!
//! The shapes are those that models write and servers expect: `{"name", "arguments"}` under many
//! names of its keys, OpenAI's `tool_calls`, `{"N": {...}}`, pairs of a name and an object, texts
//! that hold a call. What does not name a bound tool is no call.

mod answer;
mod arrows;
mod beside;
mod definition;
mod nested;
mod plain;

use haft_schema::Repair;
use serde_json::{Map, Value};

use crate::arguments::value::{self, Read};
use crate::calls::with_places;
use crate::machine::raw_call::{RawCall, Written};
use crate::scan::balance::{Balance, Stop, is_arguments_key, is_name_key};
use crate::{Format, ToolSet};
pub(crate) use answer::is_unknown;
use answer::written_inside;
pub(crate) use arrows::arrows;
pub(crate) use beside::{arguments_with, is_argument};
use definition::{is_choice, is_definition};

/// How deep calls are looked for in lists and wrappers.
const MAX_NESTING: usize = 4;

/// Under which keys lists of calls stand.
const LISTS: &str = "tool_calls tool_uses toolCalls function_calls functions tools calls actions";

/// Under which keys one call stands.
const SINGLES: &str = "function function_call tool_call tool_use call tool";

/// A call and its arguments.
struct Call {
    name: String,
    arguments: Value,
}

/// The calls in an object, if it is one that holds nothing else.
pub(crate) fn object(text: &str, cut: bool, tools: &ToolSet) -> Option<Vec<RawCall<'static>>> {
    if let Some(call) = plain::call(text, tools) {
        return Some(vec![call]);
    }
    let (mut values, repairs) = read_all(text, cut)?;
    let calls = match values.len() {
        1 => calls_in(values.pop()?, tools, 0)?,
        // As in a list, some may be of no bound tool.
        _ => calls_in_list(values, tools, 0)?,
    };
    readings(calls, Format::BareJson, cut, repairs)
}

/// The calls in a list, if it holds nothing else.
pub(crate) fn list(text: &str, cut: bool, tools: &ToolSet) -> Option<Vec<RawCall<'static>>> {
    let inner = text.trim_start_matches(['[', '(', ' ', '\n', '\r', '\t']);
    if !inner.starts_with(['{', '"', '\'', '[', '(']) {
        return None;
    }
    let (values, repairs) = read_all(text, cut)?;
    let mut calls = Vec::new();
    for value in values {
        calls.extend(calls_in(value, tools, 0)?);
    }
    readings(calls, Format::Xlam, cut, repairs)
}

/// What was meant as a call by its marker, though no bound tool is named.
pub(crate) fn meant(text: &str, cut: bool) -> Option<Vec<RawCall<'static>>> {
    let Some((values, repairs)) = read_all(text, cut) else {
        return broken(text, is_name_like);
    };
    let Some(Value::Object(map)) = values.into_iter().next() else {
        return None;
    };
    let (name, arguments) = split(map)?;
    if name.trim().is_empty() || !is_name_like(&name) {
        return broken(text, is_name_like);
    }
    readings(vec![Call { name, arguments }], Format::Hermes, cut, repairs)
}

/// The same for a list.
pub(crate) fn meant_list(text: &str, cut: bool) -> Option<Vec<RawCall<'static>>> {
    let Some((values, _)) = read_all(text, cut) else {
        return broken(text, is_name_like);
    };
    let mut calls = Vec::new();
    for value in values {
        let items = match value {
            Value::Array(items) => items,
            value => vec![value],
        };
        for item in items {
            let Value::Object(map) = item else {
                return None;
            };
            let (name, arguments) = split(map)?;
            calls.push(Call { name, arguments });
        }
    }
    readings(calls, Format::CohereR, cut, Vec::new())
}

/// A call that cannot be read but names a tool.
pub(crate) fn broken(text: &str, is_tool: impl Fn(&str) -> bool) -> Option<Vec<RawCall<'static>>> {
    let name = name_in(text, &is_tool).or_else(|| first_key(text).filter(|name| is_tool(name)))?;
    let why = "cannot be read, or is cut off";
    let arguments = Written::Unreadable(text.to_owned().into(), why);
    Some(vec![RawCall::new(name, arguments, Format::Hermes)])
}

/// The first key of an object, where it is followed by another object: the name of a tool.
fn first_key(text: &str) -> Option<String> {
    let inner = text.trim_start_matches(['[', '{', ' ', '\n', '\r', '\t']);
    let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let key = inner.get(1..)?;
    let (key, after) = key.split_at(key.find(quote)?);
    let value = after.get(1..)?.trim_start().strip_prefix(':')?;
    let is_name = is_name_like(key) && !is_name_key(key) && !is_arguments_key(key);
    (is_name && value.trim_start().starts_with('{')).then(|| key.to_owned())
}

/// Every value in `text`, one after the other.
fn read_all(text: &str, cut: bool) -> Option<(Vec<Value>, Vec<Repair>)> {
    let mut values = Vec::new();
    let mut repairs = Vec::new();
    let mut rest = text.trim();
    if rest.starts_with('"') || rest.starts_with('\'') {
        let wrapped = format!("{{{rest}}}");
        let read = value::read_value(&wrapped, cut).ok()?;
        return Some((vec![read.value], read.repairs));
    }
    while !rest.is_empty() {
        let (
            Read {
                value,
                repairs: more,
            },
            taken,
        ) = value::read_value_prefix(rest, cut).ok()?;
        values.push(value);
        repairs.extend(more);
        let after = rest.get(taken..)?;
        rest = after
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '}' | ']'));
    }
    (!values.is_empty()).then_some((values, repairs))
}

fn readings(
    calls: Vec<Call>,
    format: Format,
    cut: bool,
    mut repairs: Vec<Repair>,
) -> Option<Vec<RawCall<'static>>> {
    if calls.is_empty() {
        return None;
    }
    let raw = calls.into_iter().map(|call| {
        let shown = match &call.arguments {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let arguments = Written::Value(call.arguments, shown.into());
        RawCall {
            cut,
            repairs: std::mem::take(&mut repairs),
            ..RawCall::new(call.name, arguments, format)
        }
    });
    Some(raw.collect())
}

/// The calls in a value; nothing when it holds anything else.
fn calls_in(value: Value, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    if depth > MAX_NESTING {
        return None;
    }
    match value {
        Value::Object(map) => calls_in_object(map, tools, depth),
        Value::Array(items) => calls_in_list(items, tools, depth),
        Value::String(text) => calls_in_text(&text, tools, depth),
        _ => None,
    }
}

fn calls_in_list(items: Vec<Value>, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    // A pair of a name and its arguments, or a run of such pairs.
    let is_name = |value: &Value| value.as_str().is_some_and(|name| tools.binds(name));
    if items.len() >= 2
        && items.len().is_multiple_of(2)
        && is_name(items.first()?)
        && !tools.is_any()
    {
        let is_pair = |pair: &[Value]| matches!(pair, [name, Value::Object(_)] if is_name(name));
        if items.chunks(2).all(is_pair) {
            let mut calls = Vec::new();
            let mut items = items.into_iter();
            while let (Some(Value::String(name)), Some(arguments)) = (items.next(), items.next()) {
                calls.push(Call { name, arguments });
            }
            return Some(calls);
        }
    }
    if let [Value::String(name), rest @ ..] = items.as_slice()
        && tools.binds(name)
        && !tools.is_any()
    {
        // `['f', 'a=1', 'b="x"']`.
        let parts: Option<Vec<&str>> = rest.iter().map(Value::as_str).collect();
        let parts = parts.filter(|parts| !parts.iter().any(|part| tools.binds(part)))?;
        let text = parts.join(", ");
        let read = value::read_arguments(&text, false).ok()?;
        // `["search", "web"]` is a list of words.
        if rest.is_empty() || !read.value.positional.is_empty() {
            return None;
        }
        let arguments = Value::Object(with_places(read.value));
        return Some(vec![Call {
            name: name.clone(),
            arguments,
        }]);
    }
    let mut calls = Vec::new();
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
fn unknown_call(item: &Value, tools: &ToolSet) -> Option<Call> {
    let map = item.as_object()?;
    // OpenAI's form has both in an object of their own, the arguments as text.
    let map = map
        .get("function")
        .and_then(Value::as_object)
        .unwrap_or(map);
    let are_arguments = |value: &Value| {
        let is_text = |text: &str| text.trim_start().starts_with('{');
        value.is_object() || value.as_str().is_some_and(is_text)
    };
    let is_call = map.len() <= 4
        && !is_definition(map)
        && map
            .iter()
            .any(|(key, value)| is_arguments_key(key) && are_arguments(value));
    let (name, arguments) = is_call.then(|| split(map.clone()))??;
    let is_name = !name.is_empty() && is_name_like(&name) && !name.contains(' ');
    let is_unknown = is_name && !tools.is_any() && !tools.binds(&name);
    is_unknown.then_some(Call { name, arguments })
}

/// A text that is a call: `"f(a=1)"`, or an object that is one.
fn calls_in_text(text: &str, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    let mut text = text.trim();
    let mut calls = Vec::new();
    if text.starts_with('{') {
        let object = serde_json::from_str(text).ok()?;
        return calls_in(object, tools, depth + 1);
    }
    while !text.is_empty() {
        let open = text.find('(')?;
        let name = text.get(..open)?.trim();
        let rest = text.get(open..)?;
        if !tools.binds(name) || tools.is_any() {
            return None;
        }
        let Stop::Closed(end) = Balance::new().run(rest, true) else {
            return None;
        };
        let read = value::read_arguments(rest.get(1..end - 1)?, false).ok()?;
        calls.push(Call {
            name: name.to_owned(),
            arguments: Value::Object(with_places(read.value)),
        });
        text = rest
            .get(end..)?
            .trim_start_matches([' ', ',', ';', '\n'])
            .trim_end();
    }
    Some(calls)
}

fn calls_in_object(
    mut map: Map<String, Value>,
    tools: &ToolSet,
    depth: usize,
) -> Option<Vec<Call>> {
    let mut keys = LISTS.split(' ').chain(SINGLES.split(' '));
    let is_wrapped = keys.any(|key| map.contains_key(key)) && !is_choice(&map);
    for key in LISTS.split(' ').filter(|_| is_wrapped) {
        if matches!(map.get(key), Some(Value::Array(_))) {
            let list = map.remove(key)?;
            return calls_in(list, tools, depth + 1);
        }
    }
    for key in SINGLES.split(' ').filter(|_| is_wrapped) {
        if matches!(map.get(key), Some(Value::Object(_))) && !tools.binds_exactly(key) {
            let inner = map.remove(key)?;
            return calls_in(inner, tools, depth + 1);
        }
    }
    if let Some(inner) = written_inside(&map) {
        return calls_in(inner, tools, depth + 1);
    }
    if is_definition(&map) || is_choice(&map) {
        return None;
    }
    if let Some(call) = named_call(&map, tools) {
        return Some(vec![call]);
    }
    nested::calls(&map, tools, depth).or_else(|| keyed_calls(map, tools))
}

/// `{"name": N, "arguments": {...}}` under any of the keys in use, or with the arguments beside
/// the name.
fn named_call(map: &Map<String, Value>, tools: &ToolSet) -> Option<Call> {
    let (key, name) = map.iter().find_map(|(key, value)| {
        let name = value
            .as_str()
            .filter(|name| is_name_key(key) && tools.binds(name))?;
        Some((key.as_str(), name))
    })?;
    let arguments = map
        .iter()
        .find(|(other, _)| is_arguments_key(other) && other.as_str() != key)
        .map(|(_, value)| value.clone());
    let arguments = match arguments {
        Some(Value::Object(mut arguments)) => {
            beside::add(&mut arguments, map, (name, tools));
            Value::Object(arguments)
        }
        Some(arguments) => arguments,
        None if tools.is_any() && map.len() > 1 => return None,
        None => {
            let is_frame = |other: &str| {
                other == key || matches!(other, "type" | "id" | "index" | "thought" | "reasoning")
            };
            let rest: Map<String, Value> = map
                .iter()
                .filter(|(other, _)| {
                    !is_frame(other) || tools.has_parameter(name, other) && other.as_str() != key
                })
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            if !rest.keys().all(|key| tools.has_parameter(name, key)) {
                return None;
            }
            match rest.is_empty() {
                true => Value::Null,
                false => Value::Object(rest),
            }
        }
    };
    Some(Call {
        name: name.to_owned(),
        arguments,
    })
}

/// `{"N": {...}}` or `{"N": "{...}"}`, for every key the name of a bound tool.
fn keyed_calls(map: Map<String, Value>, tools: &ToolSet) -> Option<Vec<Call>> {
    if tools.is_any() || map.is_empty() {
        return None;
    }
    let are_arguments = |value: &Value| match value {
        Value::Object(_) | Value::Null | Value::Array(_) => true,
        Value::String(text) => serde_json::from_str::<Map<String, Value>>(text).is_ok(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    let is_call = |(name, value): (&String, &Value)| tools.binds(name) && are_arguments(value);
    if !map.iter().all(is_call) {
        return None;
    }
    let mut calls = Vec::new();
    for (name, arguments) in map {
        match arguments {
            // Several calls of one tool.
            Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
                calls.extend(items.into_iter().map(|arguments| Call {
                    name: name.clone(),
                    arguments,
                }));
            }
            Value::Array(_) => return None,
            arguments => calls.push(Call { name, arguments }),
        }
    }
    Some(calls)
}

/// The name and the arguments of an object that is meant as a call, whatever it names.
fn split(mut map: Map<String, Value>) -> Option<(String, Value)> {
    // `{"N": {...}}`.
    if map.len() == 1
        && let Some((key, Value::Object(_))) = map.iter().next()
        && !is_name_key(key)
        && !is_arguments_key(key)
        && key != "tool_call"
        && is_name_like(key)
    {
        let key = key.clone();
        let arguments = map.remove(&key)?;
        return Some((key, arguments));
    }
    let mut name = None;
    let mut arguments = Value::Null;
    for (key, value) in map {
        match value {
            Value::String(text) if name.is_none() && is_name_key(&key) => name = Some(text),
            Value::Object(inner)
                if name.is_none() && matches!(key.as_str(), "function" | "tool_call") =>
            {
                return split(inner);
            }
            value if is_arguments_key(&key) => arguments = value,
            _ => {}
        }
    }
    Some((name?, arguments))
}

/// True for what may be a tool's name, not a placeholder such as `<function-name>`.
fn is_name_like(name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | ' ');
    name.chars().all(is_name)
}

/// The name of a tool in an object that cannot be read, as far as it is there.
fn name_in(text: &str, is_tool: impl Fn(&str) -> bool) -> Option<String> {
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = rest.get(at..at + 1)?;
        let inner = rest.get(at + 1..)?;
        let end = inner.find(quote)?;
        let (key, after) = inner.split_at(end);
        let after = after.get(1..)?;
        let value = after.trim_start().strip_prefix(':').map(str::trim_start);
        let value = value.filter(|value| is_name_key(key) && value.starts_with(['"', '\'']));
        if let Some(value) = value {
            let quote = value.get(..1)?;
            let name = value.get(1..)?;
            let (name, behind) = name.split_at(name.find(quote)?);
            if is_name_like(name) && is_tool(name) {
                return Some(name.to_owned());
            }
            rest = behind.get(1..)?;
            continue;
        }
        rest = after;
    }
    None
}
