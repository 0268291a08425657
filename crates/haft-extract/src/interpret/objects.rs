//! What an object means as calls: with the name of a bound tool under one of the keys in use, or as
//! the key; with a call in one of its members, or in the text of an answer; with arguments beside the
//! others; and objects that look much like those and are none.

use haft_core::Arguments;
use haft_schema::{Repair, RepairKind};
use serde_json::Value;

use super::calls::{calls_in, unknown_call};
use super::{Call, ToolSet, is_arguments_key, is_name_key, is_name_like, split};
use crate::arguments::value::{self, Read};
use crate::scan::is_one_of;

/// `{"name": N, "arguments": {...}}` under any of the keys in use, or with the arguments beside
/// the name.
pub(super) fn named_call(map: &Arguments, tools: &ToolSet) -> Option<Call> {
    let (key, name) = map.iter().find_map(|(key, value)| {
        let name = value.as_str().filter(|_| is_name_key(key))?;
        tools.binds(name).then_some((key, name))
    })?;
    let holds = |it: &Arguments| it.keys().any(|other| is_argument(other, name, tools));
    let arguments = map.iter().find(|(other, value)| {
        // A parameter may have such a name too, and stand beside others.
        let is_own = holds(map) && tools.has_parameter(name, other);
        let is_flat = is_own && !value.as_object().is_some_and(holds);
        is_arguments_key(other) && *other != key && !is_flat
    });
    let arguments = match arguments.map(|(_, value)| value) {
        Some(Value::Object(arguments)) => {
            let mut arguments = arguments.clone();
            add(&mut arguments, map, name, tools);
            Value::Object(arguments)
        }
        Some(arguments) => arguments.clone(),
        None if tools.is_any() && map.len() > 1 => return None,
        None => {
            let is_frame = |other: &str| is_one_of(other, "type id index thought reasoning");
            let is_argument = |other: &String| tools.has_parameter(name, other);
            let mut rest = map.clone();
            rest.retain(|other, _| other != key && (!is_frame(other) || is_argument(other)));
            let rest = rest.keys().all(is_argument).then_some(rest)?;
            let rest = Some(rest).filter(|rest| !rest.is_empty());
            rest.map_or(Value::Null, Value::Object)
        }
    };
    let name = name.to_owned();
    Some(Call { name, arguments })
}

/// `{"N": {...}}` or `{"N": "{...}"}`, for every key the name of a bound tool.
pub(super) fn keyed_calls(map: Arguments, tools: &ToolSet) -> Option<Vec<Call>> {
    let are_arguments = |value: &Value| match value {
        Value::Object(_) | Value::Null => true,
        Value::String(text) => serde_json::from_str::<Arguments>(text).is_ok(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => false,
    };
    let is_call = |(name, value): (&String, &Value)| tools.binds(name) && are_arguments(value);
    let are_calls = !tools.is_any() && !map.is_empty() && map.iter().all(is_call);
    let call = |(name, arguments)| Call { name, arguments };
    are_calls.then(|| map.into_iter().map(call).collect())
}

/// Under which keys a record says what it is.
const KINDS: &str = "type role event status level";

/// What stands beside a call in a record of it.
const RECORDED: &str = "result results error schedule cron dry_run requires_confirmation";

/// What a record says that it is, or how the call ended.
const ENDS: &str = "tool tool_result tool_response function_result function_call_output ok error failed denied rejected blocked info warning debug";

/// Under which keys the call stands, whatever is beside it.
const KEYS: &str = "commands use_tool action function functionCall function_call toolCall toolUse tool_calls next_action";

/// The calls in the one member that may hold them, of an object that says more: AutoGPT's
/// `{"thoughts": ..., "command": {"name", "args"}}`, `{"functionCall": {...}}` of Gemini's interface, a
/// message of MCP, `{"thought": ..., "function": [{...}]}`.
pub(super) fn nested_calls(map: &Arguments, tools: &ToolSet, depth: usize) -> Option<Vec<Call>> {
    let (_, inner) = map.iter().find(|(key, value)| {
        is_holder(map, key) && may_be_call(value) && !tools.binds_exactly(key)
    })?;
    calls_in(inner.clone(), tools, depth + 1)
}

/// True for a key under which a call stands, among the others that the object has.
fn is_holder(map: &Arguments, key: &str) -> bool {
    let says = |name: &str, value: &str| map.get(name).is_some_and(|said| said == value);
    let is_beside_command = |key: &String| key == "command" || key.starts_with("thought");
    match key {
        "params" => says("method", "tools/call"),
        // What is beside a command of another kind says how it is run.
        "command" => map.keys().all(is_beside_command),
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
            // Arguments and a name, or nothing but a name.
            let has_arguments = map.len() == 1 || map.keys().any(|key| is_arguments_key(key));
            let call = || split(value.clone()).filter(|call| is_name_like(&call.name));
            map.values().any(Value::is_array) || (is_named && has_arguments && call().is_some())
        }
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_object),
        _ => false,
    }
}

