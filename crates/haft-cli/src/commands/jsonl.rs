//! `--jsonl`, which several commands have: one object a line in, one object a line out, in the
//! same order.
//!
//! `pipeline` runs it on all cores, `batches` cuts the input. A command brings a function that
//! answers a line.

mod batches;
mod pipeline;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use self::pipeline::{Job, run};
use crate::failure::Failure;

/// Where lines, or a single text, come from.
pub(crate) struct Input {
    pub(crate) stream: Box<dyn Read + Send>,
    /// What it is called in messages.
    pub(crate) name: String,
    /// In bytes, where that is known.
    length: Option<u64>,
}

/// What is read, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matter {
    /// "reply".
    pub(crate) noun: &'static str,
    /// What to do when there is none.
    pub(crate) hint: &'static str,
}

impl Input {
    /// A file, or stdin for none and for `-`.
    pub(crate) fn open(path: Option<&Path>, matter: Matter) -> Result<Self, Failure> {
        if path.is_none() && io::stdin().is_terminal() {
            let message = format!("There is no {}", matter.noun);
            return Err(Failure::usage(message).with_hint(matter.hint));
        }
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self {
                stream: Box::new(io::stdin()),
                name: format!("The {} on stdin", matter.noun),
                length: None,
            });
        };
        let name = path.display().to_string();
        let failure = |error| Failure::new(format!("{name} cannot be read: {error}"));
        let file = File::open(path).map_err(failure)?;
        let metadata = file.metadata().map_err(failure)?;
        Ok(Self {
            length: metadata.is_file().then_some(metadata.len()),
            stream: Box::new(file),
            name,
        })
    }
}

/// The answers to some lines.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// One line for each, with its line end.
    pub(crate) json: Vec<u8>,
    /// What people are told about on stderr, each thing once.
    pub(crate) remarks: BTreeSet<String>,
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

    /// Adds the answer to a line.
    pub(crate) fn push(&mut self, answer: &impl Serialize) {
        // Neither can fail: the keys are texts, and memory takes every byte.
        let _ = serde_json::to_writer(&mut self.json, answer);
        self.json.push(b'\n');
    }
}

/// A line as an object. Its members are raw, so that the id is known when another one is bad.
pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    let line = std::str::from_utf8(without_mark(line)).map_err(|_| "The line is not UTF-8")?;
    if line.trim().is_empty() {
        return Err("The line is blank".to_owned());
    }
    // A list would be taken for the members in their order.
    if !line.trim_start().starts_with('{') {
        return Err("The line is no JSON object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let sentence = error.to_string();
        // The number of the line in there is that of a line on its own.
        let (sentence, _) = sentence.split_once(" at line ").unwrap_or((&sentence, ""));
        format!(
            "The line is no JSON object: {sentence} at column {}",
            error.column()
        )
    })
}

/// A member of a line as what it should be.
pub(crate) fn part<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// `bytes` without a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
