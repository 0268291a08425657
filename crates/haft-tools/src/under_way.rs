//! The calls that run in this process now, for whoever ends it, or one of its questions.

use std::fmt;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One list for the process, as it is the process that a signal ends.
static CALLS: Mutex<Vec<Running>> = Mutex::new(Vec::new());

static LAST: AtomicU64 = AtomicU64::new(0);

tokio::task_local! {
    /// The work with a time limit to which calls belong that begin now.
    static WORK: u64;
}

/// A call in the list.
struct Running {
    id: u64,
    /// The work with a time limit that it is part of.
    work: Option<u64>,
    call: CallUnderWay,
}

/// A call that has begun and has no result yet. Shown, it is the sentence that a person reads who
/// ends the program meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallUnderWay {
    /// The name of the tool.
    pub tool: String,
    /// Whether the tool only reads, so that there is no effect to wonder about.
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

/// The calls that executors of this process run now, in the order in which they began.
#[must_use]
pub fn calls_under_way() -> Vec<CallUnderWay> {
    let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.iter().map(|running| running.call.clone()).collect()
}

/// Does `work` within `limit`.
///
/// # Errors
///
/// The calls that `work` had under way when its time was over and it was dropped.
pub async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = T>,
) -> Result<T, Vec<CallUnderWay>> {
    let id = LAST.fetch_add(1, Ordering::Relaxed);
    let mut work = pin!(WORK.scope(id, work));
    let done = tokio::time::timeout(limit, work.as_mut()).await;
    // Looked up while the work is still there: its calls leave the list with it.
    done.map_err(|_| {
        let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        let own = calls.iter().filter(|running| running.work == Some(id));
        own.map(|running| running.call.clone()).collect()
    })
}

/// A call is under way for as long as this lives.
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
