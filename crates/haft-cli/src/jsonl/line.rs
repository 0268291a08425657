//! Shared by the line formats of all commands: an object in, an object or an error out.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::without_mark;

/// The answers to several lines.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// One line per answer, each with its line end.
    pub(crate) json: Vec<u8>,
    /// Warnings for the user, such as names that are not known.
    pub(crate) warn_of: BTreeSet<String>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    id: &'a Value,
    error: &'a str,
}

impl Answers {
    /// Adds the answer to a line that cannot be read.
    pub(crate) fn refuse(&mut self, id: &Value, error: &str) {
        self.push(&Refusal { id, error });
    }

    /// Adds an answer.
    pub(crate) fn push(&mut self, answer: &impl Serialize) {
        // Neither can fail: the keys are strings, and writing to memory always succeeds.
        let _ = serde_json::to_writer(&mut self.json, answer);
        self.json.push(b'\n');
    }
}

/// Parses the fields of a line, which is a JSON object.
pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    let line = std::str::from_utf8(without_mark(line)).map_err(|_| "The line is not UTF-8")?;
    if line.trim().is_empty() {
        return Err("The line is empty".to_owned());
    }
    // Serde would accept a list as the fields in their order.
    if !line.trim_start().starts_with('{') {
        return Err("The line is not a JSON object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let sentence = error.to_string();
        // The line number in the error is relative to this line.
        let (sentence, _) = sentence.split_once(" at line ").unwrap_or((&sentence, ""));
        format!(
            "The line is not a JSON object: {sentence} at column {}",
            error.column()
        )
    })
}

/// The value of a field; `None` if it has another type.
pub(crate) fn part<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}
