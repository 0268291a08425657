//! Builds correct calls from a gold answer, and injects faults into them.

use std::sync::Arc;

use haft_core::{Arguments, Tool, ToolCall};
use serde_json::{Map, Number, Value, json};

use crate::case::{Case, Expected, GoldCall};
use crate::statistics::Random;

/// The maximum depth for generated values; deeper schemas get an empty value.
const MAX_DEPTH: usize = 8;

/// The expected calls, or none if one of their tools is not bound.
pub(crate) fn right(case: &Case, tools: &[Arc<dyn Tool>]) -> Vec<ToolCall> {
    match &case.expected {
        Expected::NoCall => Vec::new(),
        Expected::SomeCall => unneeded(tools),
        Expected::Calls(lists) => {
            let Some(gold) = lists.first() else {
                return Vec::new();
            };
            let calls: Option<Vec<ToolCall>> = gold
                .iter()
                .enumerate()
                .map(|(at, gold)| {
                    let tool = tools.iter().find(|tool| tool.name() == gold.name)?;
                    Some(ToolCall::new(
                        &gold.name,
                        Value::Object(accepted(gold, tool.schema())),
                        id(at),
                    ))
                })
                .collect();
            calls.unwrap_or_default()
        }
    }
}

/// An unneeded call of the first bound tool.
pub(super) fn unneeded(tools: &[Arc<dyn Tool>]) -> Vec<ToolCall> {
    let tool = tools.first();
    let call = tool.map(|tool| ToolCall::new(tool.name(), filled(tool.schema(), 0), id(0)));
    call.into_iter().collect()
}

fn id(at: usize) -> String {
    format!("flaky_{at}")
}

/// Accepted arguments, without the optional ones where the schema allows it.
fn accepted(gold: &GoldCall, schema: &Value) -> Arguments {
    let required = |name: &str| {
        let required = schema.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let mut args = Arguments::new();
    for (name, values) in &gold.args {
        if values.iter().any(|value| value == "") && !required(name) {
            continue;
        }
        if let Some(value) = values.iter().find(|value| *value != "") {
            args.insert(
                name.clone(),
                concrete(
                    value,
                    schema.get("properties").and_then(|all| all.get(name)),
                ),
            );
        }
    }
    args
}

/// An accepted value as a model writes it: an object gets the first accepted value of each key.
fn concrete(value: &Value, schema: Option<&Value>) -> Value {
    match value {
        Value::Object(fields) => {
            let property =
                |name: &str| schema.and_then(|schema| schema.get("properties")?.get(name));
            let fields = fields.iter().filter_map(|(name, accepted)| {
                let wants_list = property(name)
                    .is_some_and(|schema| schema.get("type") == Some(&json!("array")));
                let first = match accepted {
                    // Some lists are one accepted value, not a list of accepted values.
                    Value::Array(values) if wants_list && !values.iter().any(Value::is_array) => {
                        Some(accepted)
                    }
                    Value::Array(values) => values.iter().find(|value| *value != ""),
                    other => Some(other),
                };
                Some((name.clone(), concrete(first?, property(name))))
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => {
            let schema = schema.and_then(|schema| schema.get("items"));
            Value::Array(items.iter().map(|item| concrete(item, schema)).collect())
        }
        other => other.clone(),
    }
}

/// A value that is valid for `schema`.
fn filled(schema: &Value, depth: usize) -> Value {
    if let Some(first) = schema.get("enum").and_then(|choices| choices.get(0)) {
        return first.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => json!(1),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") if depth < MAX_DEPTH => {
            let required = schema.get("required").and_then(Value::as_array);
            let names = required.into_iter().flatten().filter_map(Value::as_str);
            let fields = names.filter_map(|name| {
                let property = schema.get("properties")?.get(name)?;
                Some((name.to_owned(), filled(property, depth + 1)))
            });
            Value::Object(fields.collect())
        }
        Some("object") => Value::Object(Map::new()),
        _ => json!("example"),
    }
}

/// Turns numbers, lists and booleans in the arguments into strings.
pub(super) fn with_wrong_types(mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
    for value in calls.iter_mut().flat_map(|call| call.args.values_mut()) {
        if !value.is_string() {
            *value = Value::String(value.to_string());
        }
    }
    calls
}

fn schema_of<'t>(call: &ToolCall, tools: &'t [Arc<dyn Tool>]) -> Option<&'t Value> {
    let tool = tools.iter().find(|tool| tool.name() == call.name)?;
    Some(tool.schema())
}

/// Removes a required argument of the first call; if there is none, renames the tools to one that
/// does not exist.
pub(super) fn without_an_argument(
    mut calls: Vec<ToolCall>,
    tools: &[Arc<dyn Tool>],
) -> Vec<ToolCall> {
    let Some(call) = calls.first_mut() else {
        return calls;
    };
    let schema = schema_of(call, tools);
    let required = schema.and_then(|schema| schema.get("required")?.as_array());
    let name = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| call.args.contains_key(*name));
    match name {
        Some(name) => {
            call.args.shift_remove(name);
            calls
        }
        None => of_an_invented_tool(calls),
    }
}

/// Replaces the tools of all calls by one that does not exist.
pub(super) fn of_an_invented_tool(mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
    for call in &mut calls {
        call.name = "perform_requested_operation".to_owned();
    }
    calls
}

/// Gives the first call a wrong value that is still valid for the schema.
pub(super) fn with_a_wrong_value(
    mut calls: Vec<ToolCall>,
    tools: &[Arc<dyn Tool>],
) -> Vec<ToolCall> {
    let Some(call) = calls.first_mut() else {
        return calls;
    };
    let schema = schema_of(call, tools);
    let property = |name: &str| schema.and_then(|schema| schema.get("properties")?.get(name));
    for (name, value) in &mut call.args {
        if let Some(wrong) = other_than(value, property(name)) {
            *value = wrong;
            return calls;
        }
    }
    // No value can be made wrong: add one call too many.
    calls.extend(
        calls
            .first()
            .cloned()
            .map(|call| ToolCall { id: id(99), ..call }),
    );
    calls
}

fn other_than(value: &Value, schema: Option<&Value>) -> Option<Value> {
    if let Some(choices) = schema.and_then(|schema| schema.get("enum")?.as_array()) {
        return choices.iter().find(|choice| *choice != value).cloned();
    }
    match value {
        Value::String(text) => Some(format!("something other than {text}").into()),
        Value::Bool(yes) => Some((!yes).into()),
        Value::Number(number) => {
            let whole = number
                .as_i64()
                .map(|number| Number::from(number.saturating_add(1)));
            whole
                .or_else(|| Number::from_f64(number.as_f64()? + 1.0))
                .map(Value::Number)
        }
        _ => None,
    }
}

/// Writes calls as text in one of the formats that models print, with damage that can be repaired.
pub(super) fn as_damaged_text(calls: &[ToolCall], random: &mut Random) -> String {
    let form = random.below(4);
    let texts = calls.iter().map(|call| {
        let object = json!({"name": call.name, "arguments": call.args});
        let json = object.to_string();
        match form {
            // A trailing comma.
            0 => format!(
                "<tool_call>\n{},}}\n</tool_call>",
                json.strip_suffix('}').unwrap_or(&json)
            ),
            // The last brace is missing.
            1 => format!(
                "<tool_call>\n{}\n</tool_call>",
                json.strip_suffix('}').unwrap_or(&json)
            ),
            // In a code fence after a sentence.
            2 => format!("I will call the tool now:\n```json\n{json}\n```"),
            // With another key for the arguments.
            _ => format!("{}", json!({"name": call.name, "parameters": call.args})),
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}
