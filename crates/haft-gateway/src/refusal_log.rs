//! Lines about refused and failed requests in the log: under overload they are counted instead of
//! repeated, so that a client that tries again and again cannot fill the disk.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The failures of a kind that are logged within [`PERIOD`], each with its id; further ones are
/// counted. Of refusals it is one.
const FAILURES: u32 = 3;

/// For how long refusals of a kind are counted before they are logged again.
const PERIOD: Duration = Duration::from_secs(10);

/// The maximum number of kinds: statuses times keys. Those beyond are not logged.
const MOST_KINDS: usize = 1024;

/// The refusals of the last seconds.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Mutex<HashMap<RefusalKind, Counted>>);

/// Refusals that are logged together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RefusalKind {
    pub(crate) status: u16,
    /// The name of the key.
    pub(crate) key: Option<Arc<str>>,
    /// The upstream that failed.
    pub(crate) upstream: Option<Arc<str>>,
}

#[derive(Debug)]
struct Counted {
    since: Instant,
    logged: u32,
    /// The number of refusals that were not logged.
    unlogged: u64,
}

impl RefusalLog {
    /// Logs a refusal, or counts it if one of its kind was logged within ten seconds. The next line
    /// reports how many were counted.
    pub(crate) fn note(&self, kind: &RefusalKind) {
        if let Some(unlogged) = self.count(kind, 1) {
            tracing::info!(
                target: "haft_gateway::access",
                status = kind.status,
                key = kind.key.as_deref(),
                and_before = unlogged,
                "refused",
            );
        }
    }

    /// Whether a failure is logged by its caller: then the number of equal ones that were not logged
    /// before it, otherwise `None`.
    pub(crate) fn note_failure(&self, kind: &RefusalKind) -> Option<u64> {
        self.count(kind, FAILURES)
    }

    /// The number of refusals of this kind that were not logged before this one, if fewer than
    /// `most` lines were logged within the period.
    fn count(&self, kind: &RefusalKind, most: u32) -> Option<u64> {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some(counted) = kinds.get_mut(kind) {
            if now.duration_since(counted.since) >= PERIOD {
                let unlogged = counted.unlogged;
                *counted = Counted::first(now);
                return Some(unlogged);
            }
            if counted.logged < most {
                counted.logged += 1;
                return Some(0);
            }
            counted.unlogged += 1;
            return None;
        }
        if kinds.len() >= MOST_KINDS {
            kinds.retain(|_, counted| now.duration_since(counted.since) < PERIOD);
        }
        if kinds.len() >= MOST_KINDS {
            return None;
        }
        kinds.insert(kind.clone(), Counted::first(now));
        Some(0)
    }
}

impl Counted {
    /// The count after the first line of a period.
    fn first(now: Instant) -> Self {
        Self {
            since: now,
            logged: 1,
            unlogged: 0,
        }
    }
}

#[cfg(test)]
mod tests;
