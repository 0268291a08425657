//! The bars of special tokens: of whatever width, and with blanks around them; and the one token
//! that is spelt as no other is.

use super::letters::Letters;
use super::{Found, Scan, Tag};
use crate::formats;

/// The bar of DeepSeek's tokens, U+FF5C, and those that are written for it: U+2016 and U+2502.
const WIDE_BARS: [[u8; 3]; 3] = [[0xEF, 0xBD, 0x9C], [0xE2, 0x80, 0x96], [0xE2, 0x94, 0x82]];

/// What MiniMax M2 ends a turn with.
const MINIMAX_END: &[u8] = b"[e~[";

impl Scan<'_> {
    /// The token that ends a turn of MiniMax M2.
    pub(super) fn minimax_end(&self) -> Found<Tag> {
        if !self.text.starts_with(MINIMAX_END) {
            return match MINIMAX_END.starts_with(self.text) && !self.finished {
                true => Found::More,
                false => Found::No,
            };
        }
        let end = MINIMAX_END.len() - 1;
        Found::Yes(Tag {
            len: end + 1,
            close: false,
            barred: true,
            marker: formats::marker(b"eos"),
            name: 1..end,
            attributes: end..end,
            damaged: false,
        })
    }

    /// The length of the bar at `at`, if there is one.
    pub(super) fn bar(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            Ok(b'|') => Some(1),
            Ok(0xE2 | 0xEF) => WIDE_BARS
                .iter()
                .any(|bar| self.text.get(at..at + bar.len()) == Some(bar.as_slice()))
                .then_some(3),
            _ => None,
        }
    }

    /// The rest of a tag whose first bracket stands apart, from its name on. Only those with a
    /// prefix of their own are written so; `a < |b|` is none.
    #[inline(never)]
    pub(super) fn prefixed_apart(&self, at: usize, (close, bars): (bool, usize)) -> Found<Tag> {
        let mut letters = Letters::default();
        let end = self.name(at, &mut letters);
        match self.byte(end) {
            _ if bars == 0 => Found::No,
            Err(true) => Found::More,
            _ if !letters.is_prefix() => Found::No,
            _ => self.after_name(at..end, letters, (close, true)),
        }
    }

    /// The length of what stands between the parts of a tag with a prefix, at `at`: `< | DSML |`.
    pub(super) fn gap(&self, at: usize, end_bar: bool) -> Found<usize> {
        match (self.byte(at), self.byte(at + 1)) {
            (Ok(b' ' | b'\n'), Err(true)) => Found::More,
            (Ok(b' ' | b'\n'), _) if end_bar || self.bar(at + 1).is_some() => Found::Yes(1),
            _ => Found::No,
        }
    }
}
