//! The bars of special tokens, of whatever width, and what stands around them: blanks, and names
//! with blanks, as some tokenizers write DeepSeek's `<｜tool▁calls▁begin｜>`:
//! `<｜tool calls begin｜>`.

use super::letters::{Letters, MAX_NAME};
use super::scan::Scan;
use crate::scan::Seen;

/// The bar of DeepSeek's tokens, U+FF5C, and those that are written for it: U+2016 and U+2502.
const WIDE_BARS: [&str; 3] = ["｜", "‖", "│"];

impl Scan<'_> {
    /// The length of the bar at `at`, if there is one.
    pub(super) fn bar(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        match rest.first()? {
            b'|' => Some(1),
            0xE2 | 0xEF => {
                let is_bar = |bar: &&&str| rest.starts_with(bar.as_bytes());
                WIDE_BARS.iter().find(is_bar).map(|bar| bar.len())
            }
            _ => None,
        }
    }

    /// True for a blank that may stand beside a bar.
    pub(super) fn is_gap(&self, at: usize) -> bool {
        matches!(self.get(at), Some(b' ' | b'\n'))
    }

    /// True for a blank between the parts of a tag with a prefix: `< | DSML |`.
    pub(super) fn is_gap_before_bar(&self, at: usize, end_bar: bool) -> Seen<bool> {
        if !self.is_gap(at) {
            return Ok(false);
        }
        self.byte(at + 1)?;
        Ok(end_bar || self.bar(at + 1).is_some())
    }

    /// Takes in the letters of the words that begin at `at`, if nothing but the end of a token
    /// follows them; their end.
    pub(super) fn words(&self, at: usize, letters: &mut Letters) -> Seen<Option<usize>> {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_word = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_');
        let len = rest.iter().take(MAX_NAME).take_while(is_word).count();
        let end = at + len;
        if len < MAX_NAME {
            self.byte(end)?;
        }
        let Some(bar) = self.bar(end) else {
            return Ok(None);
        };
        if self.byte(end + bar)? != Some(b'>') {
            return Ok(None);
        }
        let mut at = at;
        while at < end {
            at = self.name(at, letters).max(at + 1);
        }
        Ok(Some(end))
    }
}
