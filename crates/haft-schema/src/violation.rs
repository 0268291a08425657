//! What is wrong with a value, in words that a model reads and acts on.

use std::fmt;

/// Everything that is wrong with a value. Its `Display` is meant for the model: at most 1,000
/// characters, no jargon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    violations: Vec<Violation>,
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
    pub(crate) fn new(violations: Vec<Violation>) -> Self {
        Self { violations }
    }

    /// The violations, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<&str> = self.violations.iter().map(|v| v.message.as_str()).collect();
        formatter.write_str(&all.join("; "))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Violations {}
