//! The counters of one agent: first replies, and each recovery step.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::RecoveryStep;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The counters of an agent since it was built; clones of the agent share them.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let agent = haft_agent::Agent::builder().model("builtin").build().await?;
/// agent.ask("Hello").await?;
/// let metrics = agent.metrics();
/// assert_eq!(metrics.first_queries().rate(), Some(1.0));
/// assert_eq!(metrics.retries().rate(), None); // no retry was needed
/// # Ok::<_, haft_agent::AgentError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metrics {
    first_queries: SuccessCount,
    blank_replies: u64,
    quoted_calls: u64,
    #[serde(serialize_with = "as_map")]
    steps: BTreeMap<RecoveryStep, StepCount>,
}

/// A number of tries, and how many of them succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuccessCount {
    /// The number of tries.
    pub tries: u64,
    /// The number of successful tries.
    pub successes: u64,
}

/// The counters of one recovery step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StepCount {
    /// How often the step was needed, also while it was switched off.
    pub seen: u64,
    /// How often the step was tried.
    pub tried: u64,
    /// How often the reply after the step was usable.
    pub recovered: u64,
}

impl SuccessCount {
    /// A count with these numbers.
    #[must_use]
    pub fn new(tries: u64, successes: u64) -> Self {
        Self { tries, successes }
    }

    /// The success rate, from 0 to 1; `None` without a try.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts beyond 2^53 are not reached"
        )]
        let rate = self.successes as f64 / self.tries as f64;
        (self.tries > 0).then_some(rate)
    }

    fn count(&mut self, worked: bool) {
        self.tries += 1;
        self.successes += u64::from(worked);
    }
}

/// Writes `{"tries", "successes", "rate"}`; the rate is null without a try.
impl Serialize for SuccessCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("tries", &self.tries)?;
        map.serialize_entry("successes", &self.successes)?;
        map.serialize_entry("rate", &self.rate())?;
        map.end()
    }
}

impl Metrics {
    /// The first questions of conversations, and how many of them got a usable first reply.
    #[must_use]
    pub fn first_queries(&self) -> SuccessCount {
        self.first_queries
    }

    /// The tries of all recovery steps together, and how many of them helped.
    #[must_use]
    pub fn retries(&self) -> SuccessCount {
        let counts = self.steps.values();
        counts.fold(SuccessCount::default(), |sum, count| SuccessCount {
            tries: sum.tries + count.tried,
            successes: sum.successes + count.recovered,
        })
    }

    /// The number of replies with neither a call nor a text, without those of retries.
    #[must_use]
    pub fn blank_replies(&self) -> u64 {
        self.blank_replies
    }

    /// The number of calls that were not run because the model only quoted them.
    #[must_use]
    pub fn quoted_calls(&self) -> u64 {
        self.quoted_calls
    }

    /// The counters of one step.
    #[must_use]
    pub fn of(&self, step: RecoveryStep) -> StepCount {
        self.steps.get(&step).copied().unwrap_or_default()
    }

    pub(super) fn asked_first(&mut self, usable: bool) {
        self.first_queries.count(usable);
    }

    pub(super) fn saw_blank(&mut self, times: u64) {
        self.blank_replies += times;
    }

    pub(super) fn saw_quoted(&mut self) {
        self.quoted_calls += 1;
    }

    pub(super) fn saw(&mut self, step: RecoveryStep, times: u64) {
        self.steps.entry(step).or_default().seen += times;
    }

    pub(super) fn tried(&mut self, step: RecoveryStep) {
        self.steps.entry(step).or_default().tried += 1;
    }

    pub(super) fn recovered(&mut self, step: RecoveryStep) {
        self.steps.entry(step).or_default().recovered += 1;
    }
}

/// The counters that all clones and all questions of an agent share.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedMetrics(Arc<Mutex<Metrics>>);

impl SharedMetrics {
    /// Changes or reads the counters.
    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut Metrics) -> T) -> T {
        let metrics = self.0.lock();
        change(&mut metrics.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Serializes the steps by name, in the order of [`RecoveryStep::ALL`].
fn as_map<S: Serializer>(
    steps: &BTreeMap<RecoveryStep, StepCount>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let in_order = RecoveryStep::ALL.into_iter();
    serializer.collect_map(in_order.filter_map(|step| Some((step.name(), steps.get(&step)?))))
}
