//! What is done when a model's reply is no use: the names of the rungs, and the record of one
//! step.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::answer::milliseconds;

/// One rung of the recovery ladder.
///
/// ```
/// use haft_core::Rung;
///
/// assert_eq!("without_tools".parse(), Ok(Rung::WithoutTools));
/// assert_eq!(Rung::ALL.len(), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rung {
    /// Prose came where a call was due: the model decides again, for a call or for none.
    ConstrainedCall,
    /// A blank reply that ran out of tokens: the same question with room for more.
    MoreRoom,
    /// A reply that was nothing but thoughts: the question without tools and without thinking.
    ThinkingOnly,
    /// A blank reply: the question without tools, and the word to answer it directly.
    WithoutTools,
    /// No call passed validation: the model reads the exact error and tries once more.
    InvalidCalls,
    /// The same call again: its first result, or a note, or at last a turn without tools.
    RepeatedCalls,
    /// The last round: it goes without tools, so that the work so far ends in an answer.
    RoundLimit,
}

impl Rung {
    /// All rungs, in the order in which their causes are looked for.
    pub const ALL: [Self; 7] = [
        Self::ConstrainedCall,
        Self::MoreRoom,
        Self::ThinkingOnly,
        Self::WithoutTools,
        Self::InvalidCalls,
        Self::RepeatedCalls,
        Self::RoundLimit,
    ];

    /// The name in settings, logs and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstrainedCall => "constrained_call",
            Self::MoreRoom => "more_room",
            Self::ThinkingOnly => "thinking_only",
            Self::WithoutTools => "without_tools",
            Self::InvalidCalls => "invalid_calls",
            Self::RepeatedCalls => "repeated_calls",
            Self::RoundLimit => "round_limit",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Rung {
    type Err = String;

    /// Reads a [`name`](Self::name).
    ///
    /// # Errors
    ///
    /// A sentence with the rungs that there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|rung| rung.name() == text);
        found.ok_or_else(|| format!("there are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl Serialize for Rung {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One step of the ladder, when it is known how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Recovery {
    /// What was done.
    pub rung: Rung,
    /// Which step of this question it was, from 1.
    pub attempt: u32,
    /// How long the model took for the reply that was no use; milliseconds in JSON.
    #[serde(rename = "original_ms", serialize_with = "milliseconds")]
    pub original: Duration,
    /// How long it took for the one after it; milliseconds in JSON.
    #[serde(rename = "retry_ms", serialize_with = "milliseconds")]
    pub retry: Duration,
    /// Whether that one was of use: a text, or a call that may run.
    pub recovered: bool,
}

impl Recovery {
    /// A step that helped nothing so far and took no time.
    #[must_use]
    pub fn new(rung: Rung, attempt: u32) -> Self {
        Self {
            rung,
            attempt,
            original: Duration::ZERO,
            retry: Duration::ZERO,
            recovered: false,
        }
    }
}
