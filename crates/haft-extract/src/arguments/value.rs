//! Reads values and arguments as models write them: JSON, Python literals, and the damage of both.
//!
//! What is valid JSON is left to `serde_json`. Everything else goes once through a reader that
//! repairs what can be repaired without guessing and records it: `reader` is its frame, `between`
//! skips what stands between values, `brackets` reads objects and lists, `text` strings, `bare` what
//! has no quotes, `number` numbers, `repairs` keeps the record, `arguments` reads what stands between
//! the parentheses of a call. Where strings end is the rule of [`lexis`](crate::scan::lexis).

mod arguments;
mod bare;
mod between;
mod brackets;
mod number;
mod reader;
mod repairs;
mod text;

use haft_schema::Repair;
use serde_json::Value;

pub(crate) use arguments::{CallArguments, read_arguments};
use reader::Reader;

/// What was read, and what was repaired on the way: at most one repair of each kind, with their
/// number in words if there were more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read<T> {
    /// What was read.
    pub(crate) value: T,
    /// What was repaired, in order.
    pub(crate) repairs: Vec<Repair>,
}

impl<T> Read<T> {
    /// What needed no mending.
    pub(crate) fn unrepaired(value: T) -> Self {
        let repairs = Vec::new();
        Self { value, repairs }
    }
}

/// Why a text is not a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// It ends in the middle of a value.
    CutOff,
    /// Something else stands where a value, or a part of one, belongs.
    Unreadable {
        /// Where, in bytes.
        at: usize,
        /// What belongs there.
        expected: &'static str,
    },
}

/// Reads one whole value; blanks and comments around it are fine. `cut`: the text may lack its
/// closers because the reply ended there.
pub(crate) fn read_value(text: &str, cut: bool) -> Result<Read<Value>, ReadError> {
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(Read::unrepaired(value));
    }
    let mut reader = Reader::new(text, cut);
    let value = reader.alone()?;
    reader.leftovers()?;
    Ok(reader.finish(value))
}

/// Reads the first value of `text`, and says how many bytes it takes.
pub(crate) fn read_value_prefix(text: &str, cut: bool) -> Result<(Read<Value>, usize), ReadError> {
    if text.trim_start().starts_with(['{', '[']) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            return Ok((Read::unrepaired(value), values.byte_offset()));
        }
    }
    let mut reader = Reader::new(text, cut);
    let value = reader.alone()?;
    let end = reader.at;
    Ok((reader.finish(value), end))
}

#[cfg(test)]
mod tests;
