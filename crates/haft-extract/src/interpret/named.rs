//! Objects that call a bound tool: with its name under one of the keys in use, or as the key.

use serde_json::{Map, Value};

use super::{Call, beside};
use crate::ToolSet;
use crate::scan::balance::{is_arguments_key, is_name_key};

/// `{"name": N, "arguments": {...}}` under any of the keys in use, or with the arguments beside
/// the name.
pub(super) fn named_call(map: &Map<String, Value>, tools: &ToolSet) -> Option<Call> {
    let (key, name) = map.iter().find_map(|(key, value)| {
        let name = value.as_str().filter(|_| is_name_key(key))?;
        tools.binds(name).then_some((key, name))
    })?;
    let are_arguments = |other: &&String| is_arguments_key(other) && *other != key;
    let arguments = map.keys().find(are_arguments).and_then(|key| map.get(key));
    let arguments = match arguments {
        Some(Value::Object(arguments)) => {
            let mut arguments = arguments.clone();
            beside::add(&mut arguments, map, name, tools);
            Value::Object(arguments)
        }
        Some(arguments) => arguments.clone(),
        None if tools.is_any() && map.len() > 1 => return None,
        None => {
            let is_frame =
                |other: &str| matches!(other, "type" | "id" | "index" | "thought" | "reasoning");
            let is_argument = |other: &String| tools.has_parameter(name, other);
            let mut rest = map.clone();
            rest.retain(|other, _| other != key && (!is_frame(other) || is_argument(other)));
            if !rest.keys().all(is_argument) {
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
pub(super) fn keyed_calls(map: Map<String, Value>, tools: &ToolSet) -> Option<Vec<Call>> {
    if tools.is_any() || map.is_empty() {
        return None;
    }
    let are_arguments = |value: &Value| match value {
        Value::Object(_) | Value::Null => true,
        Value::String(text) => serde_json::from_str::<Map<String, Value>>(text).is_ok(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => false,
    };
    let is_call = |(name, value): (&String, &Value)| tools.binds(name) && are_arguments(value);
    if !map.iter().all(is_call) {
        return None;
    }
    let call = |(name, arguments)| Call { name, arguments };
    Some(map.into_iter().map(call).collect())
}
