//! The name of a tag by its letters and digits alone, and the marker that they spell. Two of them tell
//! that a bracket begins no tag, as most of those in text do not: links, lists, comparisons.

use crate::formats::{self, Marker, Role};

/// The attribute that names a call or a parameter.
pub(super) const ATTRIBUTE: &[u8] = b"name";

/// The longest name of a marker by its letters.
pub(super) const MAX_NAME: usize = 48;

/// The letters and digits of a name, in small letters.
#[derive(Default)]
pub(super) struct Letters {
    letters: Vec<u8>,
    /// What stands before a colon, with a suffix behind it: `<tool_call:7f3a>`.
    before_suffix: Option<&'static Marker>,
}

impl Letters {
    pub(super) fn push(&mut self, letter: u8) {
        self.letters.push(letter);
    }

    /// Looks whether a suffix from the model's vocabulary may begin; the length of a colon.
    pub(super) fn colon(&mut self) -> usize {
        let spelt = formats::marker(&self.letters);
        let suffixed = spelt.filter(|marker| marker.takes_suffix());
        self.before_suffix = self.before_suffix.or(suffixed);
        1
    }

    /// True for what stands before the name in each of DeepSeek's tags.
    pub(super) fn is_prefix(&self) -> bool {
        self.letters == b"dsml"
    }

    /// The marker of a call or a parameter before the letters of its attribute.
    pub(super) fn glued(&self) -> Option<&'static Marker> {
        let letters = self.letters.strip_suffix(ATTRIBUTE)?;
        formats::marker(letters)
            .filter(|marker| matches!(marker.role, Role::Invoke | Role::Parameter))
    }

    /// The marker that the letters spell.
    pub(super) fn marker(&self) -> Option<&'static Marker> {
        self.before_suffix
            .or_else(|| formats::marker(&self.letters))
    }
}

/// False when neither a tag nor the beginning of one stands at the beginning of `text`, which must
/// start with `<` or `[`.
#[inline]
pub(crate) fn may_be_tag(text: &[u8]) -> bool {
    match text {
        // Markers in square brackets have large letters.
        [b'[', first, second, ..] => match in_square(*first) {
            true => in_square(*second) || *second == b']',
            false => [*first, *second] == *b"e~",
        },
        // A blank before a bar: `< | DSML | invoke`.
        [b'<', b' ' | b'\n', second, ..] => begins_bar(*second),
        [b'<', b' ' | b'\n'] => true,
        [b'<', first, ..] => {
            first.is_ascii_alphabetic() || matches!(first, b'_' | b'/') || begins_bar(*first)
        }
        _ => true,
    }
}

/// True for the first byte of a bar, in whatever width.
pub(crate) fn begins_bar(byte: u8) -> bool {
    matches!(byte, b'|' | 0xE2 | 0xEF)
}

fn in_square(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'_' | b' ' | b'/')
}
