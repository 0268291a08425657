//! Reads one tag or marker, damaged or not: `<tool_call>`, `</parameter>`, `<|eom_id|>`,
//! `[TOOL_CALLS]`, `<｜DSML｜invoke name="x">`.
//!
//! Models damage markers in a few ways: another case, a lost `>`, a space, an underscore too few.
//! All of that is taken off here, so that [`markers`](crate::markers) lists each marker once, by
//! its letters alone.

use std::ops::Range;

use crate::markers::{self, Marker, Role};

/// The longest tag that is read: names and attributes of the longest tools fit.
const MAX_TAG: usize = 512;

/// The longest name of a marker by its letters.
const MAX_NAME: usize = 48;

/// The bar of DeepSeek's tokens, U+FF5C.
const FULL_WIDTH_BAR: &str = "｜";

/// What DeepSeek writes for a blank inside a token, U+2581.
const LOWER_BLOCK: &str = "▁";

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

/// Reads the tag at the beginning of `text`, which must start with `<` or `[`. `finished` says
/// that nothing follows `text`.
pub(crate) fn read_tag(text: &str, finished: bool) -> Found<Tag> {
    let scan = Scan::new(text, finished);
    match text.as_bytes().first() {
        Some(b'<') => scan.angle(),
        Some(b'[') => scan.square(),
        _ => Found::No,
    }
}

/// The value of an attribute such as `name="x"` in a tag's attributes, quotes taken off; for
/// `name` also the value of a bare `=x`.
pub(crate) fn attribute<'t>(attributes: &'t str, wanted: &str) -> Option<&'t str> {
    let mut rest = attributes.trim_start();
    if let Some(value) = rest.strip_prefix('=') {
        let value = value.trim();
        let (found, after) = match value.starts_with(['"', '\'']) || value.contains('=') {
            true => split_value(value),
            false => (value, ""),
        };
        if wanted == "name" {
            return Some(found);
        }
        rest = after;
    }
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c == '=' || c.is_whitespace())?;
        let (key, after) = rest.split_at(end);
        let Some(value) = after.trim_start().strip_prefix('=') else {
            rest = after;
            continue;
        };
        let (found, after) = split_value(value.trim_start());
        if key == wanted {
            return Some(found);
        }
        rest = after;
    }
}

/// The value at the beginning of `text`, without its quotes, and what follows it.
fn split_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// One reading of one tag.
struct Scan<'t> {
    text: &'t str,
    finished: bool,
}

impl<'t> Scan<'t> {
    /// Looks at no more than the longest tag, so that it does not matter how much more there is.
    fn new(text: &'t str, finished: bool) -> Self {
        match text.len() > MAX_TAG {
            true => Self {
                text: text.get(..text.floor_char_boundary(MAX_TAG)).unwrap_or(""),
                finished: true,
            },
            false => Self { text, finished },
        }
    }

    /// The byte at `at`; `Err` says whether it may still come.
    fn byte(&self, at: usize) -> Result<u8, bool> {
        match self.text.as_bytes().get(at) {
            Some(byte) => Ok(*byte),
            None => Err(!self.finished),
        }
    }

    /// The length of the bar at `at`, if there is one.
    fn bar(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            Ok(b'|') => Some(1),
            // The first byte of the full-width bar.
            Ok(0xEF) => self.has(at, FULL_WIDTH_BAR),
            _ => None,
        }
    }

    /// The length of the part of a name at `at`, if there is one.
    fn name_part(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            Ok(byte) if byte.is_ascii_alphanumeric() => Some(1),
            Ok(b'_' | b'-' | b':' | b'.') => Some(1),
            // The first byte of DeepSeek's block.
            Ok(0xE2) => self.has(at, LOWER_BLOCK),
            _ => None,
        }
    }

    fn has(&self, at: usize, part: &str) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        rest.starts_with(part.as_bytes()).then_some(part.len())
    }

    /// The end of the name that begins at `at`.
    fn name_end(&self, mut at: usize) -> usize {
        while let Some(len) = self.name_part(at) {
            at += len;
        }
        at
    }

    /// `[NAME]` or `[/NAME]` in capitals.
    fn square(&self) -> Found<Tag> {
        let close = self.byte(1) == Ok(b'/');
        let start = 1 + usize::from(close);
        let mut at = start;
        loop {
            match self.byte(at) {
                Ok(b'A'..=b'Z' | b'_' | b' ') if at < MAX_NAME => at += 1,
                Ok(b']') if at > start => {
                    let Some(marker) = self.lookup(&(start..at)) else {
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
        let mut barred = false;
        loop {
            match self.byte(at) {
                Ok(b'/') if !close => {
                    close = true;
                    at += 1;
                }
                Ok(byte) if byte.is_ascii_alphabetic() || byte == b'_' => break,
                Err(true) => return Found::More,
                _ => match self.bar(at) {
                    Some(len) if !barred => {
                        barred = true;
                        at += len;
                    }
                    _ => return self.quote_token(),
                },
            }
        }
        let end = self.name_end(at);
        match self.byte(end) {
            Err(true) => Found::More,
            _ => self.after_name(at..end, close, barred),
        }
    }

    /// `<|"|>`, Gemma's quote.
    fn quote_token(&self) -> Found<Tag> {
        const QUOTE: &str = "<|\"|>";
        if self.text.starts_with(QUOTE) {
            return Found::Yes(Tag {
                len: QUOTE.len(),
                close: false,
                barred: true,
                marker: markers::find("quote"),
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
    fn after_name(&self, mut name: Range<usize>, slash: bool, bar: bool) -> Found<Tag> {
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
            } else if end_bar && self.name_part(at).is_some() {
                at = self.name_end(at);
                name.end = at;
                end_bar = false;
            } else {
                break;
            }
        }
        if self.byte(at) == Err(true) {
            return Found::More;
        }
        let mut tag = Tag {
            len: at + 1,
            // `<tool_call|>` closes what `<|tool_call>` opens.
            close: slash || (end_bar && !bar),
            barred,
            marker: self.lookup(&name),
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
        tag.len = if has_attributes { self.attributes_end(at) } else { at };
        tag.attributes = at..tag.len;
        tag.damaged = true;
        Found::Yes(tag)
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

    /// Where attributes end: at the bracket, or at what cannot be a part of them.
    fn attributes_end(&self, from: usize) -> usize {
        let mut at = from;
        let mut quote = None;
        let mut before = b' ';
        loop {
            match (self.byte(at), quote) {
                (Err(_) | Ok(b'\n' | b'<'), _) | (Ok(b'>' | b'{'), None) => return at,
                (Ok(byte), Some(open)) if byte == open => quote = None,
                (Ok(byte @ (b'"' | b'\'')), None) if before == b'=' => quote = Some(byte),
                (Ok(byte), _) => before = byte,
            }
            at += 1;
        }
    }

    /// The marker that the letters of `name` spell.
    fn lookup(&self, name: &Range<usize>) -> Option<&'static Marker> {
        let name = self.text.get(name.clone())?;
        let mut letters = [0_u8; MAX_NAME];
        let mut len = 0;
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() {
                *letters.get_mut(len)? = byte.to_ascii_lowercase();
                len += 1;
            } else if byte == b':' && len > 0 {
                // A suffix from the model's vocabulary: `<tool_call:7f3a>`.
                let known = std::str::from_utf8(letters.get(..len)?).ok();
                if let Some(marker) = known.and_then(markers::find).filter(|m| m.takes_suffix()) {
                    return Some(marker);
                }
            }
        }
        markers::find(std::str::from_utf8(letters.get(..len)?).ok()?)
    }
}

#[cfg(test)]
mod tests;
