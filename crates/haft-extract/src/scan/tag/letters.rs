//! The name of a tag by its letters and digits alone, and the marker that they spell.

use crate::formats::{self, Marker, Role};
use crate::scan::bytes::is_plain;

/// The attribute that names a call or a parameter.
pub(super) const ATTRIBUTE: &[u8] = b"name";

/// The longest name of a marker by its letters.
pub(super) const MAX_NAME: usize = 48;

/// The letters and digits of a name, in small letters.
pub(super) struct Letters {
    letters: [u8; MAX_NAME],
    /// So many there are; more than there is room for in a name that is no marker.
    len: usize,
    /// What stands before a colon, with a suffix behind it: `<tool_call:7f3a>`.
    before_suffix: Option<&'static Marker>,
}

impl Letters {
    pub(super) fn new() -> Self {
        Self {
            letters: [0; MAX_NAME],
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
        formats::marker(letters)
            .filter(|marker| matches!(marker.role, Role::Invoke | Role::Parameter))
    }

    /// The marker that the letters spell.
    pub(super) fn marker(&self) -> Option<&'static Marker> {
        self.before_suffix
            .or_else(|| formats::marker(self.letters()))
    }
}
