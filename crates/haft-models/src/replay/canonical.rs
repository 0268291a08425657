//! When two requests are the same: secrets masked, call ids numbered, the order of keys ignored,
//! and the size of the context, which follows what the server had loaded.

use std::collections::HashMap;

use serde_json::Value;

/// What stands where a secret was.
pub(super) const MASK: &str = "REDACTED";

/// Names, without dashes and underscores, whose text values are secrets.
const SECRET_NAMES: [&str; 9] = [
    "apikey",
    "accesstoken",
    "authtoken",
    "authorization",
    "clientsecret",
    "password",
    "refreshtoken",
    "secret",
    "token",
];

/// How keys of well-known services begin.
const SECRET_PREFIXES: [&str; 10] = [
    "sk-",
    "gsk_",
    "hf_",
    "ghp_",
    "gho_",
    "github_pat_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
];

/// The fewest characters that follow such a beginning in a real key.
const SECRET_LENGTH: usize = 12;

/// Differences beyond this many do not make a request any less alike.
const MOST_DIFFERENCES: usize = 200;

/// A request as it is compared.
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

/// Masks what looks like a secret, by its name or by itself.
pub(super) fn mask(value: &mut Value) {
    match value {
        Value::String(text) => *text = mask_text(text),
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

fn is_secret_name(name: &str) -> bool {
    let plain = name.replace(['-', '_'], "").to_ascii_lowercase();
    SECRET_NAMES.contains(&plain.as_str())
}

/// Masks the words of `text` that look like keys.
pub(super) fn mask_text(text: &str) -> String {
    if !SECRET_PREFIXES.iter().any(|prefix| text.contains(prefix)) {
        return text.to_owned();
    }
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut masked = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c| !in_word(c)) {
        let word = piece.trim_end_matches(|c| !in_word(c));
        let is_key = SECRET_PREFIXES.iter().any(|prefix| {
            let rest = word.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.len() >= SECRET_LENGTH)
        });
        masked.push_str(if is_key { MASK } else { word });
        masked.extend(piece.chars().skip(word.chars().count()));
    }
    masked
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
