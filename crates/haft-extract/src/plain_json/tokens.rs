//! Arguments as Gemma's template writes them, read into values in one pass: names without quotes,
//! texts between tokens, no blanks.
//!
//! What is written otherwise is left to the reader in [`value`](crate::value). It agrees on
//! everything that is read here, and notes that the names have no quotes.

use haft_schema::{Repair, RepairKind};
use memchr::memchr;
use serde_json::{Map, Value};

use super::MAX_DEPTH;
use crate::tool_set::{Check, Filled, Filling, keep_first};
use crate::value::read_number;

/// What stands around a text.
const QUOTE: &str = "<|\"|>";

/// What ends a call.
const END_OF_CALL: &[u8] = b"<tool_call|>";

/// Longer names are shortened where they are noted.
const MAX_NAME: usize = 60;

/// The arguments that begin at `at`, behind a brace, the note of what was mended in them, and where
/// they end. They are put into `filling`, which has the names that are expected.
pub(crate) fn token_arguments(
    text: &str,
    at: usize,
    filling: Filling<'_>,
) -> Option<(Filled, Repair, usize)> {
    let mut arguments = filling.arguments;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at,
        names: 0,
        check: filling.check,
    };
    reader.members(&mut arguments, 1)?;
    let first = arguments.keys().next()?;
    let before = match reader.names {
        1 => first.clone(),
        names => and_more(first, names - 1),
    };
    let repair = Repair::new("", RepairKind::BareKey, before, first.clone());
    // A call may be written whole where its arguments belong.
    let may_be_frame = arguments.len() == 2 && arguments.values().any(Value::is_object);
    (!may_be_frame).then_some(())?;
    Some((reader.check.end(arguments), repair, reader.at))
}

/// `city and 2 more`, without the machinery of formatting: every call has it.
fn and_more(first: &str, others: usize) -> String {
    let others = others.to_string();
    let mut note = String::with_capacity(first.len() + others.len() + 10);
    for part in [first, " and ", &others, " more"] {
        note.push_str(part);
    }
    note
}

struct Reader<'t, 's> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// So many names were read.
    names: usize,
    /// What is said of the arguments.
    check: Check<'s>,
}

impl Reader<'_, '_> {
    fn sign(&mut self) -> Option<u8> {
        let sign = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(sign)
    }

    /// Takes `part` if it comes.
    fn take(&mut self, part: &[u8]) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_there = rest.starts_with(part);
        if is_there {
            self.at += part.len();
        }
        is_there
    }

    /// The members behind a brace, into `members`, which has the names that are expected.
    fn members(&mut self, members: &mut Map<String, Value>, depth: u32) -> Option<()> {
        let mut is_open = !self.take(b"}");
        let mut filled = 0;
        for (name, place) in members.iter_mut() {
            if !is_open || !self.take_name(name) {
                break;
            }
            self.fill(place, depth)?;
            if depth == 1 {
                self.check.filled(place);
            }
            filled += 1;
            is_open = self.goes_on(b'}')?;
        }
        keep_first(members, filled);
        while is_open {
            let name = self.name()?;
            let mut value = Value::Null;
            self.fill(&mut value, depth)?;
            // Of two members with one name the careful way keeps a record.
            members.insert(name, value).is_none().then_some(())?;
            is_open = self.goes_on(b'}')?;
        }
        Some(())
    }

    /// Whether a comma follows, or `closer`.
    fn goes_on(&mut self, closer: u8) -> Option<bool> {
        let sign = self.sign()?;
        (sign == b',' || sign == closer).then_some(sign == b',')
    }

    /// Takes `name` with its colon if it comes.
    fn take_name(&mut self, name: &str) -> bool {
        let end = self.at + name.len();
        let is_there = self.bytes.get(self.at..end) == Some(name.as_bytes())
            && self.bytes.get(end) == Some(&b':')
            && begins_name(name);
        if is_there {
            self.at = end + 1;
            self.names += 1;
        }
        is_there
    }

    /// The name that comes, with its colon.
    fn name(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let len = rest.bytes().position(|byte| !is_letter(&byte))?;
        let name = rest.get(..len).filter(|name| begins_name(name))?;
        self.at += len;
        self.names += 1;
        self.take(b":").then(|| name.to_owned())
    }

    /// Puts a value into its place, which has the names that are expected in it.
    fn fill(&mut self, place: &mut Value, depth: u32) -> Option<()> {
        match self.bytes.get(self.at)? {
            b'{' if depth < MAX_DEPTH => {
                self.at += 1;
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                self.members(place.as_object_mut()?, depth + 1)?;
            }
            b'[' if depth < MAX_DEPTH => {
                self.at += 1;
                *place = Value::Array(self.items(depth + 1)?);
            }
            b'<' => *place = Value::String(self.string()?),
            _ => *place = self.word()?,
        }
        Some(())
    }

    /// The items behind a bracket.
    fn items(&mut self, depth: u32) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        let mut is_open = !self.take(b"]");
        while is_open {
            let mut item = Value::Null;
            self.fill(&mut item, depth)?;
            items.push(item);
            is_open = self.goes_on(b']')?;
        }
        Some(items)
    }

    /// The text between two tokens.
    fn string(&mut self) -> Option<String> {
        self.take(QUOTE.as_bytes()).then_some(())?;
        let start = self.at;
        loop {
            self.at += memchr(b'<', self.bytes.get(self.at..)?)?;
            let end = self.at;
            if self.take(QUOTE.as_bytes()) {
                return self.text.get(start..end).map(str::to_owned);
            }
            // The closing token may have been lost: what follows the end of the call tells.
            (!self.take(END_OF_CALL)).then_some(())?;
            self.at += 1;
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<Value> {
        let rest = self.text.get(self.at..)?;
        let is_end = |byte: u8| matches!(byte, b',' | b'}' | b']');
        let word = rest.get(..rest.bytes().position(is_end)?)?;
        self.at += word.len();
        match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                read_number(word).map(Value::Number)
            }
            _ => None,
        }
    }
}

/// True for what the reader takes for a name too, and notes unshortened.
fn begins_name(name: &str) -> bool {
    name.len() <= MAX_NAME && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty()
}

#[cfg(test)]
mod tests;
