//! Reads one tag or marker, damaged or not: `<tool_call>`, `</parameter>`, `<|eom_id|>`,
//! `[TOOL_CALLS]`, `<｜DSML｜invoke name="x">`.
//!
//! Models damage markers in a few ways: another case, a lost `>`, a space, an underscore too few.
//! All of that is taken off here, so that [`markers`] lists each marker once, by
//! its letters alone.

mod bars;
mod glance;
mod letters;

use std::ops::Range;

use memchr::memchr;

use crate::formats::{self, Marker, Role};
use crate::scan::{More, Seen, Text};
pub(crate) use glance::may_be_tag;
use letters::{ATTRIBUTE, Letters, MAX_NAME};

/// The longest tag that is read: names and attributes of the longest tools fit.
const MAX_TAG: usize = 512;

/// As many bars stand in front of a name at most.
const MAX_BARS: usize = 2;

/// The quote of Gemma 4.
const GEMMA_QUOTE: &[u8] = b"<|\"|>";

/// What MiniMax M2 ends a turn with.
const MINIMAX_END: &[u8] = b"[e~[";

/// What ends a header, and slips into the name of the call after it.
const STRAY: &[u8] = b"<|message|>";

/// A tag.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
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

impl Tag {
    /// True for a marker with this role.
    pub(crate) fn has_role(&self, role: Role) -> bool {
        self.marker.is_some_and(|marker| marker.role == role)
    }
}

/// The tag that a whole text begins with.
pub(crate) fn read_tag(text: &str) -> Option<Tag> {
    tag_at(Text::whole(text), 0).ok().flatten()
}

/// The tag at `at` in `text`, if one stands there.
pub(crate) fn tag_at(text: Text<'_>, at: usize) -> Seen<Option<Tag>> {
    let scan = Scan::new(text.rest(at), text.finished);
    match scan.get(0) {
        Some(b'<') => scan.angle(),
        Some(b'[') => scan.square(),
        _ => Ok(None),
    }
}

/// The value of an attribute such as `name="x"` in a tag's attributes, quotes taken off; for
/// `name` also the value of a bare `=x`.
pub(crate) fn attribute<'t>(attributes: &'t str, wanted: &str) -> Option<&'t str> {
    Attributes::new(attributes)
        .find(|(key, _)| *key == wanted)
        .and_then(|(_, value)| value)
}

/// The attributes of a tag: names with values, quotes taken off, and words without a value. A bare
/// `=x` at the beginning is called `name`.
pub(crate) struct Attributes<'t> {
    rest: &'t str,
    is_first: bool,
}

impl<'t> Attributes<'t> {
    pub(crate) fn new(attributes: &'t str) -> Self {
        Self {
            rest: attributes,
            is_first: true,
        }
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, Option<&'t str>);

    fn next(&mut self) -> Option<Self::Item> {
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
            None if rest.is_empty() => return None,
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
        let (value, rest) = match quoted {
            Some(quoted) => quoted,
            None => split_word(value, |byte| byte.is_ascii_whitespace()),
        };
        self.rest = rest;
        Some((word, Some(value)))
    }
}

/// `text` before and from the first byte that ends a word, an ASCII one.
fn split_word(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends);
    text.split_at(end.unwrap_or(text.len()))
}

/// One reading of one tag.
struct Scan<'t> {
    text: &'t [u8],
    finished: bool,
}

impl<'t> Scan<'t> {
    /// Looks at no more than the longest tag, so that it does not matter how much more there is.
    fn new(text: &'t str, finished: bool) -> Self {
        let text = text.as_bytes();
        match text.get(..MAX_TAG) {
            Some(text) => Self {
                text,
                finished: true,
            },
            None => Self { text, finished },
        }
    }

