//! How good the first try was, and what the retries were worth.
//!
//! Every question leaves one [`Attempt`]: whether the first reply was of use, which rungs of the
//! ladder were needed and how they went, and how long both took. `track.rs` notes it while the
//! question runs, `first_query.rs` knows which question opens a conversation, `metrics.rs` adds
//! up for the life of an agent, `store.rs` keeps it in a database. What was asked and answered is
//! never part of it.

mod attempt;
mod first_query;
mod metrics;
#[cfg(feature = "store")]
mod store;
mod track;

pub use self::attempt::Attempt;
pub(crate) use self::first_query::FirstQuery;
pub use self::metrics::{Metrics, RungCount, SuccessCount};
#[cfg(feature = "store")]
pub use self::store::{AttemptStore, AttemptSummary, ModelSummary};
