//! Describes the effect of a call in a few words, for the user who approves it.

use haft_core::{Arguments, Tool};
use serde_json::Value;

/// The maximum length of the description of the action, in characters.
const ACT_LIMIT: usize = 100;

/// The maximum length of the description of the argument, in characters.
const OBJECT_LIMIT: usize = 100;

/// The effect of a call of a tool that does not describe it itself: the first sentence of the
/// tool's description, or its name, followed by the main argument.
pub(crate) fn effect_of(tool: &dyn Tool, arguments: &Arguments) -> String {
    let description = tool.description().trim();
    let end = description.find(['\n', '\r']).unwrap_or(description.len());
    let line = description.get(..end).unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default();
    let sentence = sentence.trim_end_matches('.');
    let name = tool.name().replace(['_', '-', '.'], " ");
    let act = if sentence.is_empty() { &name } else { sentence };
    describe_effect(act, tool.schema(), arguments)
}

/// The effect of a call in one line: `act`, followed by the main argument, which is the first one
/// that the schema requires, or else the first one given.
///
/// ```
/// let schema = serde_json::json!({"required": ["door"]});
/// let arguments = serde_json::Map::from_iter([("door".to_owned(), "Front Door".into())]);
/// let effect = haft_tools::describe_effect("Unlock a door", &schema, &arguments);
/// assert_eq!(effect, "Unlock a door: Front Door");
/// ```
#[must_use]
pub fn describe_effect(act: &str, schema: &Value, arguments: &Arguments) -> String {
    let act = cut(act.trim(), ACT_LIMIT);
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let given = required.filter_map(|name| arguments.get(name));
    let mut objects = given.chain(arguments.values()).filter_map(shown);
    match objects.next() {
        Some(object) => format!("{act}: {}", cut(&object, OBJECT_LIMIT)),
        None => act,
    }
}

/// A value as text for that line, if it says anything to a reader.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests;
