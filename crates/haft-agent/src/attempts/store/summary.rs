//! Attempts added up, model by model.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use haft_core::Rung;
use serde::{Serialize, Serializer};

use super::super::Metrics;
use crate::recovery::milliseconds;

/// What a store says of each model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AttemptSummary {
    /// The models, those with the most questions first.
    pub models: Vec<ModelSummary>,
}

/// What a store says of one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelSummary {
    /// Its full name, such as `ollama:qwen3:0.6b`.
    pub model: String,
    /// How many questions it was asked, later ones of a conversation included.
    pub questions: u64,
    /// How many ended in each way: the outcomes of an answer, and `failed` where there was none.
    pub outcomes: BTreeMap<String, u64>,
    /// How the first tries and the retries did.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// The median time of a first reply; milliseconds in JSON.
    #[serde(rename = "original_ms", serialize_with = "in_milliseconds")]
    pub original: Option<Duration>,
    /// The median time of a retry; milliseconds in JSON.
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

/// A row of an attempt.
#[derive(Debug)]
pub(super) struct ReadAttempt<'a> {
    pub(super) model: &'a str,
    pub(super) is_first_query: bool,
    pub(super) first_reply_usable: bool,
    pub(super) original: Option<Duration>,
    pub(super) blank_replies: u64,
    pub(super) outcome: &'a str,
}

/// A row of a retry.
#[derive(Debug)]
pub(super) struct ReadRetry {
    pub(super) rung: Rung,
    pub(super) took: Duration,
    pub(super) recovered: bool,
}

impl Sums {
    pub(super) fn add(&mut self, attempt: &ReadAttempt<'_>) {
        let sum = self.of(attempt.model);
        sum.originals.extend(attempt.original);
        let model = &mut sum.model;
        model.questions += 1;
        let outcome = model.outcomes.entry(attempt.outcome.to_owned());
        *outcome.or_default() += 1;
        if attempt.is_first_query {
            model.metrics.asked_first(attempt.first_reply_usable);
        }
        model.metrics.saw_blank(attempt.blank_replies);
    }

    pub(super) fn add_needed(&mut self, model: &str, rung: Rung, times: u64) {
        self.of(model).model.metrics.saw(rung, times);
    }

    pub(super) fn add_retry(&mut self, model: &str, retry: &ReadRetry) {
        let sum = self.of(model);
        sum.retries.push(retry.took);
        sum.model.metrics.tried(retry.rung);
        if retry.recovered {
            sum.model.metrics.recovered(retry.rung);
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

/// The one in the middle; of two the earlier, so that it is a time that was measured.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    let middle = times.len().checked_sub(1)? / 2;
    times.get(middle).copied()
}

#[expect(clippy::ref_option, reason = "what serde hands over")]
fn in_milliseconds<S: Serializer>(
    time: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(milliseconds).serialize(serializer)
}
