//! Reads tool definitions in the formats of haft, OpenAI, Anthropic and MCP, for `extract` and
//! `select`.

use std::path::Path;

use haft::extract::{ToolDefinition, ToolSet};
use serde_json::{Map, Value};

use crate::bounded;
use crate::failure::Failure;

/// The largest file: 16 MiB, enough for a thousand tools with large schemas.
const MAX_TOOLS: u64 = 16 * 1024 * 1024;

/// A tool definition, independent of its format.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) parameters: Value,
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    /// Example questions for the tool.
    pub(crate) examples: Vec<String>,
}

/// Reads a file of definitions with one of the functions below.
pub(crate) fn from_file<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Failure> {
    let name = path.display().to_string();
    let bytes = bounded::read_bytes(path, MAX_TOOLS)?;
    let json = bounded::text_of(bytes, &name)?;
    read(&json).map_err(|error| {
        Failure::new(format!("{name}: {error}")).with_hint(
            "write a JSON list like [{\"name\": \"get_time\", \"parameters\": {...}}], or take \
             what `haft tools list --json` prints",
        )
    })
}

/// Reads a list of definitions, an object that has one in `tools`, the answer of an MCP server to
/// `tools/list`, or one definition alone. The error is a sentence without a full stop that begins
/// with the name of what is wrong.
pub(crate) fn read(json: &str) -> Result<Vec<Definition>, String> {
    let value =
        serde_json::from_str(json).map_err(|error| format!("`tools` is not JSON: {error}"))?;
    let list = match value {
        Value::Object(object) => list_in(object),
        value => value,
    };
    let Value::Array(list) = list else {
        return Err("`tools` is not a list of definitions".to_owned());
    };
    let definitions = list.into_iter().enumerate().map(|(at, definition)| {
        one(definition).ok_or_else(|| format!("`tools[{at}]` has no name"))
    });
    definitions.collect()
}

/// The definitions in an object, or the object itself if it is a definition.
fn list_in(mut object: Map<String, Value>) -> Value {
    if let Some(list) = object.remove("tools") {
        return list;
    }
    if let Some(list) = object
        .get_mut("result")
        .and_then(|result| result.get_mut("tools"))
    {
        return list.take();
    }
    let is_one = object.get("name").is_some_and(Value::is_string)
        || object.get("function").is_some_and(Value::is_object);
    match is_one {
        true => Value::Array(vec![Value::Object(object)]),
        false => Value::Null,
    }
}

/// Parses definitions into the tools of an extractor.
pub(crate) fn tool_set(json: &str) -> Result<ToolSet, String> {
    let definitions = read(json)?.into_iter().map(|definition| {
        ToolDefinition::new(definition.name, definition.parameters)
            .read_only(definition.read_only)
            .destructive(definition.destructive)
    });
    Ok(ToolSet::from_definitions(definitions))
}

/// Parses one definition, if it has a name.
fn one(definition: Value) -> Option<Definition> {
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
    let description = match inner.remove("description") {
        Some(Value::String(description)) => description,
        _ => String::new(),
    };
    let parameters = ["parameters", "input_schema", "inputSchema", "schema"]
        .iter()
        .find_map(|key| inner.remove(*key));
    Some(Definition {
        name,
        description,
        parameters: parameters.unwrap_or_default(),
        read_only: hint(&inner, "readOnlyHint", "read_only"),
        destructive: hint(&inner, "destructiveHint", "destructive"),
        examples: texts(inner.get("examples")),
    })
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Reads a flag from MCP's annotations, or from the fields of `haft tools list --json`.
fn hint(definition: &Map<String, Value>, annotation: &str, name: &str) -> bool {
    let annotations = definition.get("annotations");
    let annotated = annotations.and_then(|annotations| annotations.get(annotation));
    let said = annotated.or_else(|| definition.get(name));
    said.and_then(Value::as_bool).unwrap_or(false)
}

#[cfg(test)]
mod tests;
