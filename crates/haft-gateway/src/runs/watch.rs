//! `GET /v1/runs/{run}/events`: what happens in a run, as server-sent events (HTML standard,
//! "Server-sent events"). A client that was cut off sends the id of its last event, and goes on
//! there, at this gateway or another one.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use haft_durable::{DurableErrorKind, RunEvent, RunEventId, RunEvents};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::PATH;
use crate::access::Caller;
use crate::activity::Progress;
use crate::dialects::of_path;
use crate::respond::{self, Refusal};
use crate::run_visitor::{Visitor, refusal};
use crate::shared::Shared;

/// How often something is sent while nothing happens, so that proxies keep the connection.
const IDLE: Duration = Duration::from_secs(10);

/// A comment, which readers skip.
const ALIVE: &str = ":\n\n";

/// How long a reader is to wait before it connects again, in milliseconds.
const RETRY: &str = "retry: 1000\n\n";

/// The wait before the store is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// A reader of the stream.
struct Reader {
    events: RunEvents,
    /// What is sent first.
    first: Option<String>,
    ending: watch::Receiver<Progress>,
}

pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    let reader = async {
        let visitor = Visitor::new(&shared, caller)?;
        visitor.run(&run).await?;
        reader(&visitor, &run, &shared, &headers).await
    };
    match reader.await {
        Ok(Some(reader)) => {
            let pieces = stream::unfold(reader, |mut reader| async move {
                let piece = reader.piece().await?;
                Some((Ok::<_, Infallible>(piece), reader))
            });
            respond::stream("text/event-stream", Body::from_stream(pieces))
        }
        // It tells a browser not to connect again.
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(refusal) => of_path(PATH).refused(&refusal),
    }
}

/// A reader that goes on after the last event that the client has; `None` if that was the end.
async fn reader(
    visitor: &Visitor,
    run: &str,
    shared: &Shared,
    headers: &HeaderMap,
) -> Result<Option<Reader>, Refusal> {
    let after = headers.get("last-event-id");
    let after = after
        .and_then(|id| id.to_str().ok())
        .filter(|id| !id.is_empty());
    let after = after.map(str::parse::<RunEventId>).transpose();
    let after = after.map_err(|error| refusal(&error))?;
    let events = visitor.store.events(run, after).await;
    let mut events = events.map_err(|error| refusal(&error))?;
    let mut first = RETRY.to_owned();
    if after.is_some_and(|after| after.is_end()) {
        // The run may have been retried since.
        match events.next().await.map_err(|error| refusal(&error))? {
            None => return Ok(None),
            Some(event) => first += &frame(&event),
        }
    }
    Ok(Some(Reader {
        events,
        first: Some(first),
        ending: shared.activity.changed(),
    }))
}

impl Reader {
    /// What is sent next; `None` at the end of the run, or when the gateway ends.
    async fn piece(&mut self) -> Option<String> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let ending = async {
            let _ = self.ending.wait_for(|progress| progress.is_ending).await;
        };
        let next = tokio::select! {
            () = ending => return None,
            next = timeout(IDLE, self.events.next()) => next,
        };
        match next {
            Err(_) => Some(ALIVE.to_owned()),
            Ok(Ok(event)) => Some(frame(&event?)),
            Ok(Err(error)) if error.kind() == DurableErrorKind::Database => {
                tracing::debug!(error = error.detail(), "the store of runs is away");
                sleep(PAUSE).await;
                Some(ALIVE.to_owned())
            }
            Ok(Err(_)) => None,
        }
    }
}

/// An event on the wire.
fn frame((id, event): &(RunEventId, RunEvent)) -> String {
    let name = event.name();
    format!("event: {name}\nid: {id}\ndata: {}\n\n", json!(event))
}
