//! The arguments of a call, read strictly up to their closing bracket, with the closing quotes
//! that strings lack.
//!
//! A quote that opened a string and is followed, after its next twin, by what cannot follow a
//! string was not closed there: it was closed, if anywhere, before what a call goes on with.

use memchr::memchr2;

use super::super::super::line::{begins_call, name_length};
use crate::scan::bytes::{closer_of, is_blank, is_closer};
use crate::{ToolSet, arguments::value};

/// The tool that is called, by its name among the bound ones.
#[derive(Clone, Copy)]
pub(super) struct Callee<'t> {
    pub(super) name: &'t str,
    pub(super) tools: &'t ToolSet,
}

impl Callee<'_> {
    fn takes(self, parameter: &str) -> bool {
        self.tools.has_parameter(self.name, parameter)
    }
}

/// Arguments whose end was found.
pub(super) struct Scanned {
    /// What stands between the brackets, with the missing quotes.
    pub(super) text: String,
    /// Behind the closing bracket.
    pub(super) end: usize,
    /// The first string that lacked its quote.
    pub(super) repaired: Option<String>,
}

/// Reads `text` up to one of the brackets `ends`. `lost`: a call before this one
/// lost quotes, so that this one may have lost its last.
pub(super) fn scan(text: &str, ends: &[u8], callee: Callee<'_>, lost: bool) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let mut closers: Vec<u8> = Vec::new();
    let mut out = String::new();
    let mut repaired: Option<String> = None;
    // Text from here on is not in `out` yet.
    let mut copied = 0;
    let mut at = 0;
    let mut last = b'(';
    loop {
        let byte = bytes.get(at).copied();
        if closers.is_empty() && byte.is_none_or(is_closer) {
            let closes = byte.is_some_and(|byte| ends.contains(&byte));
            let rest = text.get(copied..at)?;
            // `{f(unit="m)"}`: the bracket stands in the last string.
            let is_swallowed = rest.ends_with(")\"") || rest.ends_with(")'");
            if !closes && !(is_swallowed && (byte.is_some() || lost)) {
                return None;
            }
            let end = if closes { at } else { at - 2 };
            out.push_str(text.get(copied..end)?);
            if !closes {
                out.push_str(text.get(at - 1..at)?);
                repaired.get_or_insert_with(|| text.get(end..at).unwrap_or("").to_owned());
            }
            return Some(Scanned {
                text: out,
                end: at + usize::from(closes),
                repaired,
            });
        }
        let byte = byte?;
        match byte {
            b'(' | b'[' | b'{' => closers.push(closer_of(byte)),
            byte if is_closer(byte) && closers.pop() != Some(byte) => return None,
            b'"' | b'\'' if matches!(last, b'(' | b'[' | b'{' | b',' | b':' | b'=') => {
                let inner = text.get(at + 1..)?;
                at = match string_end(inner, byte) {
                    Ok(len) => at + 1 + len,
                    Err(len) => {
                        let lost = (lost || repaired.is_some()) && len == inner.len();
                        let missing = missing_quote(inner.get(..len)?, callee, closers.len())
                            .or_else(|| lost.then(|| before_brackets(inner)).flatten())?;
                        let end = at + 1 + missing;
                        out.push_str(text.get(copied..end)?);
                        out.push(char::from(byte));
                        repaired.get_or_insert_with(|| text.get(at..end).unwrap_or("").to_owned());
                        copied = end;
                        end - 1
                    }
                };
            }
            _ => {}
        }
        if !is_blank(byte) {
            last = byte;
        }
        at += 1;
    }
}

/// Where the brackets begin that `text` ends with.
fn before_brackets(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let inner = text.trim_end_matches([')', ']', '}']);
    (inner.len() < text.len()).then_some(inner.len())
}

/// Where the string whose content `text` begins with is closed; `Err` with the place of the first
/// quote that does not close it, or the end of the text.
fn string_end(text: &str, quote: u8) -> Result<usize, usize> {
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(found) = memchr2(quote, b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        if bytes.get(at) == Some(&quote) {
            let after = text.get(at + 1..).unwrap_or_default().trim_start();
            let closes = after.is_empty() || after.starts_with([',', ')', ']', '}', ':']);
            return if closes { Ok(at) } else { Err(at) };
        }
        at += 2;
    }
    Err(text.len())
}

/// Where in `content` the string should have ended: before the brackets that end a call which
/// another one follows, or before the next parameter of the tool and the `open` brackets that end
/// there.
fn missing_quote(content: &str, callee: Callee<'_>, open: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = content.get(at..)?.find([')', ']', '}', ',']) {
        let start = at + found;
        let rest = content.get(start..)?;
        if let Some(next) = rest.strip_prefix(',') {
            let next = next.trim_start();
            let (word, behind) = next.split_at(name_length(next));
            let is_key = behind.trim_start().starts_with(['=', ':']);
            if is_key && !word.is_empty() && callee.takes(word) {
                let before = content.get(..start)?;
                let brackets = before.bytes().rev().take(open);
                let brackets = brackets.take_while(|byte| b"]})".contains(byte)).count();
                return Some(start - brackets);
            }
            at = start + 1;
            continue;
        }
        let after = rest.trim_start_matches([')', ']', '}']);
        let next = after.trim_start_matches([' ', ',', ';', '\n', '\r', '\t', '[']);
        if begins_call(next, callee.tools) {
            return Some(start);
        }
        at = start + (rest.len() - after.len());
    }
    None
}

/// `'a=1', 'b=2'`: named arguments, each in quotes, without them.
pub(super) fn as_members(text: &str, callee: Callee<'_>) -> Option<String> {
    let read = value::read_parenthesized(text, false).ok()?.value;
    if read.positional.is_empty() || !read.named.is_empty() {
        return None;
    }
    let mut members = Vec::new();
    for argument in &read.positional {
        let text = argument.value.as_str().filter(|_| argument.is_quoted)?;
        let (key, _) = text.split_once(['=', ':'])?;
        callee.takes(key.trim()).then(|| members.push(text))?;
    }
    Some(members.join(", "))
}
