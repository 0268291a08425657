//! Answers in JSON that hold a call beside other things.

use serde_json::{Map, Value};

use super::unknown_call;
use crate::ToolSet;
use crate::balance::{is_arguments_key, is_name_key};

/// The object in the text of an answer in JSON: `{"content": "{\"name\": ...}"}`.
pub(super) fn written_inside(map: &Map<String, Value>) -> Option<Value> {
    let (key, value) = map.iter().next().filter(|_| map.len() == 1)?;
    let is_answer = matches!(key.as_str(), "content" | "response" | "message" | "output");
    let text = value.as_str().filter(|_| is_answer)?;
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// The call in what AutoGPT asks for: `{"thoughts": {...}, "command": {"name": N, "args": {...}}}`.
pub(super) fn commanded(map: &Map<String, Value>, tools: &ToolSet) -> Option<Value> {
    const COMMAND: &str = "command";
    let command = map.get(COMMAND)?.as_object().filter(|map| map.len() == 2)?;
    let is_frame = |key: &String| matches!(key.as_str(), COMMAND | "thoughts");
    let is_named = command.iter().any(|(key, value)| {
        let name = value.as_str();
        is_name_key(key) && name.is_some_and(|name| tools.binds(name))
    });
    let has_arguments = command
        .iter()
        .any(|(key, value)| is_arguments_key(key) && value.is_object());
    let is_call = is_named && has_arguments && map.keys().all(is_frame);
    // With a tool of that name, it is the call of that.
    (is_call && !tools.is_any() && !tools.binds_exactly(COMMAND))
        .then(|| Value::Object(command.clone()))
}

/// True for an object that calls something else than a bound tool.
pub(crate) fn is_unknown(text: &str, tools: &ToolSet) -> bool {
    let object: Result<Value, _> = serde_json::from_str(text);
    object.is_ok_and(|object| unknown_call(&object, tools).is_some())
}
