//! The scan of one tag: bars, blanks, the slash, the letters of its name, attributes and brackets, as
//! far as a model wrote them.

use std::ops::Range;

use memchr::memchr;

use super::Tag;
use super::letters::{ATTRIBUTE, Letters};
use crate::formats::{self, Marker, Role};
use crate::limits;
use crate::scan::{GEMMA_BAR, More, Seen, Text};

/// As many bars stand in front of a name at most.
const MAX_BARS: usize = 2;

/// What MiniMax M2 ends a turn with.
const MINIMAX_END: &[u8] = b"[e~[";

/// What ends a header, and slips into the name of the call after it.
const STRAY: &[u8] = b"<|message|>";

/// One reading of one tag.
pub(super) struct TagParser<'t> {
    source: &'t str,
    /// Where the tag begins.
    start: usize,
    pub(super) text: &'t [u8],
    finished: bool,
}

impl<'t> TagParser<'t> {
    /// Looks at no more than the longest tag, so that it does not matter how much more there is.
    pub(super) fn new(text: Text<'t>, at: usize) -> Self {
        let source = text.rest(at);
        let bytes = source.as_bytes();
        let near = bytes.get(..limits::HEADER);
        Self {
            source,
            start: at,
            text: near.unwrap_or(bytes),
            finished: text.finished || near.is_some(),
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// The byte at `at`; none if the text is over there.
    pub(super) fn byte(&self, at: usize) -> Seen<Option<u8>> {
        let byte = self.get(at);
        (byte.is_some() || self.finished)
            .then_some(byte)
            .ok_or(More)
    }

    /// Takes in the letters of the name that begins at `at`; its end.
    pub(super) fn name(&self, mut at: usize, letters: &mut Letters) -> usize {
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            let run = letters.push_run(rest);
            at += run;
            at += match rest.get(run..) {
                Some([b'_' | b'-' | b'.', ..]) => 1,
                Some([b':', ..]) => letters.colon(),
                // What DeepSeek writes for a blank inside a token, U+2581.
                Some([0xE2, 0x96, 0x81, ..]) => 3,
                _ => return at,
            };
        }
    }

    /// A token of `len` bytes with this name.
    fn tag(&self, len: usize, name: Range<usize>, marker: Option<&'static Marker>) -> Tag<'t> {
        Tag {
            text: self.source,
            start: self.start,
            len,
            close: false,
            barred: true,
            marker,
            attributes: name.end..name.end,
            name,
            damaged: false,
        }
    }

    /// A token with signs in place of letters.
    fn signs(&self, token: &[u8], letters: &[u8]) -> Seen<Option<Tag<'t>>> {
        if !self.text.starts_with(token) {
            let may_come = !self.finished && token.starts_with(self.text);
            return if may_come { Err(More) } else { Ok(None) };
        }
        let name = 1..token.len() - 1;
        Ok(Some(self.tag(token.len(), name, formats::marker(letters))))
    }

    /// `[NAME]` or `[/NAME]` in capitals.
    pub(super) fn square(&self) -> Seen<Option<Tag<'t>>> {
        if let Some(end) = self.signs(MINIMAX_END, b"eos")? {
            return Ok(Some(end));
        }
        let close = self.get(1) == Some(b'/');
        let start = 1 + usize::from(close);
        let mut at = start;
        while at < limits::WORD
            && let Some(b'A'..=b'Z' | b'_' | b' ') = self.byte(at)?
        {
            at += 1;
        }
        if self.byte(at)? != Some(b']') || at == start {
            return Ok(None);
        }
        let mut letters = Letters::new();
        let mut part = start;
        while part < at {
            part = self.name(part, &mut letters) + 1;
        }
        let marker = letters.marker().filter(|marker| marker.is_square());
        Ok(marker.map(|marker| Tag {
            close,
            ..self.tag(at + 1, start..at, Some(marker))
        }))
    }

    /// `<name ...>` in all its forms.
    pub(super) fn angle(&self) -> Seen<Option<Tag<'t>>> {
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
                    _ => return self.signs(GEMMA_BAR.as_bytes(), b"quote"),
                },
            }
        }
        let barred = bars > 0;
        if is_apart && !barred {
            return Ok(None);
        }
        let mut letters = Letters::new();
        let mut end = self.name(at, &mut letters);
        let next = self.byte(end)?;
        // Only those with a prefix of their own stand apart; `a < |b|` is none.
        if is_apart && !letters.is_prefix() {
            return Ok(None);
        }
        if next == Some(b' ') && barred && !is_apart {
            end = self.words(end, &mut letters)?.unwrap_or(end);
        }
        let begun = Tag {
            close,
            barred,
            ..self.tag(end, at..end, None)
        };
        self.after_name(&begun, &mut letters)
    }

    /// The rest of a tag: a bar, a prefix's second half, attributes, the closing bracket.
    fn after_name(&self, begun: &Tag<'t>, letters: &mut Letters) -> Seen<Option<Tag<'t>>> {
        let mut name = begun.name.clone();
        let mut at = name.end;
        let mut barred = begun.barred;
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
                    Some(byte) if end_bar && byte != b'>' => self.name(at, letters),
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
            // `<tool_call|>` closes what `<|tool_call>` opens.
            close: begun.close || (end_bar && !begun.barred),
            barred,
            attributes: at..at,
            ..self.tag(at + 1, name, letters.marker())
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
    fn with_attributes(&self, from: usize, tag: &Tag<'t>) -> Seen<Option<Tag<'t>>> {
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
