//! Tools in Anthropic's own shape: `name`, `description` and `input_schema`.

use std::sync::Arc;

use haft_core::{ModelError, Tool};
use serde_json::{Map, Value, json};

use super::wire::AnthropicTool;
use crate::names::WireNames;

/// Keywords that the API refuses at the top of an `input_schema`
/// ("input_schema does not support oneOf, allOf, or anyOf at the top level").
const COMBINATORS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The tools as the Messages API takes them, in the given order; the tools themselves are not
/// changed.
///
/// A name is the tool's `lc_name` where it has one, else its `name`, with what the API does not
/// allow in names replaced. A schema is passed on as it is, but that its top is made a plain
/// object schema, which the API insists on.
///
/// # Errors
///
/// [`Configuration`](haft_core::ModelErrorKind::Configuration) when two tools have the same name.
///
/// ```
/// assert!(haft_models::to_anthropic_tools(&[]).unwrap().is_empty());
/// ```
pub fn to_anthropic_tools(tools: &[Arc<dyn Tool>]) -> Result<Vec<AnthropicTool>, ModelError> {
    Ok(with_names(tools, &WireNames::new(tools)?))
}

/// The same under names that are known already.
pub(super) fn with_names(tools: &[Arc<dyn Tool>], names: &WireNames) -> Vec<AnthropicTool> {
    tools
        .iter()
        .zip(names.wire())
        .map(|(tool, name)| AnthropicTool {
            kind: None,
            name: name.to_owned(),
            description: Some(tool.description().to_owned()).filter(|text| !text.is_empty()),
            input_schema: Some(object_schema(tool.schema())),
        })
        .collect()
}

/// `schema` with a plain object schema at its top. What that leaves out still holds when the
/// arguments are validated, for that is done with the original.
fn object_schema(schema: &Value) -> Value {
    let Value::Object(schema) = schema else {
        return json!({"type": "object", "properties": {}});
    };
    let mut top = schema.clone();
    top.insert("type".to_owned(), json!("object"));
    for keyword in COMBINATORS {
        // A shift keeps the order of what stays.
        if let Some(Value::Array(branches)) = top.shift_remove(keyword) {
            for branch in &branches {
                merge(&mut top, branch, keyword == "allOf");
            }
        }
    }
    Value::Object(top)
}

/// Adds what a branch says about properties, as far as they are new, and what it requires if it
/// always holds.
fn merge(top: &mut Map<String, Value>, branch: &Value, always: bool) {
    if let Some(Value::Object(new)) = branch.get("properties") {
        let properties = top.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            for (name, schema) in new {
                properties.entry(name).or_insert_with(|| schema.clone());
            }
        }
    }
    if let (true, Some(Value::Array(new))) = (always, branch.get("required")) {
        let required = top.entry("required").or_insert_with(|| json!([]));
        if let Value::Array(required) = required {
            for name in new {
                if !required.contains(name) {
                    required.push(name.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
