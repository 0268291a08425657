//! The HTTP responses of all parts of the gateway: JSON, an error, a stream.
//!
//! This file is independent of dialects; the body of an error comes from the dialect
//! ([`Dialect::refused`](crate::dialects::dialect::Dialect::refused)).

use std::borrow::Cow;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use haft_agent::{AgentError, AgentErrorKind};
use haft_core::{ModelError, ModelErrorKind};
use serde_json::Value;

/// The header that names the parts of the request that haft or the model server cannot answer.
pub(crate) const DROPPED: HeaderName = HeaderName::from_static("x-haft-dropped");

/// When a refused client may try again while all upstreams are busy, in seconds: a short reply
/// takes a local model about that long.
const RETRY_AFTER_SECONDS: &str = "5";

/// Why a request is not answered: the HTTP status and a sentence for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: Cow<'static, str>,
    pub(crate) cause: RefusalCause,
    /// When the client may try again, if that is known.
    pub(crate) retry_after: Option<Duration>,
}

/// What clients tell apart by more than the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalCause {
    /// The conversation does not fit into the model's context. Clients shorten it and ask again.
    ContextOverflow,
    /// No model server has the model.
    UnknownModel,
    /// Anything else.
    Other,
}

/// What a client is told about the gateway's own key, which it cannot change.
const KEY_REFUSED: &str = "The model server does not accept the gateway's key; whoever runs the \
    gateway finds the reason in its log";

impl Refusal {
    pub(crate) fn new(status: u16, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            message: message.into(),
            cause: RefusalCause::Other,
            retry_after: None,
        }
    }

    pub(crate) fn with_retry_after(self, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..self
        }
    }

    /// The refusal for an error of the model or its server.
    fn of_model(kind: ModelErrorKind, message: String) -> Self {
        let cause = match kind {
            ModelErrorKind::ContextOverflow => RefusalCause::ContextOverflow,
            ModelErrorKind::ModelNotFound => RefusalCause::UnknownModel,
            _ => RefusalCause::Other,
        };
        let message = match kind {
            ModelErrorKind::Unauthorized => Cow::Borrowed(KEY_REFUSED),
            _ => Cow::Owned(message),
        };
        Self {
            cause,
            ..Self::new(status_of(kind), message)
        }
    }
}

impl From<&ModelError> for Refusal {
    fn from(error: &ModelError) -> Self {
        Self::of_model(error.kind(), error.to_string())
    }
}

impl From<&AgentError> for Refusal {
    /// The client receives the hint of the error as well.
    fn from(error: &AgentError) -> Self {
        let status = match error.kind() {
            AgentErrorKind::Model(kind) => return Self::of_model(kind, with_hint(error)),
            AgentErrorKind::Tools(_) | AgentErrorKind::Configuration => 400,
            AgentErrorKind::Timeout => 504,
            _ => 502,
        };
        Self::new(status, with_hint(error))
    }
}

fn with_hint(error: &AgentError) -> String {
    match error.hint() {
        Some(hint) => format!("{error} (hint: {hint})"),
        None => error.to_string(),
    }
}

/// The HTTP status for an error of the model or its server.
fn status_of(kind: ModelErrorKind) -> u16 {
    use ModelErrorKind as Kind;
    match kind {
        Kind::BadRequest | Kind::ContextOverflow | Kind::Unsupported | Kind::ToolsUnsupported => {
            400
        }
        Kind::ModelNotFound => 404,
        Kind::RateLimited => 429,
        Kind::Overloaded => 503,
        Kind::Timeout => 504,
        Kind::Configuration => 500,
        _ => 502,
    }
}

/// An answer in JSON.
pub(crate) fn json(body: &Value) -> Response {
    json_bytes(body.to_string().into_bytes())
}

/// A JSON answer whose body is already serialized.
pub(crate) fn json_bytes(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// An error whose body is already written in the client's dialect.
pub(crate) fn error(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = (status, json(body)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        let wait = HeaderValue::from_static(RETRY_AFTER_SECONDS);
        response.headers_mut().insert(header::RETRY_AFTER, wait);
    }
    response
}

/// A streamed response.
pub(crate) fn stream(content_type: &'static str, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, body).into_response()
}

#[cfg(test)]
mod tests;
