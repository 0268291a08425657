//! Reads one tag or marker, damaged or not: `<tool_call>`, `</parameter>`, `<|eom_id|>`,
//! `[TOOL_CALLS]`, `<｜DSML｜invoke name="x">`.
//!
//! Models damage markers in a few ways: another case, a lost `>`, a space, an underscore too few.
//! All of that is taken off here, so that [`markers`] lists each marker once, by
//! its letters alone.

mod after_name;
mod attributes;
mod bars;
mod letters;

use std::ops::Range;

use crate::formats::{self, Marker, Role};
use crate::scan::{More, Seen, Text};
pub(crate) use attributes::{Attributes, attribute};
pub(crate) use letters::may_be_tag;
use letters::{Letters, MAX_NAME};

/// The longest tag that is read: names and attributes of the longest tools fit.
const MAX_TAG: usize = 512;

/// As many bars stand in front of a name at most.
const MAX_BARS: usize = 2;

/// The quote of Gemma 4.
const GEMMA_QUOTE: &[u8] = b"<|\"|>";

/// What MiniMax M2 ends a turn with.
const MINIMAX_END: &[u8] = b"[e~[";

/// A tag.
#[derive(Clone, Debug, Default)]
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
    /// What it means, if it is in the table.
    pub(crate) fn role(&self) -> Option<Role> {
        self.marker.map(|marker| marker.role)
    }
}

/// The tag that a whole text begins with.
pub(crate) fn whole_tag(text: &str) -> Option<Tag> {
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
            barred: true,
            marker: formats::marker(letters),
            name: 1..token.len() - 1,
            ..Tag::default()
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
            ..Tag::default()
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
}

#[cfg(test)]
mod tests;
