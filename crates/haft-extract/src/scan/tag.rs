//! Reads one tag or marker, damaged or not: `<tool_call>`, `</parameter>`, `<|eom_id|>`,
//! `[TOOL_CALLS]`, `<｜DSML｜invoke name="x">`.
//!
//! Models damage markers in a few ways: another case, a lost `>`, a space, an underscore too few.
//! All of that is taken off here, so that [`markers`] lists each marker once, by
//! its letters alone.

mod bars;
mod glance;
mod letters;
mod words;

use std::ops::Range;

use memchr::memchr;

use crate::formats::{self, Marker, Role};
use crate::scan::{More, Text};
pub(crate) use glance::may_be_tag;
use letters::{ATTRIBUTE, Letters, MAX_NAME};

/// The longest tag that is read: names and attributes of the longest tools fit.
const MAX_TAG: usize = 512;

/// As many bars stand in front of a name at most.
const MAX_BARS: usize = 2;

/// What ends a header, and slips into the name of the call after it.
const STRAY: &[u8] = b"<|message|>";

/// What stands at the beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<T> {
    /// Too early to tell.
    More,
    /// Not this.
    No,
    /// This.
    Yes(T),
}

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

/// The tag at `at` in `text`, if one stands there.
pub(crate) fn tag_at(text: Text<'_>, at: usize) -> Result<Option<Tag>, More> {
    match read_tag(text.rest(at), text.finished) {
        Found::More => Err(More),
        Found::Yes(tag) => Ok(Some(tag)),
        Found::No => Ok(None),
    }
}

