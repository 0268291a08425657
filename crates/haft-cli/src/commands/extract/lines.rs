//! One line of `--jsonl`, answered by one line.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use haft::extract::{Format, ToolSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::reading::{Manner, Reading};
use super::{definitions, without_mark};

/// How many sets of tools are remembered: more than a collection of replies usually has
/// questions.
const SETS: usize = 2048;

/// In bytes: the text of all of them together. What is made of it takes some ten times as much.
const SETS_TEXT: usize = 8 * 1024 * 1024;

/// What holds for lines that do not say otherwise, and the tools that lines had.
pub(super) struct Defaults {
    tools: ToolSet,
    manner: Manner,
    known: Mutex<Known>,
}

/// Sets of tools by their text, which often comes again with the next line.
#[derive(Default)]
struct Known {
    sets: HashMap<Box<str>, ToolSet>,
    text: usize,
}

/// The answers to some lines.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// One line for each, with its line end.
    pub(super) json: Vec<u8>,
    /// Names of formats that there are not.
    pub(super) unknown_formats: BTreeSet<String>,
}

/// A line, as far as its parts can be found. What they are is checked one by one, so that the
/// id is known when another part is bad.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    reply: Option<&'a RawValue>,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow)]
    format: Option<&'a RawValue>,
    #[serde(borrow)]
    text_mode: Option<&'a RawValue>,
    #[serde(borrow)]
    starts_thinking: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    id: &'a Value,
    error: &'a str,
}

impl Defaults {
    pub(super) fn new(tools: ToolSet, manner: Manner) -> Self {
        Self {
            tools,
            manner,
            known: Mutex::default(),
        }
    }

    /// Answers a line.
    pub(super) fn answer(&self, line: &[u8], answers: &mut Answers) {
        let line = match parse(line) {
            Ok(line) => line,
            Err(error) => return answers.refuse(&Value::Null, &error),
        };
        match self.read(&line, &mut answers.unknown_formats) {
            Ok(reading) => answers.push(&reading.report(Some(&line.id))),
            Err(error) => answers.refuse(&line.id, &error),
        }
    }

    fn read(&self, line: &Line<'_>, unknown: &mut BTreeSet<String>) -> Result<Reading, String> {
        let reply = line.reply.ok_or("`reply` is missing")?;
        let reply: String = part(reply).ok_or("`reply` is no text")?;
        let mut manner = self.manner;
        if let Some(raw) = line.format {
            let name: String = part(raw).ok_or("`format` is no text")?;
            manner.options.format = Format::named(&name).unwrap_or_else(|| {
                unknown.insert(name);
                Format::AUTO
            });
        }
        if let Some(raw) = line.text_mode {
            manner.options.text_mode = part(raw).ok_or("`text_mode` is neither true nor false")?;
        }
        if let Some(raw) = line.starts_thinking {
            manner.options.starts_thinking =
                part(raw).ok_or("`starts_thinking` is neither true nor false")?;
        }
        let tools = match line.tools {
            Some(json) => self.tools(json.get())?,
            None => self.tools.clone(),
        };
        Ok(Reading::of(reply.as_bytes(), &tools, manner))
    }

    /// The tools in this text, prepared once for all lines that have the same.
    fn tools(&self, json: &str) -> Result<ToolSet, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tools) = known().sets.get(json) {
            return Ok(tools.clone());
        }
        let tools = definitions::read(json)?;
        known().keep(json, &tools);
        Ok(tools)
    }
}

impl Known {
    fn keep(&mut self, json: &str, tools: &ToolSet) {
        if json.len() > SETS_TEXT {
            return;
        }
        if self.sets.len() >= SETS || self.text + json.len() > SETS_TEXT {
            *self = Self::default();
        }
        if self.sets.insert(json.into(), tools.clone()).is_none() {
            self.text += json.len();
        }
    }
}

impl Answers {
    /// Adds the answer to a line that cannot be read.
    pub(super) fn refuse(&mut self, id: &Value, error: &str) {
        self.push(&Refusal { id, error });
    }

    fn push(&mut self, answer: &impl Serialize) {
        // Neither can fail: the keys are texts, and memory takes every byte.
        let _ = serde_json::to_writer(&mut self.json, answer);
        self.json.push(b'\n');
    }
}

fn parse(line: &[u8]) -> Result<Line<'_>, String> {
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

fn part<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

#[cfg(test)]
mod tests;
