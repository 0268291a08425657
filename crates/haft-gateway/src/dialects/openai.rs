//! OpenAI's Chat Completions API (OpenAI's API reference, "Create chat completion").
//!
//! `reply` writes a chat completion, streamed or whole, and `catalog` lists the models, for
//! Anthropic's clients as well. `functions` reads the older form of tools. All other paths below
//! `/v1/` are forwarded.

pub(super) mod catalog;
mod functions;
mod objects;
mod reply;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use haft_core::ModelError;
use haft_models::{ClientRequest, PassThroughApi, ServerKind};
use serde_json::{Value, json};

use self::functions::CallForm;
use self::reply::ChatCompletion;
use super::dialect::{Dialect, Forwarding, Received, StreamFraming, worded};
use super::format::ReplyHead;
use crate::kept_replies::KeptReplies;
use crate::respond::{Refusal, RefusalCause};
use crate::shared::Shared;

/// The root of OpenAI's API, whose form of errors is used for every path that no other dialect has.
pub(super) const ROOT: &str = "/";

/// The beginning of OpenAI's own message about a conversation that is too long.
const OVERFLOW: &str = "This model's maximum context length is exceeded";

/// Chat completions.
#[derive(Debug)]
pub(super) struct OpenAi;

impl Dialect for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn path(&self) -> &'static str {
        "/v1/chat/completions"
    }

    fn read(&self, body: &[u8], _kept: &Arc<KeptReplies>) -> Result<Received, ModelError> {
        let rewritten = functions::rewritten(body);
        let (body, calls) = match &rewritten {
            Some(rewritten) => (rewritten.body.as_slice(), rewritten.calls),
            None => (body, CallForm::Tools),
        };
        let request = ClientRequest::from_openai(body)?;
        let head = ReplyHead::new(&request, "chatcmpl-");
        Ok(Received::new(request, ChatCompletion::new(head, calls)))
    }

    fn call_prefix(&self) -> &'static str {
        "call_"
    }

    fn framing(&self) -> StreamFraming {
        StreamFraming::Events
    }

    fn error_body(&self, status: u16, message: &str) -> Value {
        let kind = match status {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            400..=499 => "invalid_request_error",
            _ => "server_error",
        };
        json!({"error": {"message": message, "type": kind, "param": null, "code": error_code(status)}})
    }

    /// A conversation that is too long has the code and the words of OpenAI's own error, by which
    /// `BerriAI/litellm` (`exception_mapping_utils.py`), `crewAIInc/crewAI`
    /// (`context_window_exceeding_exception.py`) and others recognize it. An unknown model has
    /// OpenAI's code as well.
    fn refusal_body(&self, refusal: &Refusal) -> Value {
        let (message, param, code) = match refusal.cause {
            RefusalCause::Other => return self.error_body(refusal.status, &refusal.message),
            RefusalCause::UnknownModel => (refusal.message.clone(), "model", "model_not_found"),
            RefusalCause::ContextOverflow => {
                let message = worded("maximum context length", OVERFLOW, &refusal.message);
                (message.into(), "messages", "context_length_exceeded")
            }
        };
        let kind = "invalid_request_error";
        json!({"error": {"message": message, "type": kind, "param": param, "code": code}})
    }

    fn pass_through(&self) -> Option<PassThroughApi> {
        Some(PassThroughApi::ChatCompletions)
    }

    fn root(&self) -> &'static str {
        ROOT
    }

    fn forwarding(&self) -> Option<Forwarding> {
        Some(Forwarding {
            below: "/v1/",
            // Ollama has some of these paths as well.
            kinds: &[ServerKind::OpenAi, ServerKind::Ollama],
            // Administrative paths of vLLM.
            administrative: &["load_lora_adapter", "unload_lora_adapter"],
        })
    }
}

/// The code of an error, by which SDKs recognize it (OpenAI's guide "Error codes"). It is a text or
/// null: typed clients, such as `64bit/async-openai`, cannot read a number there.
pub(super) fn error_code(status: u16) -> Option<&'static str> {
    match status {
        401 => Some("invalid_api_key"),
        429 => Some("rate_limit_exceeded"),
        _ => None,
    }
}

/// Adds the lists of models.
pub(super) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    router
        .route("/v1/models", get(catalog::list))
        .route("/v1/models/{*name}", get(catalog::one))
}

#[cfg(test)]
mod tests;
