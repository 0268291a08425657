//! Tool definitions in the forms that people have lying about: haft's own, OpenAI's, Anthropic's
//! and MCP's. What becomes of them is next door in `lines` and in `extract` itself.

use haft::extract::{ToolDefinition, ToolSet};
use serde_json::{Map, Value};

/// Reads a list of definitions, or an object that has one in `tools`. The error is a sentence
/// without a full stop that begins with the name of what is wrong.
pub(super) fn read(json: &str) -> Result<ToolSet, String> {
    let value =
        serde_json::from_str(json).map_err(|error| format!("`tools` is no JSON: {error}"))?;
    let list = match value {
        Value::Object(mut object) => object.remove("tools").unwrap_or_default(),
        value => value,
    };
    let Value::Array(list) = list else {
        return Err("`tools` is no list of definitions".to_owned());
    };
    let definitions = list.into_iter().enumerate().map(|(at, definition)| {
        one(definition).ok_or_else(|| format!("`tools[{at}]` has no name"))
    });
    let definitions: Vec<_> = definitions.collect::<Result<_, _>>()?;
    Ok(ToolSet::from_definitions(definitions))
}

/// One definition, if it has a name.
fn one(definition: Value) -> Option<ToolDefinition> {
    let Value::Object(mut outer) = definition else {
        return None;
    };
    let mut inner = match outer.remove("function") {
        Some(Value::Object(function)) => function,
        _ => outer,
    };
    let name = match inner.remove("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return None,
    };
    let parameters = ["parameters", "input_schema", "inputSchema", "schema"]
        .iter()
        .find_map(|key| inner.remove(*key));
    let definition = ToolDefinition::new(name, parameters.unwrap_or_default());
    Some(definition.read_only(is_read_only(&inner)))
}

/// What MCP says in its annotations, and `haft tools list --json` beside the name.
fn is_read_only(definition: &Map<String, Value>) -> bool {
    let annotation = definition
        .get("annotations")
        .and_then(|annotations| annotations.get("readOnlyHint"));
    let said = annotation.or_else(|| definition.get("read_only"));
    said.and_then(Value::as_bool).unwrap_or(false)
}

#[cfg(test)]
mod tests;