/// Reads the tag at the beginning of `text`, which must start with `<` or `[`. `finished` says
/// that nothing follows `text`.
pub(crate) fn read_tag(text: &str, finished: bool) -> Found<Tag> {
    let scan = Scan::new(text, finished);
    match text.as_bytes() {
        [b'<', ..] => scan.angle(),
        [b'[', ..] => scan.square(),
        _ => Found::No,
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

    /// The value at the beginning of `text`, without its quotes.
    fn value(&mut self, text: &'t str) -> &'t str {
        for quote in ['"', '\''] {
            if let Some(inner) = text.strip_prefix(quote) {
                let (value, rest) = inner.split_once(quote).unwrap_or((inner, ""));
                self.rest = rest;
                return value;
            }
        }
        let (value, rest) = text.split_at(word_len(text, |byte| byte.is_ascii_whitespace()));
        self.rest = rest;
        value
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, Option<&'t str>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_ascii_start();
        if std::mem::take(&mut self.is_first)
            && let Some(value) = rest.strip_prefix('=')
        {
            let value = value.trim_ascii();
            if value.starts_with(['"', '\'']) || value.contains('=') {
                return Some(("name", Some(self.value(value))));
            }
            // Unquoted, but the only one: blanks are a part of it.
            self.rest = "";
            return Some(("name", Some(value)));
        }
        let len = word_len(rest, |byte| byte == b'=' || byte.is_ascii_whitespace());
        if rest.is_empty() {
            return None;
        }
        let (word, rest) = rest.split_at(len);
        match rest.trim_ascii_start().strip_prefix('=') {
            Some(value) => Some((word, Some(self.value(value.trim_ascii_start())))),
            None => {
                self.rest = rest;
                Some((word, None))
            }
        }
    }
}

/// The length of `text` up to the first byte that ends a word, an ASCII one.
fn word_len(text: &str, ends: impl Fn(u8) -> bool) -> usize {
    let end = text.bytes().position(ends);
    end.unwrap_or(text.len())
}

/// Marks a byte that stands in names and does not count.
const NO_LETTER: u8 = 1;

/// Marks a byte that ends a name, or has to be looked at.
const OTHER: u8 = 0;

/// What each byte is in a name: a letter or digit stands for itself, in small letters.
static NAME_BYTES: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling")]
        {
            table[byte as usize] = match byte {
                b'_' | b'-' | b'.' => NO_LETTER,
                letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
                _ => OTHER,
            };
        }
        byte += 1;
    }
    table
};

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

    /// The byte at `at`; `Err` says whether it may still come.
    fn byte(&self, at: usize) -> Result<u8, bool> {
        match self.text.get(at) {
            Some(byte) => Ok(*byte),
            None => Err(!self.finished),
        }
    }

    /// Takes in the letters of the name that begins at `at`; its end.
    fn name(&self, mut at: usize, letters: &mut Letters) -> usize {
        while let Some(byte) = self.text.get(at) {
            match NAME_BYTES.get(usize::from(*byte)) {
                Some(&NO_LETTER) => at += 1,
                Some(&OTHER) | None => {
                    let len = match byte {
                        b':' => letters.colon(),
                        // What DeepSeek writes for a blank inside a token, U+2581.
                        0xE2 if self.text.get(at + 1..at + 3) == Some(&[0x96, 0x81]) => 3,
                        _ => 0,
                    };
                    if len == 0 {
                        break;
                    }
                    at += len;
                }
                Some(letter) => {
                    letters.push(*letter);
                    at += 1;
                }
            }
        }
        at
    }

    /// `[NAME]` or `[/NAME]` in capitals.
    fn square(&self) -> Found<Tag> {
        if let end @ (Found::Yes(_) | Found::More) = self.minimax_end() {
            return end;
        }
        let close = self.byte(1) == Ok(b'/');
        let start = 1 + usize::from(close);
        let mut at = start;
        loop {
            match self.byte(at) {
                Ok(b'A'..=b'Z' | b'_' | b' ') if at < MAX_NAME => at += 1,
                Ok(b']') if at > start => {
                    let mut letters = Letters::default();
                    let mut part = start;
                    while part < at {
                        part = self.name(part, &mut letters) + 1;
                    }
                    let marker = letters.marker();
                    let Some(marker) = marker.filter(|marker| marker.is_square()) else {
                        return Found::No;
                    };
                    return Found::Yes(Tag {
                        len: at + 1,
                        close,
                        barred: true,
                        marker: Some(marker),
                        name: start..at,
                        attributes: at..at,
                        damaged: false,
                    });
                }
                Err(true) => return Found::More,
                _ => return Found::No,
            }
        }
    }

    /// `<name ...>` in all its forms.
    fn angle(&self) -> Found<Tag> {
        let mut at = 1;
        let mut close = false;
        let mut bars = 0_usize;
        let mut is_apart = false;
        loop {
            match self.byte(at) {
                Ok(b'/') if !close => {
                    close = true;
                    at += 1;
                }
                Ok(byte) if byte.is_ascii_alphabetic() || byte == b'_' => break,
                Err(true) => return Found::More,
                // `< | DSML | invoke name="x">`.
                Ok(b' ' | b'\n') if bars == 0 && !is_apart => {
                    is_apart = true;
                    at += 1;
                }
                // Bars may stand there twice: `<｜｜DSML｜｜invoke name="x">`.
                _ => match self.bar(at) {
                    Some(len) if bars < MAX_BARS => {
                        bars += 1;
                        at += len;
                        // And a blank between them and the name.
                        at += usize::from(is_apart && matches!(self.byte(at), Ok(b' ' | b'\n')));
                    }
                    _ => return self.quote_token(),
                },
            }
        }
        if is_apart {
            return self.prefixed_apart(at, (close, bars));
        }
        let barred = bars > 0;
        let mut letters = Letters::default();
        let end = self.name(at, &mut letters);
        match self.byte(end) {
            Err(true) => Found::More,
            // The common case.
            Ok(b'>') if !barred => Found::Yes(Tag {
                len: end + 1,
                close,
                barred,
                marker: letters.marker(),
                name: at..end,
                attributes: end..end,
                damaged: false,
            }),
            Ok(b' ') if barred => self.spaced(at..end, letters, close),
            _ => self.after_name(at..end, letters, (close, barred)),
        }
    }

    /// `<|"|>`, Gemma's quote.
    fn quote_token(&self) -> Found<Tag> {
        const QUOTE: &[u8] = b"<|\"|>";
        if self.text.starts_with(QUOTE) {
            return Found::Yes(Tag {
                len: QUOTE.len(),
                close: false,
                barred: true,
                marker: formats::marker(b"quote"),
                name: 2..3,
                attributes: 3..3,
                damaged: false,
            });
        }
        match !self.finished && QUOTE.starts_with(self.text) {
            true => Found::More,
            false => Found::No,
        }
    }

    /// The rest of a tag: a bar, a prefix's second half, attributes, the closing bracket.
    fn after_name(
        &self,
        mut name: Range<usize>,
        mut letters: Letters,
        (slash, bar): (bool, bool),
    ) -> Found<Tag> {
        let mut at = name.end;
        let mut barred = bar;
        let mut end_bar = false;
        // Bars, one space and more letters: `<｜DSML｜ calls>`, `<ifm|tool_call>`, `<x|>`.
        loop {
            if let Some(len) = self.bar(at) {
                barred = true;
                end_bar = true;
                at += len;
            } else if end_bar && self.byte(at) == Ok(b' ') {
                at += 1;
            } else if letters.is_prefix()
                && let gap @ (Found::More | Found::Yes(_)) = self.gap(at, end_bar)
            {
                let Found::Yes(len) = gap else {
                    return Found::More;
                };
                at += len;
            } else {
                let end = match self.byte(at) {
                    Ok(byte) if end_bar && byte != b'>' => self.name(at, &mut letters),
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
        if self.byte(at) == Err(true) {
            return Found::More;
        }
        let is_glued = |text: &[u8]| text.ends_with(ATTRIBUTE);
        let glued = letters.glued().filter(|_| self.byte(at) == Ok(b'='));
        if let Some(marker) = glued.filter(|_| self.text.get(..at).is_some_and(is_glued)) {
            return self.glued_attribute(marker, name.start..at - ATTRIBUTE.len());
        }
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
        let has_attributes = match self.byte(at) {
            Ok(b'>') => return Found::Yes(tag),
            Ok(b'=' | b' ' | b'\t' | b'\n' | b'/') => match self.attributes(at) {
                Found::More => return Found::More,
                Found::Yes(len) => {
                    tag.attributes = at..len - 1;
                    tag.len = len;
                    return Found::Yes(tag);
                }
                Found::No => !tag.close,
            },
            _ => false,
        };
        let Some(marker) = tag.marker.filter(|marker| marker.survives_damage()) else {
            return Found::No;
        };
        // Only these have attributes; what stands behind the others is not a part of them.
        let has_attributes =
            has_attributes && matches!(marker.role, Role::Invoke | Role::Parameter);
        tag.damaged = true;
        // A quote was not closed, but the tag was: `name="city>Oslo</parameter>`.
        if has_attributes && let Some(bracket) = self.bracket_in(at..self.attributes_end(at)) {
            tag.attributes = at..bracket;
            tag.len = bracket + 1;
            return Found::Yes(tag);
        }
        tag.len = if has_attributes {
            self.attributes_end(at)
        } else {
            at
        };
        tag.attributes = at..tag.len;
        Found::Yes(tag)
    }

    /// The rest of an opening tag that lost the blank before its attribute: `<functionname="f">`.
    #[inline(never)]
    fn glued_attribute(&self, marker: &'static Marker, name: Range<usize>) -> Found<Tag> {
        match self.attributes(name.end) {
            Found::More => Found::More,
            Found::No => Found::No,
            Found::Yes(len) => Found::Yes(Tag {
                len,
                close: false,
                barred: false,
                marker: Some(marker),
                attributes: name.end..len - 1,
                name,
                // It has its bracket.
                damaged: false,
            }),
        }
    }

    /// Where the first bracket stands in `range` that may end a tag.
    fn bracket_in(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        memchr(b'>', self.text.get(range)?).map(|at| start + at)
    }

    /// The offset behind the bracket that ends the attributes beginning at `from`.
    fn attributes(&self, from: usize) -> Found<usize> {
        let end = self.attributes_end(from);
        match self.byte(end) {
            Ok(b'>') => Found::Yes(end + 1),
            Err(true) => Found::More,
            _ => Found::No,
        }
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
            match (self.byte(at), quote) {
                (Ok(b'<'), Some(_)) if self.stray_token(at) > 0 => {
                    at += self.stray_token(at);
                    continue;
                }
                (Err(_) | Ok(b'\n' | b'<'), _) | (Ok(b'>' | b'{'), None) => return at,
                (Ok(byte), Some(open)) if byte == open => quote = None,
                (Ok(byte @ (b'"' | b'\'')), None) if before == b'=' => quote = Some(byte),
                (Ok(byte), _) => before = byte,
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
