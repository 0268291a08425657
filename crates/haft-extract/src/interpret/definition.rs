//! Objects that define a tool or say which one is to be called, which look much like those that
//! call one.

use serde_json::{Map, Value};

/// A tool's definition, which models repeat when they speak of their tools.
pub(super) fn is_definition(map: &Map<String, Value>) -> bool {
    const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];
    let parameters = SCHEMAS.iter().find_map(|key| map.get(*key));
    let properties = parameters.and_then(|schema| schema.get("properties")?.as_object());
    let is_schema = |value: &Value| {
        value.get("type").is_some() && value.get("value").or(value.get("default")).is_none()
    };
    properties.is_some_and(|properties| {
        map.contains_key("description") || properties.values().all(is_schema)
    })
}

/// What a request says in OpenAI's form about the tool to be called: `{"type": "function",
/// "function": {"name": N}}`, with no id and no arguments as a call has them.
pub(super) fn is_choice(map: &Map<String, Value>) -> bool {
    let function = map.get("function").and_then(Value::as_object);
    let is_named = function.is_some_and(|it| it.len() == 1 && it.contains_key("name"));
    is_named && map.len() == 2 && map.get("type").is_some_and(|kind| kind == "function")
}
