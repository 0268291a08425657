//! The violations in a value, in words that a model can act on.
//!
//! `explain` finds them; this file combines them into a text of limited length.

use std::fmt;

use crate::shorten::clip;

/// The maximum length of the whole text in characters.
const MAX_TEXT: usize = 1_000;

/// The maximum length of the violations in characters, so that the expected parameters fit as well.
const MAX_VIOLATIONS_TEXT: usize = 640;

/// All violations in a value, never empty.
///
/// Its `Display` is for the model: each wrong parameter with the received value and the
/// requirement, then a short list of all parameters, in at most 1,000 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    found: Vec<Violation>,
    expected: String,
}

/// One violation. Its `Display` is a phrase without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer (RFC 6901) to the wrong value; empty for the whole value.
    pub path: String,
    /// The description, such as `level must be a number from 0 to 100, but "abc" arrived`.
    pub message: String,
}

impl Violations {
    pub(crate) fn new(found: Vec<Violation>, expected: String) -> Self {
        Self { found, expected }
    }

    /// Each violation: first those of given values, then missing ones.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.found.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self
            .iter()
            .map(|violation| violation.message.as_str())
            .collect();
        let mut text = clip(&messages.join("; "), MAX_VIOLATIONS_TEXT);
        if !self.expected.is_empty() {
            text.push_str(". Expected: ");
            text.push_str(&self.expected);
        }
        formatter.write_str(&clip(&text, MAX_TEXT))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Violations {}
