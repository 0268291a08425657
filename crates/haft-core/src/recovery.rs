//! Recovery steps for replies that are not usable: their names, and the record of one step.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::answer::milliseconds;

/// A step that is taken when a model's reply or call is not usable.
///
/// ```
/// use haft_core::RecoveryStep;
///
/// assert_eq!("without_tools".parse(), Ok(RecoveryStep::WithoutTools));
/// assert!(RecoveryStep::ALL.contains(&RecoveryStep::RoundLimit));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// After prose where a call was needed: ask again, for a call or an explicit "none".
    ConstrainedCall,
    /// After a blank reply that reached the token limit: ask again with a higher limit.
    RaiseMaxTokens,
    /// After a reply with reasoning only: ask again without tools and without reasoning.
    ThinkingOnly,
    /// After a blank reply: ask again without tools, for a direct answer.
    WithoutTools,
    /// After a reply without a valid call: the model reads the errors and tries once more.
    InvalidCalls,
    /// After a repeated call: return the first result or a note; in the end, a round without tools.
    RepeatedCalls,
    /// After a reply that repeats itself, and was cut off there: ask again.
    RepeatedText,
    /// In the last round: ask without tools, so that the question ends in an answer.
    RoundLimit,
    /// After an answer that contradicts the results of the calls: the results in place of it.
    UngroundedAnswer,
}

impl RecoveryStep {
    /// All steps, in the order in which their causes are checked.
    pub const ALL: [Self; 9] = [
        Self::RepeatedText,
        Self::ConstrainedCall,
        Self::RaiseMaxTokens,
        Self::ThinkingOnly,
        Self::WithoutTools,
        Self::InvalidCalls,
        Self::RepeatedCalls,
        Self::RoundLimit,
        Self::UngroundedAnswer,
    ];

    /// The name in settings, logs and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstrainedCall => "constrained_call",
            Self::RaiseMaxTokens => "raise_max_tokens",
            Self::ThinkingOnly => "thinking_only",
            Self::WithoutTools => "without_tools",
            Self::InvalidCalls => "invalid_calls",
            Self::RepeatedCalls => "repeated_calls",
            Self::RepeatedText => "repeated_text",
            Self::RoundLimit => "round_limit",
            Self::UngroundedAnswer => "ungrounded_answer",
        }
    }
}

impl fmt::Display for RecoveryStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for RecoveryStep {
    type Err = String;

    /// Parses a [`name`](Self::name), or `more_room`, the former name of `raise_max_tokens`.
    ///
    /// # Errors
    ///
    /// A sentence that lists the known steps.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "more_room" {
            return Ok(Self::RaiseMaxTokens);
        }
        let found = Self::ALL.into_iter().find(|step| step.name() == text);
        found.ok_or_else(|| format!("there are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl Serialize for RecoveryStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The record of one recovery step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Recovery {
    /// The step.
    pub step: RecoveryStep,
    /// The number of the step within its question, from 1.
    pub attempt: u32,
    /// The time of the reply that was not usable; milliseconds in JSON.
    #[serde(rename = "original_ms", serialize_with = "milliseconds")]
    pub original: Duration,
    /// The time of the reply after it; milliseconds in JSON.
    #[serde(rename = "retry_ms", serialize_with = "milliseconds")]
    pub retry: Duration,
    /// Whether it helped: by a text, or by a call. The call of
    /// [`ConstrainedCall`](RecoveryStep::ConstrainedCall) must agree with the question and succeed.
    pub recovered: bool,
}

impl Recovery {
    /// A step that has not succeeded yet and took no time.
    #[must_use]
    pub fn new(step: RecoveryStep, attempt: u32) -> Self {
        Self {
            step,
            attempt,
            original: Duration::ZERO,
            retry: Duration::ZERO,
            recovered: false,
        }
    }
}
