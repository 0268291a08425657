//! Requests in the form that tools replaced in 2023: `functions`, `function_call`, and messages of
//! the role `function` (OpenAI's API reference, "Create chat completion", deprecated fields).
//!
//! They are rewritten with tools, as few model servers know the older form. A reply has one call at
//! most then.

use serde_json::{Map, Value, json};

/// The form of the calls in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallForm {
    /// `tool_calls`.
    Tools,
    /// One `function_call`.
    Function,
}

/// A request with tools in place of functions.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) body: Vec<u8>,
    pub(super) calls: CallForm,
}

/// The request with tools, if it is in the older form.
pub(super) fn rewritten(body: &[u8]) -> Option<Rewritten> {
    let text = std::str::from_utf8(body).ok()?;
    // Most requests need not be parsed for this.
    let has = |name: &str| text.contains(name);
    if !has("\"functions\"") && !has("\"function_call\"") {
        return None;
    }
    let mut request: Value = serde_json::from_str(text).ok()?;
    let fields = request.as_object_mut()?;
    let tools = with_tools(fields);
    let calls = with_calls(fields);
    if tools == CallForm::Tools && !calls {
        return None;
    }
    Some(Rewritten {
        body: request.to_string().into_bytes(),
        calls: tools,
    })
}

/// Replaces the functions by tools. The form is that of the calls which the client expects.
fn with_tools(request: &mut Map<String, Value>) -> CallForm {
    let choice = request.remove("function_call");
    let functions = match request.remove("functions") {
        Some(Value::Array(functions)) if !request.contains_key("tools") => functions,
        _ => return CallForm::Tools,
    };
    let tools = functions
        .into_iter()
        .map(|function| json!({"type": "function", "function": function}));
    request.insert("tools".to_owned(), tools.collect());
    request.insert("parallel_tool_calls".to_owned(), false.into());
    match choice {
        None | Some(Value::Null) => {}
        Some(named @ Value::Object(_)) => {
            let choice = json!({"type": "function", "function": named});
            request.insert("tool_choice".to_owned(), choice);
        }
        Some(mode) => {
            request.insert("tool_choice".to_owned(), mode);
        }
    }
    CallForm::Function
}

/// Replaces the calls and the results in the conversation; false if there are none.
fn with_calls(request: &mut Map<String, Value>) -> bool {
    let messages = request.get_mut("messages").and_then(Value::as_array_mut);
    let mut id = None;
    for (place, message) in messages.into_iter().flatten().enumerate() {
        let Some(message) = message.as_object_mut() else {
            continue;
        };
        if let Some(call @ Value::Object(_)) = message.remove("function_call") {
            let new = format!("call_{place}");
            let call = json!([{"id": new, "type": "function", "function": call}]);
            message.insert("tool_calls".to_owned(), call);
            id = Some(new);
        }
        if message.get("role").and_then(Value::as_str) == Some("function")
            && let Some(id) = &id
        {
            message.insert("role".to_owned(), "tool".into());
            message.insert("tool_call_id".to_owned(), id.as_str().into());
        }
    }
    id.is_some()
}

#[cfg(test)]
mod tests;
