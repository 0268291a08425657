//! The rest of a tag behind its name: bars, the second half of a prefix, attributes, the closing
//! bracket.

use std::ops::Range;

use memchr::memchr;

use super::letters::{ATTRIBUTE, Letters};
use super::{Scan, Tag};
use crate::formats::Role;
use crate::scan::Seen;

/// What ends a header, and slips into the name of the call after it.
const STRAY: &[u8] = b"<|message|>";

impl Scan<'_> {
    /// The rest of a tag: a bar, a prefix's second half, attributes, the closing bracket.
    pub(super) fn after_name(
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
    pub(super) fn with_attributes(&self, from: usize, tag: &Tag) -> Seen<Option<Tag>> {
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
    pub(super) fn stray_token(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_one = rest.starts_with(STRAY) || (STRAY.starts_with(rest) && !self.finished);
        usize::from(is_one) * STRAY.len().min(rest.len())
    }

    /// Where attributes end: at the bracket, or at what cannot be a part of them.
    pub(super) fn attributes_end(&self, from: usize) -> usize {
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
