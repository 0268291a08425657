//! Lines about refused requests in the log: under overload they are counted instead of repeated, so
//! that a client that tries again and again cannot fill the disk.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

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
}

#[derive(Debug)]
struct Counted {
    since: Instant,
    /// The number of refusals that were not logged.
    unlogged: u64,
}

impl RefusalLog {
    /// Logs a refusal, or counts it if one of its kind was logged within ten seconds. The next line
    /// reports how many were counted.
    pub(crate) fn note(&self, kind: &RefusalKind) {
        if let Some(unlogged) = self.count(kind) {
            tracing::info!(
                target: "haft_gateway::access",
                status = kind.status,
                key = kind.key.as_deref(),
                and_before = unlogged,
                "refused",
            );
        }
    }

    /// The number of refusals of this kind that were counted since the last line, if it is time for
    /// another line.
    fn count(&self, kind: &RefusalKind) -> Option<u64> {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some(counted) = kinds.get_mut(kind) {
            if now.duration_since(counted.since) < PERIOD {
                counted.unlogged += 1;
                return None;
            }
            let unlogged = counted.unlogged;
            *counted = Counted {
                since: now,
                unlogged: 0,
            };
            return Some(unlogged);
        }
        if kinds.len() >= MOST_KINDS {
            kinds.retain(|_, counted| now.duration_since(counted.since) < PERIOD);
        }
        if kinds.len() >= MOST_KINDS {
            return None;
        }
        let counted = Counted {
            since: now,
            unlogged: 0,
        };
        kinds.insert(kind.clone(), counted);
        Some(0)
    }
}

#[cfg(test)]
mod tests;