    fn get(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// The byte at `at`; none if the text is over there.
    fn byte(&self, at: usize) -> Seen<Option<u8>> {
        let byte = self.get(at);
        match byte.is_some() || self.finished {
            true => Ok(byte),
            false => Err(More),
        }
    }

    /// Takes in the letters of the name that begins at `at`; its end.
    fn name(&self, mut at: usize, letters: &mut Letters) -> usize {
        while let Some(byte) = self.get(at) {
            at += match byte {
                byte if byte.is_ascii_alphanumeric() => {
                    letters.push(byte.to_ascii_lowercase());
                    1
                }
                b'_' | b'-' | b'.' => 1,
                b':' => letters.colon(),
                // What DeepSeek writes for a blank inside a token, U+2581.
                0xE2 if self.text.get(at + 1..at + 3) == Some(&[0x96, 0x81]) => 3,
                _ => return at,
            };
        }
        at
    }

    /// A token with signs in place of letters.
    fn signs(&self, token: &[u8], letters: &[u8]) -> Seen<Option<Tag>> {
        if !self.text.starts_with(token) {
            let may_come = !self.finished && token.starts_with(self.text);
            return if may_come { Err(More) } else { Ok(None) };
        }
        Ok(Some(Tag {
            len: token.len(),
            close: false,
            barred: true,
            marker: formats::marker(letters),
            name: 1..token.len() - 1,
            attributes: token.len() - 1..token.len() - 1,
            damaged: false,
        }))
    }

    /// `[NAME]` or `[/NAME]` in capitals.
    fn square(&self) -> Seen<Option<Tag>> {
        if let Some(end) = self.signs(MINIMAX_END, b"eos")? {
            return Ok(Some(end));
        }
        let close = self.get(1) == Some(b'/');
        let start = 1 + usize::from(close);
        let mut at = start;
        while at < MAX_NAME
            && let Some(b'A'..=b'Z' | b'_' | b' ') = self.byte(at)?
        {
            at += 1;
        }
        if self.byte(at)? != Some(b']') || at == start {
            return Ok(None);
        }
        let mut letters = Letters::default();
        let mut part = start;
        while part < at {
            part = self.name(part, &mut letters) + 1;
        }
        let marker = letters.marker().filter(|marker| marker.is_square());
        Ok(marker.map(|marker| Tag {
            len: at + 1,
            close,
            barred: true,
            marker: Some(marker),
            name: start..at,
            attributes: at..at,
            damaged: false,
        }))
    }

    /// `<name ...>` in all its forms.
    fn angle(&self) -> Seen<Option<Tag>> {
        let mut at = 1;
        let (mut close, mut is_apart) = (false, false);
        let mut bars = 0_usize;
        loop {
            match self.byte(at)? {
                Some(b'/') if !close => {
                    close = true;
                    at += 1;
                }
                Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => break,
                // `< | DSML | invoke name="x">`.
                Some(b' ' | b'\n') if bars == 0 && !is_apart => {
                    is_apart = true;
                    at += 1;
                }
                // Bars may stand there twice: `<｜｜DSML｜｜invoke name="x">`.
                _ => match self.bar(at) {
                    Some(len) if bars < MAX_BARS => {
                        bars += 1;
                        at += len;
                        // And a blank between them and the name.
                        at += usize::from(is_apart && self.is_gap(at));
                    }
                    _ => return self.signs(GEMMA_QUOTE, b"quote"),
                },
            }
        }
        let barred = bars > 0;
        if is_apart && !barred {
            return Ok(None);
        }
        let mut letters = Letters::default();
        let mut end = self.name(at, &mut letters);
        let next = self.byte(end)?;
        // Only those with a prefix of their own stand apart; `a < |b|` is none.
        if is_apart && !letters.is_prefix() {
            return Ok(None);
        }
        if next == Some(b' ') && barred && !is_apart {
            end = self.words(end, &mut letters)?.unwrap_or(end);
        }
        self.after_name(at..end, letters, (close, barred))
    }

    /// The rest of a tag: a bar, a prefix's second half, attributes, the closing bracket.
    fn after_name(
        &self,
        mut name: Range<usize>,
        mut letters: Letters,
        (slash, bar): (bool, bool),
    ) -> Seen<Option<Tag>> {
        let mut at = name.end;
        let mut barred = bar;
        let mut end_bar = false;
        // Bars, one space and more letters: `<｜DSML｜ calls>`, `<ifm|tool_call>`, `<x|>`.
        loop {
            if let Some(len) = self.bar(at) {
                barred = true;
                end_bar = true;
                at += len;
            } else if (end_bar && self.get(at) == Some(b' '))
                || (letters.is_prefix() && self.is_gap_before_bar(at, end_bar)?)
            {
                at += 1;
            } else {
                let end = match self.get(at) {
                    Some(byte) if end_bar && byte != b'>' => self.name(at, &mut letters),
                    _ => at,
                };
                if end == at {
                    break;
                }
                at = end;
                name.end = end;
                end_bar = false;
            }
        }
        let next = self.byte(at)?;
        let mut tag = Tag {
            len: at + 1,
            // `<tool_call|>` closes what `<|tool_call>` opens.
            close: slash || (end_bar && !bar),
            barred,
            marker: letters.marker(),
            name,
            attributes: at..at,
            damaged: false,
        };
        let is_glued = |text: &[u8]| next == Some(b'=') && text.ends_with(ATTRIBUTE);
        if let Some(marker) = letters.glued()
            && self.text.get(..at).is_some_and(is_glued)
        {
            // It lost the blank before its attribute: `<functionname="f">`.
            tag.marker = Some(marker);
            tag.name.end = at - ATTRIBUTE.len();
            tag.close = false;
            tag.barred = false;
            return self.with_attributes(tag.name.end, &tag);
        }
        let mut has_attributes = false;
        match next {
            Some(b'>') => return Ok(Some(tag)),
            Some(b'=' | b' ' | b'\t' | b'\n' | b'/') => {
                if let Some(tag) = self.with_attributes(at, &tag)? {
                    return Ok(Some(tag));
                }
                has_attributes = !tag.close;
            }
            _ => {}
        }
        let Some(marker) = tag.marker.filter(|marker| marker.survives_damage()) else {
            return Ok(None);
        };
        // Only these have attributes; what stands behind the others is not a part of them.
        has_attributes &= matches!(marker.role, Role::Invoke | Role::Parameter);
        tag.damaged = true;
        let end = match has_attributes {
            true => self.attributes_end(at),
            false => at,
        };
        // A quote was not closed, but the tag was: `name="city>Oslo</parameter>`.
        let bracket = memchr(b'>', self.text.get(at..end).unwrap_or_default());
        tag.attributes = at..bracket.map_or(end, |bracket| at + bracket);
        tag.len = bracket.map_or(end, |bracket| at + bracket + 1);
        Ok(Some(tag))
    }

    /// The tag with the attributes that begin at `from`, if a bracket ends them.
    fn with_attributes(&self, from: usize, tag: &Tag) -> Seen<Option<Tag>> {
        let end = self.attributes_end(from);
        if self.byte(end)? != Some(b'>') {
            return Ok(None);
        }
        Ok(Some(Tag {
            len: end + 1,
            attributes: from..end,
            ..tag.clone()
        }))
    }

    /// The length of a token that slipped into a quoted name, or of its beginning:
    /// `name="read<|message|>"`.
    fn stray_token(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_one = rest.starts_with(STRAY) || (STRAY.starts_with(rest) && !self.finished);
        usize::from(is_one) * STRAY.len().min(rest.len())
    }

    /// Where attributes end: at the bracket, or at what cannot be a part of them.
    fn attributes_end(&self, from: usize) -> usize {
        let mut at = from;
        let mut quote = None;
        let mut before = b' ';
        loop {
            match (self.get(at), quote) {
                (Some(b'<'), Some(_)) if self.stray_token(at) > 0 => {
                    at += self.stray_token(at);
                    continue;
                }
                (None | Some(b'\n' | b'<'), _) | (Some(b'>' | b'{'), None) => return at,
                (Some(byte), Some(open)) if byte == open => quote = None,
                (Some(byte @ (b'"' | b'\'')), None) if before == b'=' => quote = Some(byte),
                (Some(byte), _) => before = byte,
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
