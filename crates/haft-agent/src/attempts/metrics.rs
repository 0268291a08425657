//! The counters of one agent and so of one model: how the first tries did, and each rung.

use haft_core::Rung;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The counters of an agent since it was made; all clones of the agent share them.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let agent = haft_agent::Agent::builder().model("builtin").build().await?;
/// agent.ask("Hello").await?;
/// let metrics = agent.metrics();
/// assert_eq!(metrics.first_queries().rate(), Some(1.0));
/// assert_eq!(metrics.retries().rate(), None); // nothing had to be tried again
/// # Ok::<_, haft_agent::AgentError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metrics {
    first_queries: SuccessCount,
    blank_replies: u64,
    #[serde(serialize_with = "as_map")]
    rungs: Vec<(Rung, RungCount)>,
}

/// How often something was tried, and how often it worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuccessCount {
    /// How often it was tried.
    pub tries: u64,
    /// How often it worked.
    pub successes: u64,
}

/// The counters of one rung.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RungCount {
    /// How often its cause was seen, also while it was switched off.
    pub seen: u64,
    /// How often it was tried.
    pub tried: u64,
    /// How often what came then was of use.
    pub recovered: u64,
}

impl SuccessCount {
    /// So many tries, and so many of them that worked.
    #[must_use]
    pub fn new(tries: u64, successes: u64) -> Self {
        Self { tries, successes }
    }

    /// The share that worked, from 0 to 1; none where nothing was tried.
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

/// `{"tries", "successes", "rate"}`; the rate is null where nothing was tried.
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
    /// The first questions of conversations, and how many of them got a first reply of use.
    #[must_use]
    pub fn first_queries(&self) -> SuccessCount {
        self.first_queries
    }

    /// What was tried on all rungs together, and how much of it helped.
    #[must_use]
    pub fn retries(&self) -> SuccessCount {
        let counts = self.rungs.iter().map(|(_, count)| count);
        counts.fold(SuccessCount::default(), |sum, count| SuccessCount {
            tries: sum.tries + count.tried,
            successes: sum.successes + count.recovered,
        })
    }

    /// How many replies had neither a call nor a text, those of retries left out.
    #[must_use]
    pub fn blank_replies(&self) -> u64 {
        self.blank_replies
    }

    /// The counters of a rung.
    #[must_use]
    pub fn of(&self, rung: Rung) -> RungCount {
        let found = self.rungs.iter().find(|(known, _)| *known == rung);
        found.map_or_else(RungCount::default, |(_, count)| *count)
    }

    pub(super) fn asked_first(&mut self, usable: bool) {
        self.first_queries.count(usable);
    }

    pub(super) fn saw_blank(&mut self, times: u64) {
        self.blank_replies += times;
    }

    pub(super) fn saw(&mut self, rung: Rung, times: u64) {
        self.change(rung, |count| count.seen += times);
    }

    pub(super) fn tried(&mut self, rung: Rung) {
        self.change(rung, |count| count.tried += 1);
    }

    pub(super) fn recovered(&mut self, rung: Rung) {
        self.change(rung, |count| count.recovered += 1);
    }

    fn change(&mut self, rung: Rung, change: impl Fn(&mut RungCount)) {
        match self.rungs.iter_mut().find(|(known, _)| *known == rung) {
            Some((_, count)) => change(count),
            None => {
                let mut count = RungCount::default();
                change(&mut count);
                self.rungs.push((rung, count));
            }
        }
    }
}

/// The rungs by name, in their order on the ladder.
fn as_map<S: Serializer>(rungs: &[(Rung, RungCount)], serializer: S) -> Result<S::Ok, S::Error> {
    let in_order = Rung::ALL.into_iter();
    let entries = in_order.filter_map(|rung| rungs.iter().find(|(known, _)| *known == rung));
    serializer.collect_map(entries.map(|(rung, count)| (rung.name(), count)))
}
