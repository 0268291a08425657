//! The paths that are answered.

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use haft_models::Dialect;
use serde_json::Value;

use crate::answer::{Answer, routed};
use crate::gateway::Shared;
use crate::{catalog, chat, passthrough};

/// When somebody who was turned away because all are busy may come again, in seconds: a short
/// reply takes a local model about that long.
const COME_AGAIN: &str = "5";

/// All that is answered, behind the guard. Conversations go straight to where they are continued:
/// the layers of a router are a tenth of the work for one that passes as it is.
pub(crate) fn answer(shared: Arc<Shared>) -> Answer {
    let router = router(shared.clone());
    Answer::new(move |request| {
        let Some(dialect) = conversation(&request) else {
            return routed(&router, request);
        };
        match shared.guard.refuses(request.headers()) {
            Some((status, message)) => Box::pin(ready(refused(dialect, status, message))),
            None => Box::pin(chat::answer(shared.clone(), dialect, request)),
        }
    })
}

/// In whose words a conversation is continued, if the request is for that.
fn conversation(request: &Request) -> Option<Dialect> {
    let dialect = match request.uri().path() {
        "/v1/chat/completions" => Dialect::OpenAi,
        "/v1/messages" => Dialect::Anthropic,
        "/api/chat" => Dialect::Ollama,
        "/api/generate" => Dialect::OllamaGenerate,
        _ => return None,
    };
    (request.method() == Method::POST).then_some(dialect)
}

/// All other paths.
fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/chat/completions", any(posted_alone))
        .route("/v1/messages", any(posted_alone))
        .route("/api/chat", any(posted_alone))
        .route("/api/generate", any(posted_alone))
        .route("/v1/models", get(catalog::list))
        .route("/v1/models/{*name}", get(catalog::one))
        .route("/v1/messages/count_tokens", post(catalog::count_tokens))
        .route("/api/tags", get(catalog::tags))
        .route("/api/show", post(catalog::show))
        .route("/api/ps", get(catalog::loaded))
        .route("/api/version", get(catalog::version))
        .route("/metrics", get(metrics))
        .route("/", get(|| async { "haft is running" }))
        .fallback(passthrough::answer)
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        // Whoever watches over the process asks without a key, and learns nothing else.
        .route("/healthz", get(|| async { "ok" }))
        .route("/readyz", get(catalog::ready))
        .with_state(shared)
}

/// A conversation is continued by a POST.
async fn posted_alone(request: Request) -> Response {
    let dialect = dialect_of(request.uri().path());
    let mut response = refused(dialect, 405, "This path takes a POST");
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let dialect = dialect_of(request.uri().path());
    if let Some((status, message)) = shared.guard.refuses(request.headers()) {
        return refused(dialect, status, message);
    }
    next.run(request).await
}

/// What Prometheus reads.
async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.metrics.page()).into_response()
}

/// In whose words a path is refused.
pub(crate) fn dialect_of(path: &str) -> Dialect {
    if path.starts_with("/v1/messages") {
        Dialect::Anthropic
    } else if path.starts_with("/api/") {
        Dialect::Ollama
    } else {
        Dialect::OpenAi
    }
}

/// An answer that says no.
pub(crate) fn refused(dialect: Dialect, status: u16, message: &str) -> Response {
    told_no(status, &dialect.error_body(status, message))
}

/// The same in words that are there already.
pub(crate) fn told_no(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = (status, json(body)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static(COME_AGAIN));
    }
    response
}

/// An answer in JSON.
pub(crate) fn json(body: &Value) -> Response {
    written(body.to_string().into_bytes())
}

/// The same of JSON that is written already.
pub(crate) fn written(body: impl Into<Body>) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, body.into()).into_response()
}
