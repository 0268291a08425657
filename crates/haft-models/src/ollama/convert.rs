//! Converts tools to the Qwen format, and validates that format.
//!
//! The conversion is literal; `schema.rs` then rewrites what Ollama would drop from a schema.

use std::sync::Arc;

use haft_core::{ModelError, ModelErrorKind, Tool};
use serde_json::{Map, Value, json};
use tracing::debug;

use super::wire::{QwenFunction, QwenTool, QwenToolType};

/// Converts tools to the Qwen format, in the same order; `None` gives an empty list.
///
/// The name is the tool's `lc_name` if it has one; a missing schema becomes that of a tool without
/// arguments. No other data of a tool is sent. Logs the number of converted tools.
///
/// ```
/// # use std::sync::Arc;
/// # use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
/// # use serde_json::Value;
/// # #[derive(Debug)]
/// # struct Ping;
/// # #[async_trait::async_trait]
/// # impl Tool for Ping {
/// #     fn name(&self) -> &str { "ping" }
/// #     fn description(&self) -> &str { "Say pong" }
/// #     fn schema(&self) -> &Value { &Value::Null }
/// #     async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> { Ok("pong".into()) }
/// # }
/// let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Ping)];
/// let converted = haft_models::to_qwen_tools(Some(&tools));
/// assert_eq!(
///     serde_json::to_value(&converted).unwrap(),
///     serde_json::json!([{"type": "function", "function": {
///         "name": "ping",
///         "description": "Say pong",
///         "parameters": {"type": "object", "properties": {}},
///     }}]),
/// );
/// assert!(haft_models::to_qwen_tools(None).is_empty());
/// ```
#[must_use]
pub fn to_qwen_tools(tools: Option<&[Arc<dyn Tool>]>) -> Vec<QwenTool> {
    let tools = tools.unwrap_or_default();
    let converted = tools.iter().map(|tool| to_qwen_tool(tool.as_ref()));
    let converted: Vec<_> = converted.collect();
    debug!(
        "🔧 Converted {} tools from LangChain to Qwen format",
        converted.len()
    );
    converted
}

fn to_qwen_tool(tool: &dyn Tool) -> QwenTool {
    let parameters = match tool.schema() {
        Value::Null => json!({"type": "object", "properties": {}}),
        schema => schema.clone(),
    };
    QwenTool {
        kind: QwenToolType::Function,
        function: QwenFunction {
            name: tool.lc_name().unwrap_or_else(|| tool.name()).to_owned(),
            description: tool.description().to_owned(),
            parameters,
        },
    }
}

/// Validates that a JSON value is a tool in the Qwen format: exactly `type` and `function`, with a
/// name, a description, and parameters that describe an object.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`], naming the first invalid field and what is expected.
///
/// ```
/// use haft_models::validate_qwen_tool;
/// use serde_json::json;
///
/// let wrong = json!({"type": "function", "name": "ping"});
/// let error = validate_qwen_tool(&wrong).unwrap_err();
/// assert_eq!(error.to_string(), "Not a tool in Qwen format: `function` must be an object");
/// ```
pub fn validate_qwen_tool(tool: &Value) -> Result<(), ModelError> {
    check(tool).map_err(|problem| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("Not a tool in Qwen format: {problem}"),
        )
        .with_hint(
            "it must look like {\"type\": \"function\", \"function\": {\"name\", \
             \"description\", \"parameters\"}}",
        )
    })
}

fn check(tool: &Value) -> Result<(), String> {
    let tool = tool.as_object().ok_or("a tool must be an object")?;
    if tool.get("type").and_then(Value::as_str) != Some("function") {
        return Err("`type` must be \"function\"".to_owned());
    }
    let function = object(tool, "function")?;
    only(tool, &["type", "function"], "beside `function`")?;
    let name = function.get("name").and_then(Value::as_str);
    if name.is_none_or(|name| name.trim().is_empty()) {
        return Err("`name` must be a text that is not empty".to_owned());
    }
    if !function.get("description").is_some_and(Value::is_string) {
        return Err("`description` must be a text".to_owned());
    }
    let parameters = object(function, "parameters")?;
    only(
        function,
        &["name", "description", "parameters"],
        "in `function`",
    )?;
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        return Err("the `type` of `parameters` must be \"object\"".to_owned());
    }
    check_properties(parameters)
}

fn check_properties(parameters: &Map<String, Value>) -> Result<(), String> {
    if let Some(properties) = parameters.get("properties") {
        let properties = properties
            .as_object()
            .ok_or("`properties` must be an object")?;
        if let Some((name, _)) = properties.iter().find(|(_, schema)| !schema.is_object()) {
            return Err(format!("the property `{name}` must be an object"));
        }
    }
    let Some(required) = parameters.get("required") else {
        return Ok(());
    };
    let names = required.as_array().ok_or("`required` must be a list")?;
    if names.iter().all(Value::is_string) {
        Ok(())
    } else {
        Err("`required` must be a list of names".to_owned())
    }
}

fn object<'a>(parent: &'a Map<String, Value>, key: &str) -> Result<&'a Map<String, Value>, String> {
    parent
        .get(key)
        .and_then(Value::as_object)
        .ok_or_else(|| format!("`{key}` must be an object"))
}

fn only(map: &Map<String, Value>, allowed: &[&str], place: &str) -> Result<(), String> {
    match map.keys().find(|key| !allowed.contains(&key.as_str())) {
        Some(key) => Err(format!("`{key}` has no place {place}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
