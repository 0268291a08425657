//! Summaries of attempts, one per model.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use haft_core::RecoveryStep;
use serde::{Serialize, Serializer};

use crate::attempts::attempt::milliseconds;
use crate::attempts::metrics::Metrics;

/// The summary of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AttemptSummary {
    /// The models, those with the most questions first.
    pub models: Vec<ModelSummary>,
}

/// The summary of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelSummary {
    /// The model's full name, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// The number of questions, including later ones of a conversation.
    pub questions: u64,
    /// The number of questions with a time in the future, from a wrong clock. Not in JSON if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub future_questions: u64,
    /// The number of questions by outcome; `failed` for those without an answer.
    pub outcomes: BTreeMap<String, u64>,
    /// The counters of first replies and retries.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// The median duration of a first reply; milliseconds in JSON.
    #[serde(rename = "original_ms", serialize_with = "in_milliseconds")]
    pub original: Option<Duration>,
    /// The median duration of a retry; milliseconds in JSON.
    #[serde(rename = "retry_ms", serialize_with = "in_milliseconds")]
    pub retry: Option<Duration>,
}

/// The models while rows are added, by name.
#[derive(Debug, Default)]
pub(super) struct Sums(BTreeMap<String, Sum>);

#[derive(Debug, Default)]
struct Sum {
    model: ModelSummary,
    originals: Vec<Duration>,
    retries: Vec<Duration>,
}

#[derive(Debug)]
pub(super) struct ReadAttempt {
    pub(super) model: String,
    pub(super) is_first_query: bool,
    pub(super) first_reply_usable: bool,
    pub(super) original: Option<Duration>,
    pub(super) blank_replies: u64,
    pub(super) outcome: String,
    pub(super) is_future: bool,
}

#[derive(Debug)]
pub(super) struct ReadRetry {
    pub(super) step: RecoveryStep,
    pub(super) took: Duration,
    pub(super) recovered: bool,
}

impl Sums {
    pub(super) fn add(&mut self, attempt: ReadAttempt) {
        let sum = self.of(&attempt.model);
        sum.originals.extend(attempt.original);
        let model = &mut sum.model;
        model.questions += 1;
        model.future_questions += u64::from(attempt.is_future);
        let outcome = model.outcomes.entry(attempt.outcome);
        *outcome.or_default() += 1;
        if attempt.is_first_query {
            model.metrics.asked_first(attempt.first_reply_usable);
        }
        model.metrics.saw_blank(attempt.blank_replies);
    }

    pub(super) fn add_needed(&mut self, model: &str, step: RecoveryStep, times: u64) {
        self.of(model).model.metrics.saw(step, times);
    }

    pub(super) fn add_retry(&mut self, model: &str, retry: &ReadRetry) {
        let sum = self.of(model);
        sum.retries.push(retry.took);
        sum.model.metrics.tried(retry.step);
        if retry.recovered {
            sum.model.metrics.recovered(retry.step);
        }
    }

    pub(super) fn finish(self) -> AttemptSummary {
        let sums = self.0.into_iter();
        let mut models: Vec<_> = sums
            .map(|(name, sum)| ModelSummary {
                model: name,
                original: median(sum.originals),
                retry: median(sum.retries),
                ..sum.model
            })
            .collect();
        // Stable: those with as many questions stay in the order of their names.
        models.sort_by_key(|model| Reverse(model.questions));
        AttemptSummary { models }
    }

    fn of(&mut self, name: &str) -> &mut Sum {
        self.0.entry(name.to_owned()).or_default()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The median; of two in the middle the lower one, so that it is a time that was measured.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    let middle = times.len().checked_sub(1)? / 2;
    times.get(middle).copied()
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn in_milliseconds<S: Serializer>(
    time: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(milliseconds).serialize(serializer)
}
