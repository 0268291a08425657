//! The page at `/`: what the gateway does, for its operator in a browser.
//!
//! `files` has the page itself, which is public and has no data, and `headers` the headers that
//! protect it. The page asks for its data under `/haft/` with the operator's key: `events` is the
//! stream of requests and totals, `detail` one request with its content, and the usage of keys is
//! here.

mod detail;
mod events;
mod files;
mod headers;

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::json;

use crate::access::Caller;
use crate::dialects::of_path;
use crate::respond::{self, Refusal};
use crate::shared::Shared;

/// What programs read at `/`: Ollama's clients ask there whether a server is running.
const RUNNING: &str = "haft is running";

/// The routes of the data, which need the key of the operator.
pub(crate) fn data() -> Router<Arc<Shared>> {
    Router::new()
        .route("/haft/events", get(events::stream))
        .route("/haft/requests/{number}", get(detail::request))
        .route("/haft/keys", get(keys))
        .layer(middleware::from_fn(only_operator))
        .layer(middleware::from_fn(headers::unstored))
}

/// The routes that anybody may read: the page and its files.
pub(crate) fn files() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(root))
        .route("/haft/page/{file}", get(file))
}

/// The page for a browser, and a sentence for a program.
async fn root(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    if accept.is_some_and(|accept| accept.contains("text/html")) {
        return public(&shared, &headers, "index.html");
    }
    match shared.guard.admit(&headers) {
        Ok(_) => RUNNING.into_response(),
        Err(refusal) => of_path("/").refused(&refusal),
    }
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    public(&shared, &headers, &name)
}

/// A file of the page.
fn public(shared: &Shared, headers: &HeaderMap, name: &str) -> Response {
    match shared.guard.admit_to_files(headers) {
        Ok(()) => files::response(name)
            .unwrap_or_else(|| of_path("/").refused(&Refusal::new(404, "There is no such file"))),
        Err(refusal) => of_path("/").refused(&refusal),
    }
}

/// Refuses the holders of keys, as the data is about all of them.
async fn only_operator(
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    if caller.key().is_some() {
        let message = "This page is for the operator, with the key of --token";
        return of_path("/").refused(&Refusal::new(403, message));
    }
    next.run(request).await
}

/// `GET /haft/keys`: the keys of users, with their limits and what was used today.
async fn keys(State(shared): State<Arc<Shared>>) -> Response {
    let Some(known) = shared.guard.keys() else {
        return respond::json(&json!({"keys": []}));
    };
    match known.list().await {
        Ok(keys) => respond::json(&json!({"keys": keys})),
        Err(error) => of_path("/").refused(&Refusal::new(500, error.to_string())),
    }
}
