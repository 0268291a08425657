//! The record of one question.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use haft_core::{Outcome, Recovery, RecoveryStep};

/// The record of one question: its first reply and every retry, without the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The model's full name, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// The time of the question.
    pub started_at: SystemTime,
    /// Whether the question was the first of its conversation; only these count in the
    /// first-query success rate.
    pub is_first_query: bool,
    /// Whether the first reply was usable without a retry: a text or a call. False for a blank
    /// reply, a reply that a retry replaced by a call, and a failure.
    pub first_reply_usable: bool,
    /// The duration of the first reply; `None` without a reply.
    pub original: Option<Duration>,
    /// The number of blank replies, without those of retries.
    pub blank_replies: u64,
    /// How often each step was needed, including steps that are switched off.
    pub needed: BTreeMap<RecoveryStep, u64>,
    /// Every retry, in order.
    pub retries: Vec<Recovery>,
    /// How the question ended; `None` if it failed.
    pub outcome: Option<Outcome>,
}

impl Attempt {
    /// The empty record of a question that starts now.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            started_at: SystemTime::now(),
            is_first_query: false,
            first_reply_usable: false,
            original: None,
            blank_replies: 0,
            needed: BTreeMap::new(),
            retries: Vec::new(),
            outcome: None,
        }
    }

    /// Counts that a step was needed.
    pub(crate) fn saw(&mut self, step: RecoveryStep) {
        *self.needed.entry(step).or_default() += 1;
    }
}

/// A duration in whole milliseconds, as logs, JSON and the store have it.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
