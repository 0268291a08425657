//! The record of one question.

use std::time::{Duration, SystemTime};

use haft_core::{Outcome, Recovery, Rung};

/// How one question went: the first try, and every retry. It holds no word of what was asked or
/// answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The model's full name, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// When the question came.
    pub started_at: SystemTime,
    /// Whether it was the first one of its conversation; only these count in the first-query
    /// success rate.
    pub is_first_query: bool,
    /// Whether the first reply could be used as it was, before any retry: a text or a call. A
    /// blank reply is none, and neither is one in whose place a retry put a call, or no reply.
    pub first_reply_usable: bool,
    /// How long the first reply took; none where there was no reply.
    pub original: Option<Duration>,
    /// How many replies were blank, retries left out.
    pub blank_replies: u64,
    /// How often the cause of each rung was seen, also of those that are switched off.
    pub needed: Vec<(Rung, u64)>,
    /// Every retry, in order; each has the time of the reply before it and its own.
    pub retries: Vec<Recovery>,
    /// How the question ended; none where it got no answer at all.
    pub outcome: Option<Outcome>,
}

impl Attempt {
    /// A question that comes now, and of which nothing is known yet.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            started_at: SystemTime::now(),
            is_first_query: false,
            first_reply_usable: false,
            original: None,
            blank_replies: 0,
            needed: Vec::new(),
            retries: Vec::new(),
            outcome: None,
        }
    }

    /// Counts a rung's cause.
    pub(crate) fn saw(&mut self, rung: Rung) {
        match self.needed.iter_mut().find(|(known, _)| *known == rung) {
            Some((_, times)) => *times += 1,
            None => self.needed.push((rung, 1)),
        }
    }
}
