//! Converts tools to Anthropic's format: `name`, `description` and `input_schema`.

use std::sync::Arc;

use haft_core::{ModelError, Tool};
use serde_json::{Map, Value, json};

use super::wire::AnthropicTool;
use crate::names::WireNames;
use crate::template_tokens::{without_template_tokens, without_tokens_in};

/// Keywords that the API refuses at the top of an `input_schema`
/// ("input_schema does not support oneOf, allOf, or anyOf at the top level").
const COMBINATORS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Converts tools for the Messages API, in the given order.
///
/// A name is the tool's `lc_name` if it has one, else its `name`, with characters that the API does
/// not allow replaced. A schema is sent unchanged, except that its top level becomes a plain object
/// schema, which the API requires.
///
/// # Errors
///
/// [`Configuration`](haft_core::ModelErrorKind::Configuration) if two tools have the same name.
///
/// ```
/// assert!(haft_models::to_anthropic_tools(&[]).unwrap().is_empty());
/// ```
pub fn to_anthropic_tools(tools: &[Arc<dyn Tool>]) -> Result<Vec<AnthropicTool>, ModelError> {
    Ok(with_names(tools, &WireNames::new(tools)?))
}

/// Converts tools whose wire names are already known.
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

/// Replaces chat-template tokens in the tools' texts.
pub(super) fn harmless(tools: Vec<AnthropicTool>) -> Vec<AnthropicTool> {
    let harmless = |tool: AnthropicTool| AnthropicTool {
        description: tool
            .description
            .map(|text| without_template_tokens(&text).into_owned()),
        input_schema: tool.input_schema.map(without_tokens_in),
        ..tool
    };
    tools.into_iter().map(harmless).collect()
}

/// Turns the top level of `schema` into a plain object schema. Constraints that are lost here still
/// apply, because arguments are validated against the original schema.
fn object_schema(schema: &Value) -> Value {
    let Value::Object(schema) = schema else {
        return json!({"type": "object", "properties": {}});
    };
    let mut top = schema.clone();
    top.insert("type".to_owned(), json!("object"));
    for keyword in COMBINATORS {
        // `shift_remove` keeps the order of the other keywords.
        if let Some(Value::Array(branches)) = top.shift_remove(keyword) {
            for branch in &branches {
                merge(&mut top, branch, keyword == "allOf");
            }
        }
    }
    Value::Object(top)
}

/// Adds the properties of a branch that are not defined yet, and its required properties if the
/// branch always applies.
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
