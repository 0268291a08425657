//! The calls that are running in this process, for messages about an interrupted program or
//! question.

use std::fmt;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One list for the process, because a signal ends the whole process.
static CALLS: Mutex<Vec<Running>> = Mutex::new(Vec::new());

static LAST: AtomicU64 = AtomicU64::new(0);

tokio::task_local! {
    /// The work with a time limit that calls started in this task belong to.
    static WORK: u64;
}

/// A call in the list.
struct Running {
    id: u64,
    /// The work with a time limit that the call is part of.
    work: Option<u64>,
    call: CallUnderWay,
}

/// A call that has started and has no result yet. Its `Display` is a sentence for the user who
/// interrupts the program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallUnderWay {
    /// The name of the tool.
    pub tool: String,
    /// Whether the tool only reads, so that its effect cannot be in doubt.
    pub read_only: bool,
}

impl fmt::Display for CallUnderWay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} was under way", self.tool)?;
        if !self.read_only {
            write!(formatter, "; whether it took effect is not known")?;
        }
        Ok(())
    }
}

/// The running calls of all executors of this process, in the order in which they started.
#[must_use]
pub fn calls_under_way() -> Vec<CallUnderWay> {
    let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.iter().map(|running| running.call.clone()).collect()
}

/// Runs `work` with the time limit `limit`.
///
/// # Errors
///
/// The calls of `work` that were running when its time was over and it was dropped.
pub async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = T>,
) -> Result<T, Vec<CallUnderWay>> {
    let id = LAST.fetch_add(1, Ordering::Relaxed);
    let mut work = pin!(WORK.scope(id, work));
    let done = tokio::time::timeout(limit, work.as_mut()).await;
    // Read before `work` is dropped, because its calls then leave the list.
    done.map_err(|_| {
        let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        let own = calls.iter().filter(|running| running.work == Some(id));
        own.map(|running| running.call.clone()).collect()
    })
}

/// Keeps a call in the list of running calls until it is dropped.
pub(crate) struct UnderWay(u64);

impl UnderWay {
    pub(crate) fn begin(tool: &str, read_only: bool) -> Self {
        let id = LAST.fetch_add(1, Ordering::Relaxed);
        let call = CallUnderWay {
            tool: tool.to_owned(),
            read_only,
        };
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        let work = WORK.try_with(|work| *work).ok();
        calls.push(Running { id, work, call });
        Self(id)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|running| running.id != self.0);
    }
}
