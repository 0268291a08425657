//! Objects that are no call of a bound tool themselves: an answer with a call in its text, and a call
//! of something else.

use serde_json::{Map, Value};

use super::calls::unknown_call;
use crate::ToolSet;

/// The object in the text of an answer in JSON: `{"content": "{\"name\": ...}"}`.
pub(super) fn written_inside(map: &Map<String, Value>) -> Option<Value> {
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
