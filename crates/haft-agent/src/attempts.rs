//! Statistics of first replies and retries.
//!
//! Every question is recorded as one [`Attempt`](attempt::Attempt): whether the first reply was
//! usable, which recovery steps were taken with which result, and the times of both.
//!
//! * `attempt.rs`: the record of one question
//! * `recorder.rs`: fills it while the question runs, and counts and logs on the way
//! * `first_query.rs`: marks the first question of a conversation
//! * `metrics.rs`: the counters since the agent was built
//! * `store.rs`: a database of records
//!
//! Questions and answers are never recorded.

pub(crate) mod attempt;
pub(crate) mod first_query;
pub(crate) mod metrics;
pub(crate) mod recorder;
#[cfg(feature = "store")]
pub(crate) mod store;
