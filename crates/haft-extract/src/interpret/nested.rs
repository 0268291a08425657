//! Calls that stand in a member of an object which says more: AutoGPT's `{"thoughts": ...,
//! "command": {"name", "args"}}`, `{"functionCall": {...}}` of Gemini's interface, a message of MCP,
//! `{"thought": ..., "function": [{...}]}`.

use serde_json::{Map, Value};

use super::calls::calls_in;
use super::{Call, is_name_like, split};
use crate::ToolSet;
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::is_one_of;

/// Under which keys the call stands, whatever is beside it.
const KEYS: &str = "commands use_tool action function functionCall function_call toolCall toolUse tool_calls next_action";

/// The calls in the one member that may hold them.
pub(super) fn calls(map: &Map<String, Value>, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    let (_, inner) = map.iter().find(|(key, value)| {
        is_holder(map, key) && may_be_call(value) && !tools.binds_exactly(key)
    })?;
    calls_in(inner.clone(), tools, depth + 1)
}

/// True for a key under which a call stands, among the others that the object has.
fn is_holder(map: &Map<String, Value>, key: &str) -> bool {
    let says = |name: &str, value: &str| map.get(name).is_some_and(|said| said == value);
    match key {
        "params" => says("method", "tools/call"),
        // What is beside a command of another kind says how it is run.
        "command" => map
            .keys()
            .all(|key| key == "command" || key.starts_with("thought")),
        // What OpenAI's models call several tools at once with.
        "arguments" | "parameters" | "input" => says("name", "multi_tool_use.parallel"),
        _ => is_one_of(key, KEYS),
    }
}

/// True for an object that names something and has arguments, and for a list of such objects.
fn may_be_call(value: &Value) -> bool {
    match value {
        Value::Object(map) => {
            let is_name = |(key, value): (&String, &Value)| is_name_key(key) && value.is_string();
            let is_named = map.iter().any(is_name);
            map.values().any(Value::is_array) || (is_named && is_call_like(map))
        }
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_object),
        _ => false,
    }
}

/// True for an object that has arguments and a name, or nothing but a name.
fn is_call_like(map: &Map<String, Value>) -> bool {
    let has_arguments = map.keys().any(|key| is_arguments_key(key));
    let named = split(map.clone()).is_some_and(|call| is_name_like(&call.name));
    named && (has_arguments || map.len() == 1)
}
