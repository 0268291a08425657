//! The name of a tag by its letters and digits alone, and the marker that they spell.

use crate::formats::{self, Marker, Role};

/// The attribute that names a call or a parameter.
pub(super) const ATTRIBUTE: &[u8] = b"name";

/// The longest name of a marker by its letters.
pub(super) const MAX_NAME: usize = 48;

/// The letters and digits of a name, in small letters.
pub(super) struct Letters {
    bytes: [u8; MAX_NAME],
    len: usize,
    /// What stands before a colon, with a suffix behind it: `<tool_call:7f3a>`.
    before_suffix: Option<&'static Marker>,
}

impl Default for Letters {
    fn default() -> Self {
        Self {
            bytes: [0; MAX_NAME],
            len: 0,
            before_suffix: None,
        }
    }
}

impl Letters {
    pub(super) fn push(&mut self, letter: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = letter;
        }
        self.len += 1;
    }

    /// Looks whether a suffix from the model's vocabulary may begin; the length of a colon.
    pub(super) fn colon(&mut self) -> usize {
        if self.before_suffix.is_none() {
            self.before_suffix = self.spelt().filter(|marker| marker.takes_suffix());
        }
        1
    }

    fn spelt(&self) -> Option<&'static Marker> {
        formats::marker(self.bytes.get(..self.len)?)
    }

    /// True for what stands before the name in each of DeepSeek's tags.
    pub(super) fn is_prefix(&self) -> bool {
        self.bytes.get(..self.len) == Some(b"dsml".as_slice())
    }

    /// The marker of a call or a parameter before the letters of its attribute.
    pub(super) fn glued(&self) -> Option<&'static Marker> {
        let letters = self.bytes.get(..self.len)?.strip_suffix(ATTRIBUTE)?;
        formats::marker(letters)
            .filter(|marker| matches!(marker.role, Role::Invoke | Role::Parameter))
    }

    /// The marker that the letters spell.
    pub(super) fn marker(&self) -> Option<&'static Marker> {
        self.before_suffix.or_else(|| self.spelt())
    }
}
