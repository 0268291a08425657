//! Answers one line of `--jsonl` with one line.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use haft::extract::{Format, ToolSet};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::reading::{Manner, Reading};
use crate::commands::definitions;
use crate::jsonl::{Answers, parse, part};

/// The number of tool sets that are cached: more than a dataset usually has.
const SETS: usize = 2048;

/// The maximum size of their texts in bytes. The prepared tool sets take some ten times as much
/// memory.
const SETS_TEXT: usize = 8 * 1024 * 1024;

/// The defaults for lines that do not override them, and the cache of tool sets.
pub(super) struct Defaults {
    tools: ToolSet,
    manner: Manner,
    known: Mutex<Known>,
}

/// Tool sets by their JSON text, which is often equal in consecutive lines.
#[derive(Default)]
struct Known {
    sets: HashMap<Box<str>, ToolSet>,
    text: usize,
}

/// The raw fields of a line. They are parsed one by one, so that the id is known even if another
/// field is invalid.
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
    bare_calls: Option<&'a RawValue>,
    #[serde(borrow)]
    thought_calls: Option<&'a RawValue>,
    #[serde(borrow)]
    starts_thinking: Option<&'a RawValue>,
}

impl Defaults {
    pub(super) fn new(tools: ToolSet, manner: Manner) -> Self {
        Self {
            tools,
            manner,
            known: Mutex::default(),
        }
    }

    pub(super) fn answer(&self, line: &[u8], answers: &mut Answers) {
        let line = match parse::<Line<'_>>(line) {
            Ok(line) => line,
            Err(error) => return answers.refuse(&Value::Null, &error),
        };
        match self.read(&line, &mut answers.warn_of) {
            Ok(reading) => answers.push(&reading.report(Some(&line.id))),
            Err(error) => answers.refuse(&line.id, &error),
        }
    }

    fn read(&self, line: &Line<'_>, unknown: &mut BTreeSet<String>) -> Result<Reading, String> {
        let reply = line.reply.ok_or("`reply` is missing")?;
        let reply: String = part(reply).ok_or("`reply` is not a string")?;
        let mut manner = self.manner;
        if let Some(raw) = line.format {
            let name: String = part(raw).ok_or("`format` is not a string")?;
            manner.options.format = Format::named(&name).unwrap_or_else(|| {
                unknown.insert(name);
                Format::Auto
            });
        }
        if let Some(raw) = line.text_mode {
            manner.options.text_mode = part(raw).ok_or("`text_mode` is neither true nor false")?;
        }
        if let Some(raw) = line.bare_calls {
            let when: Option<String> = part(raw);
            let when = when.and_then(|when| when.parse().ok());
            manner.options.bare_calls =
                when.ok_or("`bare_calls` is neither always nor judged nor never")?;
        }
        if let Some(raw) = line.thought_calls {
            manner.options.thought_calls =
                part(raw).ok_or("`thought_calls` is neither true nor false")?;
        }
        if let Some(raw) = line.starts_thinking {
            manner.guessed = false;
            manner.options.starts_thinking =
                part(raw).ok_or("`starts_thinking` is neither true nor false")?;
        }
        let tools = match line.tools {
            Some(json) => self.tools(json.get())?,
            None => self.tools.clone(),
        };
        Ok(Reading::of(reply.as_bytes(), &tools, manner))
    }

    /// The tools in this text, prepared once for all lines with the same text.
    fn tools(&self, json: &str) -> Result<ToolSet, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tools) = known().sets.get(json) {
            return Ok(tools.clone());
        }
        let tools = definitions::tool_set(json)?;
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

#[cfg(test)]
mod tests;
