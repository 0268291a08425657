//! What stands between the parentheses of a call: an object with or without braces, named
//! arguments, positional ones, or nothing.

use haft_core::Arguments;
use haft_schema::RepairKind;
use serde_json::Value;

use super::reader::Reader;
use super::{Read, ReadError};
use crate::scan::lexis::{Place, key_follows};

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
pub(crate) fn read_arguments(text: &str, cut: bool) -> Result<Read<CallArguments<'_>>, ReadError> {
    if text.trim_start().starts_with('{')
        && let Ok(Value::Object(named)) = serde_json::from_str(text)
    {
        let positional = Vec::new();
        let value = CallArguments { named, positional };
        return Ok(Read::unrepaired(value));
    }
    let mut reader = Reader::new(text, cut);
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

impl<'t> Reader<'t> {
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
            if is_quoted && is_first && self.cut && self.at == self.text.len() {
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
