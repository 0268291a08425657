//! The name of a tag by its letters and digits alone, and the marker that they spell; the bars of
//! special tokens, of whatever width, and what stands around them: blanks, and names with blanks, as
//! some tokenizers write DeepSeek's `<｜tool▁calls▁begin｜>`: `<｜tool calls begin｜>`.

use super::parser::TagParser;
use crate::formats::{self, Marker, Role};
use crate::{limits, scan::Seen, scan::bytes::is_plain};

/// The attribute that names a call or a parameter.
pub(super) const ATTRIBUTE: &[u8] = b"name";

/// The letters and digits of a name, in small letters.
pub(super) struct Letters {
    letters: [u8; limits::WORD],
    /// So many there are; more than there is room for in a name that is no marker.
    len: usize,
    /// What stands before a colon, with a suffix behind it: `<tool_call:7f3a>`.
    before_suffix: Option<&'static Marker>,
}

impl Letters {
    pub(super) fn new() -> Self {
        Self {
            letters: [0; limits::WORD],
            len: 0,
            before_suffix: None,
        }
    }

    /// Takes in the letters and digits that `text` begins with; how many these are.
    pub(super) fn push_run(&mut self, text: &[u8]) -> usize {
        let room = self.letters.get_mut(self.len..).unwrap_or_default();
        let mut run = 0;
        for (byte, place) in text.iter().zip(room) {
            if !is_plain(*byte) {
                break;
            }
            // A large letter in its small form; a digit stays.
            *place = byte | 0x20;
            run += 1;
        }
        // Those of a longer name are only counted.
        let more = text.get(run..).unwrap_or_default().iter();
        run += more.take_while(|byte| is_plain(**byte)).count();
        self.len += run;
        run
    }

    /// All of them; none of a name that is longer than any marker.
    fn letters(&self) -> &[u8] {
        self.letters.get(..self.len).unwrap_or_default()
    }

    /// Looks whether a suffix from the model's vocabulary may begin; the length of a colon.
    pub(super) fn colon(&mut self) -> usize {
        let spelt = formats::marker(self.letters());
        let suffixed = spelt.filter(|marker| marker.takes_suffix());
        self.before_suffix = self.before_suffix.or(suffixed);
        1
    }

    /// True for what stands before the name in each of DeepSeek's tags.
    pub(super) fn is_prefix(&self) -> bool {
        self.letters() == b"dsml"
    }

    /// The marker of a call or a parameter before the letters of its attribute.
    pub(super) fn glued(&self) -> Option<&'static Marker> {
        let letters = self.letters().strip_suffix(ATTRIBUTE)?;
        let marker = formats::marker(letters)?;
        matches!(marker.role, Role::Invoke | Role::Parameter).then_some(marker)
    }

    /// The marker that the letters spell.
    pub(super) fn marker(&self) -> Option<&'static Marker> {
        let spelt = || formats::marker(self.letters());
        self.before_suffix.or_else(spelt)
    }
}

/// The bar of DeepSeek's tokens, U+FF5C, and those that are written for it: U+2016 and U+2502.
const WIDE_BARS: [&str; 3] = ["｜", "‖", "│"];

impl TagParser<'_> {
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
    pub(super) fn words(&self, mut at: usize, letters: &mut Letters) -> Seen<Option<usize>> {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_word = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'_');
        let len = rest.iter().take(limits::WORD).take_while(is_word).count();
        let end = at + len;
        if len < limits::WORD {
            self.byte(end)?;
        }
        let Some(bar) = self.bar(end) else {
            return Ok(None);
        };
        if self.byte(end + bar)? != Some(b'>') {
            return Ok(None);
        }
        while at < end {
            at = self.name(at, letters).max(at + 1);
        }
        Ok(Some(end))
    }
}
