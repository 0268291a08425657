//! Records one question while it runs: the counters, the log and the record change together.

use std::time::Duration;

use haft_core::{Outcome, Recovery, RecoveryStep};

use super::attempt::{Attempt, milliseconds};
use super::first_query::FirstQuery;
use super::metrics::{Metrics, SharedMetrics};
#[cfg(feature = "store")]
use super::store::AttemptStore;

/// The record of a question that is being answered.
#[derive(Debug)]
pub(crate) struct AttemptRecorder {
    attempt: Attempt,
    metrics: SharedMetrics,
    /// Whether this is the first question of its conversation.
    first_query: FirstQuery,
    is_first_reply_judged: bool,
    /// Gets the finished record.
    #[cfg(feature = "store")]
    store: Option<AttemptStore>,
}

impl AttemptRecorder {
    /// The record of a question that starts now.
    pub(crate) fn new(model: &str, metrics: SharedMetrics, first_query: FirstQuery) -> Self {
        Self {
            attempt: Attempt::new(model),
            metrics,
            first_query,
            is_first_reply_judged: false,
            #[cfg(feature = "store")]
            store: None,
        }
    }

    /// Hands the finished record to this store.
    #[cfg(feature = "store")]
    pub(crate) fn with_store(mut self, store: Option<AttemptStore>) -> Self {
        self.store = store;
        self
    }

    /// Records that a reply took this long; the first one counts.
    pub(crate) fn replied(&mut self, duration: Duration) {
        self.attempt.original.get_or_insert(duration);
    }

    pub(crate) fn blank_reply(&mut self) {
        self.attempt.blank_replies += 1;
        self.metrics.update(|metrics| metrics.saw_blank(1));
    }

    /// Counts a call that the model only quoted.
    pub(crate) fn quoted_call(&self) {
        self.metrics.update(Metrics::saw_quoted);
    }

    /// Counts that a recovery step is needed, whether it is enabled or not.
    pub(crate) fn needs(&mut self, step: RecoveryStep) {
        self.attempt.saw(step);
        self.metrics.update(|metrics| metrics.saw(step, 1));
    }

    pub(crate) fn tries(&self, step: RecoveryStep) {
        self.metrics.update(|metrics| metrics.tried(step));
    }

    /// Counts the step if it helped, and returns the success rate of all retries so far.
    pub(crate) fn tried(&self, step: RecoveryStep, helped: bool) -> Option<f64> {
        self.metrics.update(|metrics| {
            if helped {
                metrics.recovered(step);
            }
            metrics.retries().rate()
        })
    }

    /// Records whether the first reply is usable. Later calls of this function have no effect.
    pub(crate) fn judge_first_reply(&mut self, usable: bool) {
        if std::mem::replace(&mut self.is_first_reply_judged, true) {
            return;
        }
        self.attempt.first_reply_usable = usable;
        self.attempt.is_first_query = self.first_query.take();
        if !self.attempt.is_first_query {
            return;
        }
        let rate = self.metrics.update(|metrics| {
            metrics.asked_first(usable);
            metrics.first_queries().rate()
        });
        let outcome = if usable { "success" } else { "failure" };
        tracing::info!(
            model = self.attempt.model,
            rate,
            duration_ms = self.attempt.original.map(milliseconds),
            "First query: {outcome}"
        );
    }

    /// Ends the record and hands it to the store. A question that failed has no outcome.
    pub(crate) fn finish(&mut self, outcome: Option<Outcome>, retries: Vec<Recovery>) {
        self.judge_first_reply(false);
        self.attempt.outcome = outcome;
        self.attempt.retries = retries;
        #[cfg(feature = "store")]
        if let Some(store) = &self.store {
            store.record(self.attempt.clone());
        }
    }
}
