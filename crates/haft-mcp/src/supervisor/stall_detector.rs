//! Ends child processes that run but no longer answer.
//!
//! One slow call says little about a server. Where several in a row went without an answer or a
//! sign of progress, the server is asked for its list of tools, which every one has at hand; a
//! child that is silent then too is ended, and the next call starts another.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::session::call::CallError;
use crate::session::connection::Connection;
use crate::session::list;

/// So many calls in a row have to go unanswered.
const IN_A_ROW: u32 = 2;

/// A call that was dropped sooner was given up by a person, not by a time limit.
const MIN_WAIT: Duration = Duration::from_secs(10);

/// How long a list of tools may take; servers have theirs at hand.
const LIST_LIMIT: Duration = Duration::from_secs(10);

/// Counts the calls in a row that one server did not answer. Clones share the count.
#[derive(Clone, Debug)]
pub(crate) struct StallDetector {
    server: String,
    /// How long a list of tools may take.
    limit: Duration,
    misses: Arc<AtomicU32>,
}

/// A call under way. Dropped without an answer it counts as a miss, if it was waited for.
pub(crate) struct AwaitedCall<'a> {
    detector: &'a StallDetector,
    connection: &'a Arc<Connection>,
    begun: Instant,
    is_over: bool,
}

impl StallDetector {
    /// For the server of this name, whose calls may go without a sign for `call_timeout`.
    pub(crate) fn new(server: &str, call_timeout: Duration) -> Self {
        Self {
            server: server.to_owned(),
            limit: LIST_LIMIT.min(call_timeout),
            misses: Arc::default(),
        }
    }

    /// Watches a call that begins now.
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

    /// Ends a child that does not even list its tools.
    async fn end_where_silent(self, connection: Arc<Connection>) {
        match timeout(self.limit, list::list(&connection.peer, &self.server)).await {
            // Alive after all: what it was asked takes long.
            Ok(_) => self.answered(),
            Err(_) => {
                tracing::warn!(server = self.server, "MCP server answers nothing: ended");
                connection.kill();
            }
        }
    }
}

impl AwaitedCall<'_> {
    /// The call is over, and this came of it.
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
