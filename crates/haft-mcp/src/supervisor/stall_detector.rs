//! Ends child processes that run but no longer answer.
//!
//! A single slow call does not mean that a server hangs. After several calls in a row without an
//! answer or progress, the server is asked for its list of tools, which needs no computation; if
//! the child does not answer that either, it is killed, and the next call starts another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::session::call::CallError;
use crate::session::connection::Connection;
use crate::session::list;

/// The number of unanswered calls in a row before the server is probed.
const IN_A_ROW: u32 = 2;

/// The minimum duration of an unanswered call: one that was dropped earlier was cancelled by a
/// user, not by a time limit.
const MIN_WAIT: Duration = Duration::from_secs(10);

/// The time limit of the probe.
const LIST_LIMIT: Duration = Duration::from_secs(10);

/// Counts consecutive unanswered calls of one server. Clones share the count.
#[derive(Clone, Debug)]
pub(crate) struct StallDetector {
    server: String,
    /// The time limit of the probe.
    limit: Duration,
    misses: Arc<AtomicU32>,
}

/// A running call. If it is dropped without an answer, it counts as unanswered, provided that it
/// was awaited long enough.
pub(crate) struct AwaitedCall<'a> {
    detector: &'a StallDetector,
    connection: &'a Arc<Connection>,
    begun: Instant,
    is_over: bool,
}

impl StallDetector {
    /// A detector for the server of this name; `call_timeout` is the time limit of its calls
    /// without progress.
    pub(crate) fn new(server: &str, call_timeout: Duration) -> Self {
        Self {
            server: server.to_owned(),
            limit: LIST_LIMIT.min(call_timeout),
            misses: Arc::default(),
        }
    }

    /// Watches a call that starts now.
    pub(crate) fn watch<'a>(&'a self, connection: &'a Arc<Connection>) -> AwaitedCall<'a> {
        AwaitedCall {
            detector: self,
            connection,
            begun: Instant::now(),
            is_over: false,
        }
    }

    fn answered(&self) {
        self.misses.store(0, Ordering::Relaxed);
    }

    /// Kills a child that does not even list its tools.
    async fn end_where_silent(self, connection: Arc<Connection>) {
        match timeout(self.limit, list::list(&connection.peer, &self.server)).await {
            // The server works; the calls are just slow.
            Ok(_) => self.answered(),
            Err(_) => {
                tracing::warn!(server = self.server, "MCP server answers nothing: ended");
                connection.kill();
            }
        }
    }
}

impl AwaitedCall<'_> {
    /// Records the result of the call.
    pub(crate) fn ended<T>(mut self, result: &Result<T, CallError>) {
        self.is_over = true;
        match result {
            Err(CallError::Silent(_) | CallError::Endless(_)) => self.missed(),
            _ => self.detector.answered(),
        }
    }

    fn missed(&self) {
        let misses = self.detector.misses.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if misses >= IN_A_ROW && self.connection.is_child() {
            let detector = self.detector.clone();
            runtime.spawn(detector.end_where_silent(Arc::clone(self.connection)));
        }
    }
}

impl Drop for AwaitedCall<'_> {
    fn drop(&mut self) {
        if !self.is_over && self.begun.elapsed() >= MIN_WAIT {
            self.missed();
        }
    }
}
