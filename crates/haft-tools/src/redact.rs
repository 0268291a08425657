//! Arguments as a log may show them.

use haft_core::Arguments;
use serde_json::Value;

/// Parts of a parameter's name that mark its value as secret.
const SECRET: [&str; 8] = [
    "apikey",
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "auth",
    "credential",
];

/// The arguments as JSON text with every secret hidden, at any depth.
pub(crate) fn redacted(arguments: &Arguments) -> String {
    let mut shown = Value::Object(arguments.clone());
    hide(&mut shown);
    shown.to_string()
}

fn hide(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if is_secret(key) {
                    *value = Value::from("[redacted]");
                } else {
                    hide(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        _ => {}
    }
}

fn is_secret(key: &str) -> bool {
    let key: String = key
        .chars()
        .filter(|c| c.is_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // "author" is no secret.
    SECRET.iter().any(|part| key.contains(part)) && !key.contains("author")
        || key.contains("authoriz")
}

#[cfg(test)]
mod tests;
