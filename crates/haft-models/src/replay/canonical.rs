//! The canonical form of requests, in which a request is compared with a recorded one: secrets are
//! masked, call ids numbered, and the order of keys is ignored, as is the context size, which
//! depends on what the server had loaded.

use std::collections::HashMap;

use haft_core::{is_secret_name, mask_keys};
use serde_json::Value;

/// The text in place of a secret.
pub(super) const MASK: &str = "REDACTED";

/// The maximum number of differences that are counted.
const MOST_DIFFERENCES: usize = 200;

/// Converts a request to its canonical form.
pub(super) fn canonical(request: &Value) -> Value {
    let mut request = request.clone();
    if let Some(Value::Object(options)) = request.get_mut("options") {
        options.remove("num_ctx");
        if options.is_empty()
            && let Value::Object(fields) = &mut request
        {
            fields.remove("options");
        }
    }
    mask(&mut request);
    number_ids(&mut request, &mut HashMap::new());
    request
}

/// Masks everything that looks like a secret, by its name or by its text. A text that is a JSON
/// object, such as the arguments of a call, is searched too.
pub(super) fn mask(value: &mut Value) {
    match value {
        Value::String(text) => {
            let inner = text.starts_with('{').then(|| serde_json::from_str(text));
            if let Some(Ok(mut inner @ Value::Object(_))) = inner {
                let before = inner.clone();
                mask(&mut inner);
                if inner != before {
                    *text = inner.to_string();
                }
            } else {
                *text = mask_text(text);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if is_secret_name(name) => MASK.clone_into(text),
                    other => mask(other),
                }
            }
        }
        _ => {}
    }
}

/// Masks the words of `text` that look like keys.
pub(super) fn mask_text(text: &str) -> String {
    mask_keys(text, MASK)
}

/// Replaces the ids of calls by their number: they are fresh in every conversation.
fn number_ids(value: &mut Value, numbers: &mut HashMap<String, usize>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| number_ids(item, numbers)),
        Value::Object(fields) => {
            let is_call = fields.contains_key("function")
                || fields.get("type").and_then(Value::as_str) == Some("tool_use");
            for (name, value) in fields {
                match value {
                    Value::String(id)
                        if name == "tool_call_id"
                            || name == "tool_use_id"
                            || (is_call && name == "id") =>
                    {
                        let next = numbers.len();
                        let number = numbers.entry(id.clone()).or_insert(next);
                        *id = format!("call {number}");
                    }
                    other => number_ids(other, numbers),
                }
            }
        }
        _ => {}
    }
}

/// One difference between two requests.
#[derive(Debug, PartialEq)]
pub(super) struct Difference<'a> {
    /// Where, as a JSON pointer.
    pub(super) path: String,
    /// What was recorded there, if anything.
    pub(super) recorded: Option<&'a Value>,
    /// What is asked there now, if anything.
    pub(super) asked: Option<&'a Value>,
}

/// The differences in the order of the recorded request, up to a bound.
pub(super) fn differences<'a>(recorded: &'a Value, asked: &'a Value) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    compare(String::new(), Some(recorded), Some(asked), &mut found);
    found
}

fn compare<'a>(
    path: String,
    recorded: Option<&'a Value>,
    asked: Option<&'a Value>,
    found: &mut Vec<Difference<'a>>,
) {
    if recorded == asked || found.len() >= MOST_DIFFERENCES {
        return;
    }
    match (recorded, asked) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let added = b.keys().filter(|name| !a.contains_key(*name));
            for name in a.keys().chain(added) {
                let step = name.replace('~', "~0").replace('/', "~1");
                compare(format!("{path}/{step}"), a.get(name), b.get(name), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for index in 0..a.len().max(b.len()) {
                compare(format!("{path}/{index}"), a.get(index), b.get(index), found);
            }
        }
        _ => found.push(Difference {
            path,
            recorded,
            asked,
        }),
    }
}

#[cfg(test)]
mod tests;
