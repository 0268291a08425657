//! What an object or a list means as calls: under which keys the name and the arguments stand.
//!
//! The shapes are those that models write and servers expect: `{"name", "arguments"}` under many
//! names of its keys, OpenAI's `tool_calls`, `{"N": {...}}`, pairs of a name and an object, texts
//! that hold a call. What does not name a bound tool is no call.

mod arrows;
mod calls;
mod objects;

use std::collections::BTreeMap;

use haft_schema::Repair;
use memchr::memchr_iter;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::machine::{Calls, FoundCall, Written};
use crate::scan::{is_arguments_key, is_name_key, is_one_of};
use crate::{Format, ToolSet, arguments::value, calls::items_of};
pub(crate) use arrows::arrows;
use calls::{calls_in, calls_in_list};
pub(crate) use objects::{arguments_with, is_argument, is_unknown};

/// A call and its arguments.
struct Call {
    name: String,
    arguments: Value,
}

/// The calls in an object, if it is one that holds nothing else.
pub(crate) fn object(text: &str, cut: bool, tools: &ToolSet) -> Option<Calls> {
    if let Some(call) = well_formed(text, tools) {
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

/// The call of a bound tool that `text` is, where it is well-formed JSON, as most are, with nothing
/// beside its name and its arguments: these stay as they were written.
fn well_formed(text: &str, tools: &ToolSet) -> Option<FoundCall<'static>> {
    let members: BTreeMap<&str, &RawValue> = serde_json::from_str(text).ok()?;
    let under = |is_key: fn(&str) -> bool| {
        let mut members = members.iter();
        members.find_map(|(key, value)| is_key(key).then_some(value.get()))
    };
    let name = under(is_name_key)?.strip_prefix('"')?.strip_suffix('"')?;
    let arguments = under(is_arguments_key)?;
    // The definition of a tool looks like a call.
    let defines = |letter: usize| {
        let quoted = arguments.get(letter.saturating_sub(1)..);
        quoted.is_some_and(|rest| rest.starts_with("\"properties\""))
    };
    let is_call = members.len() == 2
        && arguments.starts_with('{')
        && !name.contains('\\')
        && !memchr_iter(b'p', arguments.as_bytes()).any(defines)
        && tools.binds(name);
    let arguments = Written::Object(arguments.to_owned().into());
    is_call.then(|| FoundCall::whole(name.to_owned(), arguments, Format::BareJson))
}

/// The calls in a list, if it holds nothing else.
pub(crate) fn list(text: &str, cut: bool, tools: &ToolSet) -> Option<Calls> {
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
pub(crate) fn meant(text: &str, cut: bool) -> Option<Calls> {
    let Some((values, repairs)) = read_all(text, cut) else {
        return broken(text, is_name_like);
    };
    let call = split(values.into_iter().next()?)?;
    if call.name.trim().is_empty() || !is_name_like(&call.name) {
        return broken(text, is_name_like);
    }
    readings(vec![call], Format::Hermes, cut, repairs)
}

/// What was meant as calls in a list, whatever tools it names.
pub(crate) fn meant_list(text: &str, cut: bool) -> Option<Calls> {
    let Some((values, _)) = read_all(text, cut) else {
        return broken(text, is_name_like);
    };
    let items = values.into_iter().flat_map(items_of);
    let calls: Option<Vec<Call>> = items.map(split).collect();
    readings(calls?, Format::CohereR, cut, Vec::new())
}

/// A call that cannot be read but names a tool: under a key for names, or as the first key, where
/// another object follows it.
pub(crate) fn broken(text: &str, is_tool: impl Fn(&str) -> bool) -> Option<Calls> {
    let quoted = quoted(text);
    let is_named = |name: &&str| is_name_like(name) && is_tool(name);
    let (_, texts) = quoted.split_last()?;
    let mut pairs = texts.windows(2);
    let under_a_key = pairs.find_map(|pair| match pair {
        // Its quote may be lost: `"name": "get_weather, "arguments": {...}`.
        [(_, key), (":", name)] if is_name_key(key) => {
            let unquoted = name.strip_suffix(", ").filter(|it| !it.is_empty());
            Some(unquoted.unwrap_or(name)).filter(is_named)
        }
        _ => None,
    });
    let opening = ['[', '{', ' ', '\n', '\r', '\t'];
    let as_a_key = || match quoted.as_slice() {
        [(before, key), (behind, _), ..] if before.trim_matches(opening).is_empty() => {
            let is_name = !is_name_key(key) && !is_arguments_key(key);
            let value = behind.strip_prefix(':')?.trim_start();
            let is_object = is_name && value.starts_with('{');
            is_object.then_some(*key).filter(is_named)
        }
        _ => None,
    };
    let name = under_a_key.or_else(as_a_key)?.to_owned();
    let arguments = Written::Unreadable(text.to_owned().into(), "cannot be read, or is cut off");
    Some(vec![FoundCall::whole(name, arguments, Format::Hermes)])
}

/// The texts in quotes, each behind what stands before it, and what stands behind the last one.
fn quoted(text: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((before, quote)) = rest.find(['"', '\'']).map(|at| rest.split_at(at)) {
        let mut parts = quote.splitn(3, quote.chars().next().unwrap_or_default());
        let (Some(inner), Some(after)) = (parts.nth(1), parts.next()) else {
            break;
        };
        all.push((before.trim(), inner));
        rest = after;
    }
    all.push((rest.trim(), ""));
    all
}

/// Every value in `text`, one after the other.
fn read_all(text: &str, cut: bool) -> Option<(Vec<Value>, Vec<Repair>)> {
    let mut values = Vec::new();
    let mut repairs = Vec::new();
    let mut rest = text.trim();
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '}' | ']');
    if rest.starts_with(['"', '\'']) {
        let read = value::read_value(&format!("{{{rest}}}"), cut).ok()?;
        return Some((vec![read.value], read.repairs));
    }
    while !rest.is_empty() {
        let (read, taken) = value::read_value_prefix(rest, cut).ok()?;
        values.push(read.value);
        repairs.extend(read.repairs);
        rest = rest.get(taken..)?.trim_start_matches(is_between);
    }
    (!values.is_empty()).then_some((values, repairs))
}

fn readings(calls: Vec<Call>, format: Format, cut: bool, repairs: Vec<Repair>) -> Option<Calls> {
    let mut repairs = repairs;
    let found = |call: Call| {
        let shown = match &call.arguments {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let arguments = Written::Value(call.arguments, shown.into());
        FoundCall {
            cut,
            repairs: std::mem::take(&mut repairs),
            ..FoundCall::whole(call.name, arguments, format)
        }
    };
    let calls: Calls = calls.into_iter().map(found).collect();
    (!calls.is_empty()).then_some(calls)
}

/// The name and the arguments of an object that is meant as a call, whatever it names.
fn split(object: Value) -> Option<Call> {
    let Value::Object(mut map) = object else {
        return None;
    };
    // `{"N": {...}}`.
    if map.len() == 1
        && let Some((key, Value::Object(_))) = map.iter().next()
        && !is_name_key(key)
        && !is_arguments_key(key)
        && key != "tool_call"
        && is_name_like(key)
    {
        let name = key.clone();
        let arguments = map.remove(&name)?;
        return Some(Call { name, arguments });
    }
    let mut name = None;
    let mut arguments = Value::Null;
    for (key, value) in map {
        match value {
            Value::String(text) if name.is_none() && is_name_key(&key) => name = Some(text),
            Value::Object(_) if name.is_none() && is_one_of(&key, "function tool_call") => {
                return split(value);
            }
            _ if is_arguments_key(&key) => arguments = value,
            // Under a misspelt name, or under another one.
            Value::Object(_) if arguments.is_null() => arguments = value,
            _ => {}
        }
    }
    let name = name?;
    Some(Call { name, arguments })
}

/// True for what may be a tool's name, not a placeholder such as `<function-name>`.
fn is_name_like(name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | ' ');
    name.chars().all(is_name)
}
