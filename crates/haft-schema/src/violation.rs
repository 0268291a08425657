//! What is wrong with a value, in words that a model reads and acts on.
//!
//! The words are found in `explain`; here they are put together within bounds.

use std::fmt;

use crate::shorten::clip;

/// Characters of the whole text.
const MAX_TEXT: usize = 1_000;

/// Characters that the violations alone may take, so that room is left for what is expected.
const MAX_VIOLATIONS_TEXT: usize = 640;

/// Everything that is wrong with a value, never empty.
///
/// Its `Display` is for the model: each bad parameter with what arrived and what is wanted, then
/// all parameters in short. It has at most 1,000 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    found: Vec<Violation>,
    expected: String,
}

/// One thing that is wrong. Its `Display` is a phrase without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer (RFC 6901) to the bad value; empty for the whole.
    pub path: String,
    /// What is wrong, such as `level must be a number from 0 to 100, but "abc" arrived`.
    pub message: String,
}

impl Violations {
    pub(crate) fn new(found: Vec<Violation>, expected: String) -> Self {
        Self { found, expected }
    }

    /// Each violation: first those of the values that are there, then those that are missing.
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
