//! Servers that live and say nothing: looked at after calls that nobody answered, and ended.
//!
//! One slow call says little about a server. Where several in a row went without an answer or a
//! sign of progress, the server is asked for its list of tools, which every one has at hand; a
//! child that is silent then too is ended, and the next call starts another.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::call::CallError;
use super::connection::Connection;
use super::list;
use super::server::Server;

/// So many calls in a row have to go unanswered.
const IN_A_ROW: u32 = 2;

/// A call that was dropped sooner was given up by a person, not by a time limit.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a list of tools may take; servers have theirs at hand.
const LIST_LIMIT: Duration = Duration::from_secs(10);

/// How many calls in a row went unanswered.
#[derive(Debug, Default)]
pub(crate) struct Silence(AtomicU32);

/// A call under way. Dropped without an answer it counts as a miss, if it was waited for.
pub(crate) struct Awaited<'a> {
    server: &'a Arc<Server>,
    connection: &'a Arc<Connection>,
    begun: Instant,
    is_over: bool,
}

impl<'a> Awaited<'a> {
    pub(crate) fn new(server: &'a Arc<Server>, connection: &'a Arc<Connection>) -> Self {
        Self {
            server,
            connection,
            begun: Instant::now(),
            is_over: false,
        }
    }

    /// The call is over, and this came of it.
    pub(crate) fn ended<T>(mut self, result: &Result<T, CallError>) {
        self.is_over = true;
        match result {
            Err(CallError::Silent(_) | CallError::Endless(_)) => self.missed(),
            _ => self.server.silence.0.store(0, Ordering::Relaxed),
        }
    }

    fn missed(&self) {
        let misses = self.server.silence.0.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if misses >= IN_A_ROW && self.connection.is_child() {
            let server = Arc::downgrade(self.server);
            runtime.spawn(end_where_silent(server, Arc::clone(self.connection)));
        }
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if !self.is_over && self.begun.elapsed() >= PATIENCE {
            self.missed();
        }
    }
}

async fn end_where_silent(server: Weak<Server>, connection: Arc<Connection>) {
    let Some(server) = server.upgrade() else {
        return;
    };
    let limit = LIST_LIMIT.min(server.options.call_timeout);
    match timeout(limit, list::list(&connection.peer, &server.name)).await {
        // Alive after all: what it was asked takes long.
        Ok(_) => server.silence.0.store(0, Ordering::Relaxed),
        Err(_) => {
            tracing::warn!(server = server.name, "MCP server answers nothing: ended");
            connection.kill();
        }
    }
}
