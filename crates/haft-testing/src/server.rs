//! A small HTTP server with a scripted response for each request, network faults included.
//!
//! It listens on a free loopback port, answers each request with the next [`Reply`] of its script
//! (or with the result of a function), and records the requests. Questions about models (Ollama's
//! `/api/show` and `/api/ps`, llama.cpp's `/props`, LM Studio's `/api/v0/models`) do not consume
//! script entries, because adapters may send them at any time. `reply.rs` defines the scripted
//! replies, `connection.rs` sends them.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use haft_testing::{Reply, ScriptedServer};
//! use serde_json::json;
//!
//! let server = ScriptedServer::start([
//!     Reply::json(json!({"error": "busy"})).with_status(503),
//!     Reply::sse([r#"{"n": 1}"#, "[DONE]"]).in_pieces_of(1),
//! ])
//! .await;
//! // ... two requests to server.url() later:
//! assert_eq!(server.requests().len(), 0);
//! assert_eq!(server.connections(), 0);
//! # });
//! ```

mod connection;
mod reply;

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

pub use reply::Reply;

/// Ollama's endpoint for a model's capabilities. A request to it consumes no scripted reply and is
/// not recorded; a handler function may answer it.
const CAPABILITIES: &str = "/api/show";

/// A running server; dropping it closes the port and every connection.
#[derive(Debug)]
pub struct ScriptedServer {
    url: String,
    state: Arc<State>,
    accepting: JoinHandle<()>,
}

/// One request that the server received.
#[derive(Clone, Debug, PartialEq)]
pub struct CapturedRequest {
    /// The method in upper case.
    pub method: String,
    /// The path and query.
    pub path: String,
    /// Header names in lower case with their values, in order.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; null if the body is empty or not JSON.
    pub body: Value,
    /// The body as text.
    pub text: String,
    /// The body.
    pub bytes: Vec<u8>,
}

impl CapturedRequest {
    /// The value of a header, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Ollama's endpoint for the loaded models. A request to it consumes no scripted reply.
const LOADED: &str = "/api/ps";

/// Where other servers tell about their models. A request to them consumes no scripted reply, and
/// is recorded only if a handler function answers it.
const FACTS: [&str; 2] = ["/props", "/api/v0/models"];

type Handler = Box<dyn Fn(&CapturedRequest) -> Reply + Send + Sync>;

/// State that all connections share.
pub(crate) struct State {
    handler: Handler,
    requests: Mutex<Vec<CapturedRequest>>,
    connections: AtomicUsize,
    /// The number of clients that disconnected before their reply was complete.
    hung_up: watch::Sender<usize>,
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("State")
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

impl ScriptedServer {
    /// Answers the first request with the first reply, and so on, regardless of path and
    /// connection. Requests after the last reply get status 400.
    ///
    /// # Panics
    ///
    /// If no port can be opened, or outside of a tokio runtime.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script: Mutex<VecDeque<Reply>> = Mutex::new(replies.into_iter().collect());
        Self::with(move |request| {
            if [CAPABILITIES, LOADED].contains(&request.path.as_str()) || asks_for_facts(request) {
                return Reply::text("nothing is known about models").with_status(404);
            }
            let next = lock(&script).pop_front();
            next.unwrap_or_else(|| Reply::text("the script is at its end").with_status(400))
        })
        .await
    }

    /// Answers every request with the result of `handler`.
    ///
    /// # Panics
    ///
    /// If no port can be opened, or outside of a tokio runtime.
    #[expect(clippy::expect_used, reason = "a test without its server cannot go on")]
    pub async fn with(handler: impl Fn(&CapturedRequest) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.expect("a port of the loopback address");
        let address = listener.local_addr().expect("the port has an address");
        let state = Arc::new(State {
            handler: Box::new(handler),
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            hung_up: watch::Sender::new(0),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&state)));
        Self {
            url: format!("http://{address}"),
            state,
            accepting,
        }
    }

    /// The server's address without a trailing slash, such as `http://127.0.0.1:40123`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// All requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<CapturedRequest> {
        lock(&self.state.requests).clone()
    }

    /// The number of connections opened so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// Waits until a client disconnects before its reply is complete.
    pub async fn client_hung_up(&self) {
        let mut hung_up = self.state.hung_up.subscribe();
        // The sender lives as long as the server, so this cannot fail.
        let _ = hung_up.wait_for(|count| *count > 0).await;
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl State {
    fn answer(&self, request: CapturedRequest) -> Reply {
        let reply = (self.handler)(&request);
        let is_unanswered = asks_for_facts(&request) && reply.tells_no_facts();
        if request.path != CAPABILITIES && !is_unanswered {
            lock(&self.requests).push(request);
        }
        reply
    }

    fn note_hang_up(&self) {
        self.hung_up.send_modify(|count| *count += 1);
    }
}

fn asks_for_facts(request: &CapturedRequest) -> bool {
    let path = request.path.split('?').next().unwrap_or_default();
    FACTS.contains(&path)
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    // The connections are aborted when this task is dropped.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        state.connections.fetch_add(1, Ordering::SeqCst);
        connections.spawn(connection::serve(stream, Arc::clone(&state)));
        while connections.try_join_next().is_some() {}
    }
}

/// Ignores poisoning: a handler that panicked already fails its own test.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
