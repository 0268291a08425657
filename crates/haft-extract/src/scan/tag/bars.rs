//! The bars of special tokens: of whatever width, and with blanks around them.

use super::letters::Letters;
use super::{Found, Scan, Tag};

/// The bar of DeepSeek's tokens, U+FF5C, and those that are written for it: U+2016 and U+2502.
const WIDE_BARS: [[u8; 3]; 3] = [[0xEF, 0xBD, 0x9C], [0xE2, 0x80, 0x96], [0xE2, 0x94, 0x82]];

impl Scan<'_> {
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
