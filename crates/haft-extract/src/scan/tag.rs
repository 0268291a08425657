//! Reads one tag or marker, damaged or not: `<tool_call>`, `</parameter>`, `<|eom_id|>`,
//! `[TOOL_CALLS]`, `<｜DSML｜invoke name="x">`.
//!
//! Models damage markers in a few ways: another case, a lost `>`, a space, an underscore too few.
//! All of that is taken off here, so that [`formats`](crate::formats) lists each marker once, by
//! its letters alone. `parser` goes through a tag from its first bracket to its last, and `letters` has
//! the letters of its name, which spell the marker.

mod letters;
mod parser;

use std::ops::Range;

use crate::formats::{Marker, Role};
use crate::scan::{Seen, Text, bytes::is_word};
use parser::TagParser;

/// A tag.
#[derive(Clone, Debug)]
pub(crate) struct Tag<'t> {
    /// The text from the tag on.
    text: &'t str,
    /// Where it begins.
    pub(crate) start: usize,
    /// Its length in bytes.
    pub(crate) len: usize,
    /// True for a closing tag: `</x>`, `<|/x|>`, `<x|>`.
    pub(crate) close: bool,
    /// True for a tag with bars, such as `<|x|>` or `<｜x｜>`: a special token of some model.
    pub(crate) barred: bool,
    /// What it means, if it is in the table.
    pub(crate) marker: Option<&'static Marker>,
    /// Where its name stands, without brackets, bars and slash.
    pub(crate) name: Range<usize>,
    /// Where its attributes stand: from `=` or the first blank after the name up to the bracket.
    pub(crate) attributes: Range<usize>,
    /// It lacks its closing bracket.
    pub(crate) damaged: bool,
}

impl<'t> Tag<'t> {
    /// Where it ends.
    pub(crate) fn end(&self) -> usize {
        self.start + self.len
    }

    /// Its name, without brackets, bars and slash.
    pub(crate) fn name(&self) -> &'t str {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    pub(crate) fn attributes(&self) -> &'t str {
        self.text.get(self.attributes.clone()).unwrap_or_default()
    }

    /// The value of an attribute; for `name` also that of a bare `=x`.
    pub(crate) fn attribute(&self, wanted: &str) -> Option<&'t str> {
        attribute(self.attributes(), wanted)
    }

    /// The tool that its attributes name.
    pub(crate) fn tool_name(&self) -> Option<&'t str> {
        self.attribute("name").or_else(|| self.attribute("tool"))
    }

    /// What it means, if it is in the table.
    pub(crate) fn role(&self) -> Option<Role> {
        self.marker.map(|marker| marker.role)
    }

    /// The letters of its marker; none if it is not in the table.
    pub(crate) fn letters(&self) -> &'static str {
        self.marker.map_or("", |marker| marker.letters)
    }

    /// It is one of those in square brackets.
    pub(crate) fn is_square(&self) -> bool {
        self.text.starts_with('[')
    }

    /// It opens something that means this.
    pub(crate) fn opens(&self, role: Role) -> bool {
        !self.close && self.role() == Some(role)
    }
}

/// The tag at the beginning of `text`, which nothing follows.
pub(crate) fn whole_tag(text: &str) -> Option<Tag<'_>> {
    tag_at(Text::whole(text), 0).ok().flatten()
}

/// The tag at `at` in `text`, if one stands there.
pub(crate) fn tag_at(text: Text<'_>, at: usize) -> Seen<Option<Tag<'_>>> {
    let parser = TagParser::new(text, at);
    match parser.get(0) {
        Some(b'<') => parser.angle(),
        Some(b'[') => parser.square(),
        _ => Ok(None),
    }
}

/// False when neither a tag nor the beginning of one stands at the beginning of `text`, which must
/// start with `<` or `[`. Two letters tell it of most brackets in text: links, lists, comparisons.
#[inline]
pub(crate) fn may_be_tag(text: &[u8]) -> bool {
    match text {
        // Markers in square brackets have large letters.
        [b'[', first, second, ..] => match in_square(*first) {
            true => in_square(*second) || *second == b']',
            false => [*first, *second] == *b"e~",
        },
        // A blank before a bar: `< | DSML | invoke`.
        [b'<', b' ' | b'\n', second, ..] => begins_bar(*second),
        [b'<', b' ' | b'\n'] => true,
        [b'<', first, ..] => {
            first.is_ascii_alphabetic() || matches!(first, b'_' | b'/') || begins_bar(*first)
        }
        _ => true,
    }
}

/// True for the beginning of a tag whose bracket has not come, as far as its bytes tell.
pub(crate) fn is_begun_tag(text: &[u8]) -> bool {
    let is_part = |byte: &u8| is_word(*byte) || b" \t\r\n/|:=\"'".contains(byte);
    may_be_tag(text) && text.iter().skip(1).all(is_part)
}

/// True for the first byte of a bar, in whatever width.
fn begins_bar(byte: u8) -> bool {
    matches!(byte, b'|' | 0xE2 | 0xEF)
}

fn in_square(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'_' | b' ' | b'/')
}

/// The value of an attribute such as `name="x"` in a tag's attributes, quotes taken off; for
/// `name` also the value of a bare `=x`.
pub(crate) fn attribute<'t>(attributes: &'t str, wanted: &str) -> Option<&'t str> {
    let (_, value) = Attributes::new(attributes).find(|(key, _)| *key == wanted)?;
    value
}

/// The attributes of a tag: names with values, quotes taken off, and words without a value. A bare
/// `=x` at the beginning is called `name`.
pub(crate) struct Attributes<'t> {
    rest: &'t str,
    is_first: bool,
}

impl<'t> Attributes<'t> {
    pub(crate) fn new(attributes: &'t str) -> Self {
        let (rest, is_first) = (attributes.trim_ascii_end(), true);
        Self { rest, is_first }
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, Option<&'t str>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let rest = self.rest.trim_ascii_start();
        let is_first = std::mem::take(&mut self.is_first);
        let (word, after) = match rest.strip_prefix('=').filter(|_| is_first) {
            // Unquoted, but the only one: blanks are a part of it.
            Some(value)
                if !value.trim_ascii_start().starts_with(['"', '\'']) && !value.contains('=') =>
            {
                self.rest = "";
                return Some(("name", Some(value.trim_ascii())));
            }
            Some(_) => ("name", rest),
            None => split_word(rest, |byte| byte == b'=' || byte.is_ascii_whitespace()),
        };
        self.rest = after;
        let Some(value) = after.trim_ascii_start().strip_prefix('=') else {
            return Some((word, None));
        };
        let value = value.trim_ascii_start();
        let quoted = ['"', '\''].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?;
            Some(inner.split_once(quote).unwrap_or((inner, "")))
        });
        let ends = |byte: u8| byte.is_ascii_whitespace();
        let (value, rest) = quoted.unwrap_or_else(|| split_word(value, ends));
        self.rest = rest;
        Some((word, Some(value)))
    }
}

/// `text` before and from the first byte that ends a word, an ASCII one.
fn split_word(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends);
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests;
