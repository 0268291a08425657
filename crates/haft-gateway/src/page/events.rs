//! `GET /haft/events`: the requests as they change, and the totals, as server-sent events (HTML
//! standard, "Server-sent events").
//!
//! A new reader receives the whole list first. The id of an event names the start of the gateway
//! and the number of the change, so that a reader that was cut off receives only what it missed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream;
use haft_models::ServerKind;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::activity::Progress;
use crate::respond;
use crate::shared::Shared;

/// The pause between two batches of events: an eye follows no faster changes, and a busy gateway
/// has thousands of them per second.
const PAUSE: Duration = Duration::from_millis(100);

/// How often the totals and the state of the upstreams are sent while nothing changes. They also
/// show the reader that the connection is alive.
const IDLE: Duration = Duration::from_secs(5);

/// A reader of the stream.
struct Reader {
    shared: Arc<Shared>,
    progress: watch::Receiver<Progress>,
    /// The number of the latest change that was sent.
    sent: u64,
    is_first: bool,
}

pub(super) async fn stream(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok());
    let reader = Reader {
        sent: last.and_then(|id| missed(&shared, id)).unwrap_or(0),
        progress: shared.activity.changed(),
        shared,
        is_first: true,
    };
    let batches = stream::unfold(reader, |mut reader| async move {
        let batch = reader.batch().await?;
        Some((Ok::<_, Infallible>(batch), reader))
    });
    respond::stream("text/event-stream", Body::from_stream(batches))
}

impl Reader {
    /// The next events; `None` when the gateway ends.
    async fn batch(&mut self) -> Option<String> {
        if !self.is_first {
            sleep(PAUSE).await;
            // Without a change, the totals are sent after a while.
            let _ = timeout(IDLE, self.progress.changed()).await;
        }
        self.is_first = false;
        let progress = *self.progress.borrow_and_update();
        if progress.is_ending {
            return None;
        }
        let run = started(&self.shared);
        let mut batch = format!("event: status\ndata: {}\n\n", status(&self.shared));
        for change in self.shared.activity.after(self.sent) {
            let (number, request) = (change.number, json!(change.request));
            batch += &format!("event: request\nid: {run}-{number}\ndata: {request}\n\n");
            self.sent = number;
        }
        Some(batch)
    }
}

/// The totals and the state of the upstreams.
fn status(shared: &Shared) -> String {
    let upstreams = shared.upstreams.status().into_iter().map(|one| {
        json!({"name": one.name, "kind": api(one.kind), "is_healthy": one.is_healthy,
            "in_flight": one.in_flight, "waiting": one.waiting, "requests": one.requests,
            "failures": one.failures})
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "since": started(shared),
        "has_runs": shared.has_runs(),
        "totals": shared.activity.totals(),
        "upstreams": upstreams.collect::<Vec<_>>(),
    })
    .to_string()
}

/// The API of a model server in words.
fn api(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::Ollama => "Ollama",
        ServerKind::OpenAi => "OpenAI",
        ServerKind::Anthropic => "Anthropic",
    }
}

/// The change up to which a reader with this last id knows everything; `None` if the id is from
/// before the start.
fn missed(shared: &Shared, id: &str) -> Option<u64> {
    let (run, change) = id.split_once('-')?;
    let is_this_run = run.parse() == Ok(started(shared));
    is_this_run.then(|| change.parse().ok()).flatten()
}

/// When the gateway started, in milliseconds since 1970.
fn started(shared: &Shared) -> u64 {
    let since = shared.activity.since();
    let since = since.duration_since(SystemTime::UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or_default()
}
