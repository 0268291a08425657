//! Anthropic's Messages API (docs.anthropic.com, "Messages").
//!
//! `reply` writes a message, streamed or whole, and `blocks` the content blocks of a stream.
//! Clients list models at a path that they share with OpenAI's (`openai/catalog.rs`); the formats
//! are here.

mod blocks;
mod reply;

use std::sync::Arc;

use axum::http::HeaderMap;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::{ClientRequest, PassThroughApi, ServerKind};
use serde_json::{Value, json};

use self::reply::MessageReply;
use super::dialect::{Dialect, Forwarding, Received, StreamFraming, worded};
use super::format::ReplyHead;
use super::frames::event;
use crate::kept_replies::KeptReplies;
use crate::respond::{Refusal, RefusalCause};

/// The creation date of every model; servers of local models do not report one.
const CREATED_AT: &str = "1970-01-01T00:00:00Z";

/// The beginning of Anthropic's own message about a conversation that is too long.
const OVERFLOW: &str = "prompt is too long";

/// Messages.
#[derive(Debug)]
pub(super) struct Anthropic;

impl Dialect for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn path(&self) -> &'static str {
        "/v1/messages"
    }

    fn read(&self, body: &[u8], _kept: &Arc<KeptReplies>) -> Result<Received, ModelError> {
        let request = ClientRequest::from_anthropic(body)?;
        let head = ReplyHead::new(&request, "msg_");
        Ok(Received::new(request, MessageReply::new(head)))
    }

    /// Passes on which version of the API the client speaks and which of its beta features it uses.
    fn with_headers(&self, request: ClientRequest, headers: &HeaderMap) -> ClientRequest {
        let names = ["anthropic-version", "anthropic-beta"].into_iter();
        names.fold(request, |request, name| {
            let values = headers.get_all(name).iter();
            let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
            if values.is_empty() {
                return request;
            }
            request.with_header(name, values.join(","))
        })
    }

    fn call_prefix(&self) -> &'static str {
        "toolu_"
    }

    fn framing(&self) -> StreamFraming {
        StreamFraming::Events
    }

    fn error_body(&self, status: u16, message: &str) -> Value {
        let kind = match status {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            400..=499 => "invalid_request_error",
            503 | 529 => "overloaded_error",
            504 => "timeout_error",
            _ => "api_error",
        };
        json!({"type": "error", "error": {"type": kind, "message": message}})
    }

    /// A conversation that is too long has the words of Anthropic's own error.
    fn refusal_body(&self, refusal: &Refusal) -> Value {
        match refusal.cause {
            RefusalCause::ContextOverflow => {
                let message = worded(OVERFLOW, OVERFLOW, &refusal.message);
                self.error_body(refusal.status, &message)
            }
            RefusalCause::UnknownModel | RefusalCause::Other => {
                self.error_body(refusal.status, &refusal.message)
            }
        }
    }

    /// The rejection of a stored conversation has the details that make Anthropic's own clients
    /// resend the whole conversation (`anthropic` 2.12 for Python: `lib/threads/_thread_state.py`).
    fn rejection(&self, error: &ModelError) -> Value {
        let refusal = Refusal::from(error);
        let mut body = self.refusal_body(&refusal);
        if error.kind() == ModelErrorKind::Unsupported
            && let Some(error) = body.pointer_mut("/error").and_then(Value::as_object_mut)
        {
            let details =
                json!({"error_code": "thread_unsupported_request", "unsupported": ["thread"]});
            error.insert("details".to_owned(), details);
        }
        body
    }

    fn stream_error(&self, refusal: &Refusal) -> Vec<u8> {
        let body = self.refusal_body(refusal);
        let mut out = Vec::new();
        event(Some("error"), &body, &mut out);
        out
    }

    fn pass_through(&self) -> Option<PassThroughApi> {
        Some(PassThroughApi::Messages)
    }

    fn forwarding(&self) -> Option<Forwarding> {
        Some(Forwarding {
            below: "/v1/",
            kinds: &[ServerKind::Anthropic],
            administrative: &[],
        })
    }
}

/// True if a request has a version of Anthropic's API in its headers, which only Anthropic's
/// clients send.
pub(super) fn names_a_version(headers: &HeaderMap) -> bool {
    headers.contains_key("anthropic-version")
}

/// The answer to `GET /v1/models` (docs.anthropic.com, "List Models").
pub(super) fn list(names: &[String]) -> Value {
    let models: Vec<Value> = names.iter().map(|name| entry(name)).collect();
    json!({
        "data": models,
        "first_id": names.first(),
        "last_id": names.last(),
        "has_more": false,
    })
}

/// The answer to `GET /v1/models/NAME`.
pub(super) fn entry(name: &str) -> Value {
    json!({"type": "model", "id": name, "display_name": name, "created_at": CREATED_AT})
}

#[cfg(test)]
mod tests;
