//! JSON that is whole and well formed: where an object ends, and where the parts of a call stand in
//! it.
//!
//! Nearly all calls are written like that. What is not, or not yet, is left to
//! [`balance`](crate::scan::balance).

use std::ops::Range;

use crate::ToolSet;
use crate::scan::balance::{is_arguments_key, is_name_key};
use crate::scan::lexis::{Ends, is_letter, next_quote, string_end};

/// How deep brackets may be nested; deeper ones are left to the scan.
const MAX_DEPTH: u32 = 60;

/// Where the parts of a call stand.
///
/// It is filled in place, as it is large: to hand it up from one function to the next costs more
/// than to find it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WholeCall<'t> {
    pub(crate) name: &'t str,
    /// The place of the tool with exactly this name.
    pub(crate) tool: Option<usize>,
    pub(crate) arguments: Range<usize>,
    /// Behind the brace that ends it.
    pub(crate) end: usize,
}

impl<'t> WholeCall<'t> {
    /// Finds the call of a bound tool that begins at `at`, if it is written
    /// `{"name": "f", "arguments": {...}}`, under whatever names for the two, settled or not.
    /// `seen`: arguments that were looked through before. Without a call, what is here afterwards
    /// means nothing.
    pub(crate) fn find(
        &mut self,
        (text, at): (&'t str, usize),
        seen: Option<&Range<usize>>,
        tools: &ToolSet,
    ) -> Option<()> {
        let bytes = text.as_bytes();
        let name_at = match usual(bytes, at, &["{\"name\": "]) {
            Some(name_at) => name_at,
            None => {
                let (key, after) = word(bytes, eat(bytes, at, b'{')?)?;
                is_name_key(text.get(key)?).then_some(())?;
                eat(bytes, after, b':')?
            }
        };
        let name_at = eat(bytes, name_at, b'"')?;
        let name_end = name_at + next_quote(b'"', bytes.get(name_at..)?)?;
        self.name = text.get(name_at..name_end)?;
        let is_ended = bytes.get(name_end) == Some(&b'"');
        let after = is_ended.then_some(name_end + 1)?;
        let start = match usual(bytes, after, &[", \"arguments\": ", ", \"parameters\": "]) {
            Some(start) => blanks(bytes, start),
            None => {
                let (key, after) = word(bytes, eat(bytes, after, b',')?)?;
                is_arguments_key(text.get(key)?).then_some(())?;
                blanks(bytes, eat(bytes, after, b':')?)
            }
        };
        self.tool = tools.place(self.name);
        if self.tool.is_none() {
            let is_name = !self.name.is_empty() && self.name.bytes().all(is_letter);
            (is_name && tools.binds(self.name)).then_some(())?;
        }
        match seen.filter(|seen| seen.start == start) {
            Some(seen) => self.arguments = seen.clone(),
            None => self.find_arguments((text, start))?,
        }
        self.end = eat(bytes, self.arguments.end, b'}')?;
        Some(())
    }

    /// Finds the arguments of the call, whose name and tool are known, if they begin at `start` and
    /// are whole and well formed, settled or not. The call ends with them.
    pub(crate) fn find_arguments(&mut self, (text, start): (&str, usize)) -> Option<()> {
        let bytes = text.as_bytes();
        (bytes.get(start) == Some(&b'{')).then_some(())?;
        self.end = members_end(bytes, start + 1, 1)?;
        self.arguments = start..self.end;
        Some(())
    }
}

/// Whether the closers before `end` are none that belong to a string, as in
/// `{"a": "{"b": "c"}"}`: a quote behind these and any further closers would show that.
pub(crate) fn settled(bytes: &[u8], end: usize, finished: bool) -> Ends {
    let is_closer = |byte: &&u8| matches!(byte, b'}' | b']' | b')');
    let is_around = |byte: &&u8| is_closer(byte) || matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let mut before = bytes.iter().take(end).rev().skip_while(is_around);
    if before.next() != Some(&b'"') {
        return Ends::Yes;
    }
    match bytes.iter().skip(end).find(|byte| !is_closer(byte)) {
        Some(b'"' | b'\'') => Ends::No,
        None if !finished => Ends::Unclear,
        _ => Ends::Yes,
    }
}

/// Where the object ends whose members begin at `at`. `depth`: so many brackets are open.
fn members_end(bytes: &[u8], at: usize, depth: u32) -> Option<usize> {
    let mut at = blanks(bytes, at);
    if bytes.get(at) == Some(&b'}') {
        return Some(at + 1);
    }
    loop {
        at = string_end(bytes, eat(bytes, at, b'"')?, b'"')?;
        at = value_end(bytes, eat(bytes, at, b':')?, depth)?;
        match bytes.get(at)? {
            b',' => at += 1,
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Where the list ends whose items begin at `at`.
fn items_end(bytes: &[u8], at: usize, depth: u32) -> Option<usize> {
    let mut at = blanks(bytes, at);
    if bytes.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        at = value_end(bytes, at, depth)?;
        match bytes.get(at)? {
            b',' => at += 1,
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Where the value ends that begins at `at`, and the blanks behind it.
fn value_end(bytes: &[u8], at: usize, depth: u32) -> Option<usize> {
    let at = blanks(bytes, at);
    let end = match bytes.get(at)? {
        b'"' => string_end(bytes, at + 1, b'"')?,
        b'{' if depth < MAX_DEPTH => members_end(bytes, at + 1, depth + 1)?,
        b'[' if depth < MAX_DEPTH => items_end(bytes, at + 1, depth + 1)?,
        byte if is_of_word(*byte) => {
            let rest = bytes.get(at..)?;
            at + rest.iter().position(|byte| !is_of_word(*byte))?
        }
        _ => return None,
    };
    Some(blanks(bytes, end))
}

/// True for the bytes of numbers, `true`, `false` and `null`.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

/// Behind the one of `parts` that stands at `at`: what most models write, to the letter.
fn usual(bytes: &[u8], at: usize, parts: &[&str]) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let part = parts
        .iter()
        .find(|part| rest.starts_with(part.as_bytes()))?;
    Some(at + part.len())
}

/// A string of letters, after blanks: its content, and where it ends.
fn word(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let start = eat(bytes, at, b'"')?;
    let rest = bytes.get(start..)?;
    let end = start + rest.iter().position(|byte| !is_letter(*byte))?;
    let is_whole = end > start && bytes.get(end) == Some(&b'"');
    is_whole.then_some((start..end, end + 1))
}

/// Behind `sign`, after blanks.
fn eat(bytes: &[u8], at: usize, sign: u8) -> Option<usize> {
    let at = blanks(bytes, at);
    (bytes.get(at) == Some(&sign)).then_some(at + 1)
}

/// Behind the blanks at `at`.
pub(crate) fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests;
