//! Finds secrets and masks them in text.
//!
//! [`is_secret_name`], [`mask_url`] and [`mask_arguments`] recognise secrets in names, URLs and
//! command lines. [`Secrets`] collects known secrets and masks them wherever they occur, for
//! example in the response of a server that repeats them. There is no global state.

mod command;
mod looks;
mod url;

use std::fmt;

use serde_json::Value;

pub use self::command::mask_arguments;
pub use self::looks::{HIDDEN, is_secret_name, looks_like_key, mask_keys};
pub use self::url::mask_url;

use self::command::arguments;
use self::looks::is_placeholder;
use self::url::address;

/// Shorter values are not masked, because they occur in ordinary text.
const SHORTEST: usize = 4;

/// Shorter values are only masked as whole words, because a password may be part of an ordinary
/// word.
const SURE: usize = 8;

/// A set of known secrets. Its `Debug` output shows only their number.
///
/// ```
/// use haft_core::Secrets;
///
/// let mut secrets = Secrets::default();
/// secrets.add_header("Bearer abc-123456");
/// secrets.add_url("https://me:pa55word@host/mcp?token=t0ken");
/// assert_eq!(secrets.mask("no key abc-123456 for pa55word"), "no key [hidden] for [hidden]");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The secrets, longest first, as one may be part of another.
    values: Vec<String>,
}

impl Secrets {
    /// Adds a value, unless it is too short to differ from an ordinary word or only a reference to
    /// a variable such as `${TOKEN}`.
    pub fn add(&mut self, value: &str) {
        let value = value.trim();
        if value.len() < SHORTEST || is_placeholder(value) || self.has(value) {
            return;
        }
        self.values.push(value.to_owned());
        // As escaped in JSON.
        let quoted = Value::from(value).to_string();
        let inside = quoted.trim_matches('"');
        if inside != value && !self.has(inside) {
            self.values.push(inside.to_owned());
        }
        self.values
            .sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    fn has(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value)
    }

    /// Adds the value of a header such as `Authorization`, with and without its scheme.
    pub fn add_header(&mut self, value: &str) {
        let value = value.trim();
        match value.split_once(' ') {
            // Servers repeat the part after `Bearer`, `Basic` or `Token`.
            Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphabetic()) => {
                self.add(rest);
            }
            _ => self.add(value),
        }
    }

    /// Adds a named value if its name or its form shows that it is a secret.
    pub fn add_named(&mut self, name: &str, value: &str) {
        if looks::is_secret_parameter(name) || looks_like_key(value) {
            self.add_header(value);
        } else if value.contains("://") {
            self.add_url(value);
        }
    }

    /// Adds the user, the password and the keys of a URL.
    pub fn add_url(&mut self, text: &str) {
        address(text, &mut |secret| self.add(secret));
    }

    /// Adds the secrets among the arguments of a command.
    pub fn add_arguments<S: AsRef<str>>(&mut self, words: &[S]) {
        arguments(words, &mut |secret| self.add(secret));
    }

    /// Adds all secrets of another set.
    pub fn extend(&mut self, others: &Self) {
        for value in &others.values {
            self.add(value);
        }
    }

    /// True when the set has no secrets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Replaces every secret in `text` by [`HIDDEN`].
    #[must_use]
    pub fn mask(&self, text: &str) -> String {
        self.mask_with(text, HIDDEN)
    }

    /// Replaces every secret in `text` by `mask`.
    #[must_use]
    pub fn mask_with(&self, text: &str, mask: &str) -> String {
        let mut masked = text.to_owned();
        for value in self.values.iter().filter(|value| text.contains(*value)) {
            masked = match value.len() {
                SURE.. => masked.replace(value.as_str(), mask),
                _ => replace_word(&masked, value, mask),
            };
        }
        masked
    }

    /// Replaces every secret in the strings and keys of `value` by [`HIDDEN`].
    #[must_use]
    pub fn mask_json(&self, value: Value) -> Value {
        self.mask_json_with(value, HIDDEN)
    }

    /// Replaces every secret in the strings and keys of `value` by `mask`.
    #[must_use]
    pub fn mask_json_with(&self, value: Value, mask: &str) -> Value {
        if self.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.mask_with(&text, mask)),
            Value::Array(items) => {
                let items = items.into_iter();
                items.map(|item| self.mask_json_with(item, mask)).collect()
            }
            Value::Object(members) => {
                let masked = members.into_iter().map(|(name, value)| {
                    (
                        self.mask_with(&name, mask),
                        self.mask_json_with(value, mask),
                    )
                });
                Value::Object(masked.collect())
            }
            other => other,
        }
    }
}

/// Replaces `word` by `mask` where no letter or digit is next to it.
fn replace_word(text: &str, word: &str, mask: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        let is_part =
            before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        replaced.push_str(before);
        replaced.push_str(if is_part { word } else { mask });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.values.len())
    }
}

#[cfg(test)]
mod tests;
