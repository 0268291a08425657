//! Arguments with their secrets masked, for logs.

use haft_core::{Arguments, HIDDEN, is_secret_name, mask_keys};
use serde_json::Value;

/// The arguments as JSON text for a log or a trace. Every secret is masked at any depth, whether
/// its name or its form shows that it is one.
///
/// ```
/// let call = haft_core::ToolCall::new("log_in", serde_json::json!({"user": "me", "password": "p"}), "1");
/// assert_eq!(haft_tools::redacted(&call.args), r#"{"user":"me","password":"[hidden]"}"#);
/// ```
#[must_use]
pub fn redacted(arguments: &Arguments) -> String {
    let mut shown = Value::Object(arguments.clone());
    hide(&mut shown);
    shown.to_string()
}

fn hide(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if is_secret_name(key) {
                    *value = Value::from(HIDDEN);
                } else {
                    hide(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::String(text) => *text = mask_keys(text, HIDDEN),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
