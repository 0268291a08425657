//! Values without names. They are named by their place, `arg0`, `arg1`, for the schema to rename;
//! one that is more than the tool has parameters fits none.

use haft_core::Arguments;
use serde_json::{Map, Value};

use super::shown;
use crate::arguments::value::CallArguments;
use crate::tool_set::BoundTool;

/// True for the name of an argument that was written without one.
pub(super) fn is_place(key: &str) -> bool {
    let place = key.strip_prefix("arg");
    place.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name of the value at a place.
pub(super) fn place(at: usize) -> String {
    format!("arg{at}")
}

/// Arguments by name; those without one are named by their place, for the schema to rename.
pub(crate) fn with_places(arguments: CallArguments<'_>) -> Arguments {
    let places = arguments.positional.into_iter().enumerate();
    let positional = places.map(|(at, argument)| (place(at), argument.value));
    positional.chain(arguments.named).collect()
}

/// What is wrong with arguments of which one kept the name of its place, although the tool names
/// all that it takes.
pub(super) fn left_over(arguments: &Arguments, tool: &BoundTool) -> Result<(), String> {
    let schema = &tool.definition.parameters;
    let no_parameters = Map::new();
    let parameters = schema.get("properties").and_then(Value::as_object);
    let parameters = parameters.unwrap_or(&no_parameters);
    let more = schema.get("additionalProperties");
    let takes_more = more.is_some_and(|more| *more != Value::Bool(false))
        || schema.get("patternProperties").is_some();
    let is_left = |key: &String| is_place(key) && !parameters.contains_key(key);
    match arguments.iter().find(|(key, _)| is_left(key)) {
        Some((_, value)) if !parameters.is_empty() && !takes_more => {
            let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
            Err(format!(
                "There is no parameter for the value {}; there is {}",
                shown(&value.to_string()),
                names.join(", ")
            ))
        }
        _ => Ok(()),
    }
}
