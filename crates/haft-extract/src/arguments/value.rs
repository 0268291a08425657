//! Reads values and arguments as models write them: JSON, Python literals, and the damage of both.
//!
//! What is valid JSON is left to `serde_json`. Everything else goes once through a reader that
//! repairs what can be repaired without guessing and records it: `value_reader` is its frame, `between`
//! skips what stands between values, `brackets` reads objects and lists, `text` strings, `bare` what
//! has no quotes. What stands between the parentheses of a call is read here: an
//! object with or without braces, named arguments, positional ones, or nothing. Where strings end is
//! the rule of [`lexis`](crate::scan::lexis).

mod bare;
mod between;
mod brackets;
mod text;
mod value_reader;

use haft_core::Arguments;
use haft_schema::{Repair, RepairKind};
use serde_json::Value;

use crate::scan::{Place, key_follows};
use value_reader::{Last, ValueReader};

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
    let mut reader = ValueReader::new(text, cut);
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
    let mut reader = ValueReader::new(text, cut);
    let value = reader.alone()?;
    let end = reader.at;
    Ok((reader.finish(value), end))
}

/// The arguments of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallArguments<'t> {
    /// Those with a name.
    pub(crate) named: Arguments,
    /// Those without, in order.
    pub(crate) positional: Vec<Positional<'t>>,
}

/// An argument without a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Positional<'t> {
    /// What it says.
    pub(crate) value: Value,
    /// How it is written.
    pub(crate) written: &'t str,
    /// It stands in quotes.
    pub(crate) is_quoted: bool,
}

impl CallArguments<'_> {
    /// The arguments by name when the tool is not known: positional ones become `arg0`, `arg1`
    /// and so on, as the text that was written.
    pub(crate) fn into_texts(self) -> Arguments {
        let positional = self.positional.into_iter().enumerate();
        let texts = positional.map(|(index, argument)| {
            let text = match argument.value {
                Value::String(text) if argument.is_quoted => text,
                _ => argument.written.to_owned(),
            };
            (format!("arg{index}"), Value::String(text))
        });
        texts.chain(self.named).collect()
    }
}

/// Reads what stands between the parentheses of a call, or after its name. `cut`: the reply ended
/// before the closing parenthesis.
pub(crate) fn read_parenthesized(
    text: &str,
    cut: bool,
) -> Result<Read<CallArguments<'_>>, ReadError> {
    if text.trim_start().starts_with('{')
        && let Ok(Value::Object(named)) = serde_json::from_str(text)
    {
        let positional = Vec::new();
        let value = CallArguments { named, positional };
        return Ok(Read::unrepaired(value));
    }
    let mut reader = ValueReader::new(text, cut);
    reader.is_enclosed = true;
    reader.blanks();
    let is_quoted = matches!(reader.peek(), Some(b'"' | b'\'' | b'`'));
    let is_members = is_quoted && key_follows(reader.rest());
    reader.is_python = !is_members && reader.peek() != Some(b'{');
    if is_members {
        reader.repair(RepairKind::BracesSupplied, "", "{}");
    }
    let mut arguments = reader.parts(None)?;
    if let [only] = arguments.positional.as_mut_slice()
        && let Value::Object(members) = &mut only.value
        && arguments.named.is_empty()
    {
        arguments.named = std::mem::take(members);
        arguments.positional.clear();
    }
    Ok(reader.finish(arguments))
}

impl<'t> ValueReader<'t> {
    /// `dict(a=1)`, from its parenthesis on.
    pub(super) fn dict(&mut self) -> Result<Value, ReadError> {
        self.enter(b')')?;
        let was_named = self.is_named;
        let arguments = self.parts(Some(b')'))?;
        self.is_named = was_named;
        match arguments.positional.is_empty() {
            true => Ok(Value::Object(arguments.named)),
            false => Err(self.expected("named parts of a dict")),
        }
    }

    /// The arguments up to `closer`, or up to the end.
    fn parts(&mut self, closer: Option<u8>) -> Result<CallArguments<'t>, ReadError> {
        let mut arguments = CallArguments::default();
        while self.next_part(closer)? {
            let start = self.at;
            self.is_named = key_follows(self.rest());
            if self.is_named {
                let key = self.key()?;
                if !self.colon() {
                    return Err(self.expected("a value"));
                }
                self.member(key, Place::Argument, &mut arguments.named)?;
                continue;
            }
            let is_quoted = self.quote().is_some();
            let value = self.value(Place::Argument)?;
            let is_first = arguments.positional.is_empty();
            if is_quoted && is_first && self.cut && self.at == self.source.len() {
                // It may have become the name of a member.
                return Err(ReadError::CutOff);
            }
            arguments.positional.push(Positional {
                value,
                written: self.slice(start, self.at).trim(),
                is_quoted,
            });
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests;
