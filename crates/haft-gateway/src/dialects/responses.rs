//! OpenAI's Responses API (OpenAI's API reference, "Responses"; the types of `openai/openai-python:
//! src/openai/types/responses`; what Codex CLI reads of it, `openai/codex:
//! codex-rs/codex-api/src/sse/responses.rs`).
//!
//! `request` reads a request, with `items` for its input and `tools` for its tools. `reply` writes
//! the reply as events and whole: `output` has the items and their events, `object` the reply
//! around them. `stored` answers requests about stored replies, and `catalog` describes models to
//! Codex. `background` has replies that workers make (feature `durable`), `background_events`
//! their events, and `background_requests` requests about them.

#[cfg(feature = "durable")]
pub(super) mod background;
#[cfg(feature = "durable")]
mod background_events;
#[cfg(feature = "durable")]
mod background_requests;
pub(super) mod catalog;
mod items;
mod left_out;
mod object;
mod output;
mod reply;
mod request;
mod stored;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::{PassThroughApi, ServerKind};
use serde_json::{Value, json};

use self::reply::ResponseReply;
use super::dialect::{Dialect, Forwarding, Received, StreamFraming};
use super::format::ReplyHead;
use super::frames::event;
use super::openai::error_code;
use crate::kept_replies::{KeptReplies, secret_id};
use crate::proxy;
use crate::respond::{Refusal, RefusalCause};
use crate::shared::Shared;

/// Responses.
#[derive(Debug)]
pub(super) struct Responses;

impl Dialect for Responses {
    fn name(&self) -> &'static str {
        "responses"
    }

    fn path(&self) -> &'static str {
        "/v1/responses"
    }

    fn read(&self, body: &[u8], kept: &Arc<KeptReplies>) -> Result<Received, ModelError> {
        let read = request::read(body, kept)?;
        let mut head = ReplyHead::new(&read.request, "");
        head.id = secret_id("resp_");
        let mut received = Received::new(read.request, ResponseReply::new(head, read.basis));
        received.dropped = read.left_out;
        Ok(received)
    }

    fn call_prefix(&self) -> &'static str {
        "call_"
    }

    fn framing(&self) -> StreamFraming {
        StreamFraming::Events
    }

    fn error_body(&self, status: u16, message: &str) -> Value {
        self.refusal_body(&Refusal::new(status, message.to_owned()))
    }

    fn refusal_body(&self, refusal: &Refusal) -> Value {
        json!({"error": error(refusal)})
    }

    fn stream_error(&self, refusal: &Refusal) -> Vec<u8> {
        let mut out = Vec::new();
        event(Some("error"), &error_event(refusal, 0), &mut out);
        out
    }

    fn pass_through(&self) -> Option<PassThroughApi> {
        Some(PassThroughApi::Responses)
    }

    fn forwarding(&self) -> Option<Forwarding> {
        Some(Forwarding {
            below: "/v1/",
            kinds: &[ServerKind::OpenAi, ServerKind::Ollama],
            administrative: &[],
        })
    }
}

/// Adds the stored replies.
pub(super) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    let stored = get(stored::response).delete(stored::delete);
    #[cfg(feature = "durable")]
    let router = router.route(
        "/v1/responses/{id}/cancel",
        axum::routing::post(stored::cancel),
    );
    router
        // Other methods are for paths such as `/v1/responses/compact`.
        .route("/v1/responses/{id}", stored.fallback(proxy::forward))
        .route("/v1/responses/{id}/input_items", get(stored::input_items))
}

/// An error as the body of a response has it.
fn error(refusal: &Refusal) -> Value {
    let (kind, code) = match refusal.status {
        // `openai/codex` (`codex-api/src/sse/responses.rs`) recognizes it, and shortens the
        // conversation.
        _ if refusal.cause == RefusalCause::ContextOverflow => {
            ("invalid_request_error", Some("context_length_exceeded"))
        }
        _ if refusal.cause == RefusalCause::UnknownModel => {
            ("invalid_request_error", Some("model_not_found"))
        }
        401 => ("authentication_error", error_code(401)),
        403 => ("permission_error", None),
        404 => ("not_found_error", None),
        429 => ("rate_limit_error", error_code(429)),
        400..=499 => ("invalid_request_error", None),
        503 | 529 => ("server_error", Some("server_is_overloaded")),
        _ => ("server_error", Some("server_error")),
    };
    json!({"message": refusal.message, "type": kind, "param": null, "code": code})
}

/// The event of an error. SDKs disagree about where its fields are: `openai-python` reads `error`,
/// the documented form has them at the top.
fn error_event(refusal: &Refusal, sequence_number: u64) -> Value {
    let error = error(refusal);
    json!({
        "type": "error",
        "sequence_number": sequence_number,
        "code": error.get("code"),
        "message": refusal.message,
        "param": null,
        "error": error,
    })
}

fn refused(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::BadRequest, message)
}

#[cfg(test)]
mod tests;
