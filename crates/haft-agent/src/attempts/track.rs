//! Notes how a question goes while it runs: the counters, the log, the record.

use haft_core::{Answer, Rung};

use super::Metrics;
use crate::error::AgentError;
use crate::recovery::milliseconds;
use crate::run::Run;

impl Run {
    /// Counts a rung's cause; true where the rung is in use.
    pub(crate) fn sees(&mut self, rung: Rung) -> bool {
        self.attempt.saw(rung);
        self.shared.count(|metrics| metrics.saw(rung, 1));
        self.shared.options.recovery.has(rung)
    }

    /// Counts a rung that is tried.
    pub(crate) fn count_try(&self, rung: Rung) {
        self.shared.count(|metrics| metrics.tried(rung));
    }

    /// Counts a rung that helped, if it did; the share of all retries that did so far.
    pub(crate) fn count_retry(&self, rung: Rung, recovered: bool) -> Option<f64> {
        self.shared.count(|metrics| {
            if recovered {
                metrics.recovered(rung);
            }
            metrics.retries().rate()
        })
    }

    /// Counts a blank reply.
    pub(crate) fn count_blank(&mut self) {
        self.attempt.blank_replies += 1;
        self.shared.count(|metrics| metrics.saw_blank(1));
    }

    /// Takes in whether the first reply is of use. What is known of later ones changes nothing.
    pub(crate) fn judge_first_reply(&mut self, usable: bool) {
        if std::mem::replace(&mut self.is_first_reply_judged, true) {
            return;
        }
        self.attempt.first_reply_usable = usable;
        self.attempt.is_first_query = self.first_query.take();
        if !self.attempt.is_first_query {
            return;
        }
        let rate = self.shared.count(|metrics: &mut Metrics| {
            metrics.asked_first(usable);
            metrics.first_queries().rate()
        });
        let outcome = if usable { "success" } else { "failure" };
        tracing::info!(
            model = self.shared.model.id(),
            rate,
            duration_ms = self.attempt.original.map(milliseconds),
            "First query: {outcome}"
        );
    }

    /// Ends the record of a question, with or without an answer, and hands it to the store.
    pub(crate) async fn end_attempt(&mut self, answer: &Result<Answer, AgentError>) {
        self.judge_first_reply(false);
        if let Ok(answer) = answer {
            self.attempt.outcome = Some(answer.outcome);
            self.attempt.retries = answer.recovery.clone();
        } else {
            self.give_up_pending().await;
            self.attempt.retries = std::mem::take(&mut self.ladder.steps);
        }
        #[cfg(feature = "store")]
        if let Some(store) = &self.shared.options.attempts {
            store.record(self.attempt.clone());
        }
    }
}