/// What calls have beside their name and arguments in the formats that are known.
const FRAME: &str = "id type index call_id tool_call_id status thought reasoning description";

/// True for the key of a member that may belong to the arguments of the tool `name`.
pub(crate) fn is_argument(key: &str, name: &str, tools: &ToolSet) -> bool {
    let is_own = is_one_of(key, FRAME) || is_name_key(key) || is_arguments_key(key);
    !is_own && !tools.is_any() && tools.has_parameter(name, key)
}

/// Adds what belongs to the arguments of the tool `name` among the members beside them, where a
/// brace was closed too early: `{"name": "f", "arguments": {"a": 1}, "b": 2}`; false if nothing does.
fn add(arguments: &mut Arguments, members: &Arguments, name: &str, tools: &ToolSet) -> bool {
    let before = arguments.len();
    for (key, value) in members {
        let is_new = !arguments.contains_key(key) && !value.is_null();
        if is_new && is_argument(key, name, tools) {
            arguments.insert(key.clone(), value.clone());
        }
    }
    arguments.len() > before
}

/// The arguments in `object` with those that are written behind it, as far as both can be read.
pub(crate) fn arguments_with(
    object: &str,
    members: &str,
    name: &str,
    tools: &ToolSet,
) -> Option<(Value, Vec<Repair>)> {
    let read = |object: &str| {
        let Read { value, repairs } = value::read_value(object, false).ok()?;
        Some((value.as_object()?.clone(), repairs))
    };
    let members = members.trim_start_matches([',', ' ', '\n', '\r', '\t']);
    let (mut arguments, mut repairs) = read(object)?;
    let (members, more) = read(&format!("{{{members}"))?;
    repairs.extend(more);
    add(&mut arguments, &members, name, tools).then(|| {
        // The brace was closed too early.
        repairs.push(Repair::new("", RepairKind::BracketRepaired, "}", ","));
        (Value::Object(arguments), repairs)
    })
}

/// The object in the text of an answer in JSON: `{"content": "{\"name\": ...}"}`.
pub(super) fn written_inside(map: &Arguments) -> Option<Value> {
    let (key, value) = map.iter().next().filter(|_| map.len() == 1)?;
    let is_answer = matches!(key.as_str(), "content" | "response" | "message" | "output");
    let text = value.as_str().filter(|_| is_answer)?;
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// True for an object that calls something else than a bound tool.
pub(crate) fn is_unknown(text: &str, tools: &ToolSet) -> bool {
    let object: Result<Value, _> = serde_json::from_str(text);
    object.is_ok_and(|object| unknown_call(&object, tools).is_some())
}

/// A tool's definition, which models repeat when they speak of their tools.
pub(super) fn is_definition(map: &Arguments) -> bool {
    const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];
    const TYPES: &str = "string number integer boolean object array";
    let schema = SCHEMAS.iter().find_map(|key| map.get(*key)?.as_object());
    let is_described = map.contains_key("description");
    let is_schema = |value: &Value| {
        value.get("type").is_some() && value.get("value").or(value.get("default")).is_none()
    };
    let is_type = |value: &Value| value.as_str().is_some_and(|name| is_one_of(name, TYPES));
    schema.is_some_and(|schema| match schema.get("properties") {
        Some(Value::Object(properties)) => is_described || properties.values().all(is_schema),
        // Models shorten a schema to the types.
        _ => is_described && !schema.is_empty() && schema.values().all(is_type),
    })
}

/// A record of a call: what came of it, or when it is to be made, stands beside it.
pub(super) fn is_record(map: &Arguments) -> bool {
    let holds = |key: &String| is_arguments_key(key) || is_one_of(key, "action call command");
    let tells = |(key, value): (&String, &Value)| match value {
        Value::Null | Value::Bool(false) => is_one_of(key, "confirmed approved"),
        Value::String(kind) if is_one_of(key, KINDS) => is_one_of(kind, ENDS),
        _ => is_one_of(key, RECORDED),
    };
    map.keys().any(holds) && map.iter().any(tells)
}

/// What a request says in OpenAI's form about the tool to be called: `{"type": "function",
/// "function": {"name": N}}`, with no id and no arguments as a call has them.
pub(super) fn is_choice(map: &Arguments) -> bool {
    let function = map.get("function").and_then(Value::as_object);
    let is_named = function.is_some_and(|it| it.len() == 1 && it.contains_key("name"));
    is_named && map.len() == 2 && map.get("type").is_some_and(|kind| kind == "function")
}
