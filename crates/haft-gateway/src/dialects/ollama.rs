//! Ollama's API: conversations at `/api/chat` and `/api/generate`, and its lists of models
//! (`ollama/ollama: docs/api.md`, `api/types.go`).
//!
//! `reply` writes the lines of both kinds of conversations, and `catalog` answers requests about
//! models.

mod catalog;
mod entries;
mod reply;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use haft_core::ModelError;
use haft_models::{ClientRequest, PassThroughApi, ServerKind};
use serde_json::{Value, json};

use self::reply::ReplyLines;
use super::dialect::{Dialect, Forwarding, Received, StreamFraming};
use super::format::ReplyHead;
use crate::kept_replies::KeptReplies;
use crate::shared::Shared;

/// The prefix of all of Ollama's paths.
const ROOT: &str = "/api/";

/// The two paths on which Ollama continues a conversation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ollama {
    /// `POST /api/chat`.
    Chat,
    /// `POST /api/generate`: one prompt, no tools.
    Generate,
}

impl Dialect for Ollama {
    fn name(&self) -> &'static str {
        match self {
            Self::Chat => "ollama",
            Self::Generate => "ollama_generate",
        }
    }

    fn path(&self) -> &'static str {
        match self {
            Self::Chat => "/api/chat",
            Self::Generate => "/api/generate",
        }
    }

    fn read(&self, body: &[u8], _kept: &Arc<KeptReplies>) -> Result<Received, ModelError> {
        let request = match self {
            Self::Chat => ClientRequest::from_ollama_chat(body),
            Self::Generate => ClientRequest::from_ollama_generate(body),
        }?;
        // Ollama's replies have no id.
        let head = ReplyHead::new(&request, "");
        Ok(Received::new(request, ReplyLines::new(*self, head)))
    }

    fn call_prefix(&self) -> &'static str {
        "call_"
    }

    fn framing(&self) -> StreamFraming {
        StreamFraming::Lines
    }

    fn error_body(&self, _status: u16, message: &str) -> Value {
        json!({"error": message})
    }

    fn pass_through(&self) -> Option<PassThroughApi> {
        match self {
            Self::Chat => Some(PassThroughApi::OllamaChat),
            Self::Generate => None,
        }
    }

    fn root(&self) -> &'static str {
        ROOT
    }

    fn forwarding(&self) -> Option<Forwarding> {
        Some(Forwarding {
            below: ROOT,
            kinds: &[ServerKind::Ollama],
            // Paths that change a server's models or settings (`ollama/ollama: server/routes.go`).
            administrative: &[
                "pull", "push", "create", "copy", "delete", "blobs", "signout", "user",
            ],
        })
    }
}

/// Adds what clients ask about models.
pub(super) fn routes(router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
    router
        .route("/api/tags", get(catalog::tags))
        .route("/api/show", post(catalog::show))
        .route("/api/ps", get(catalog::loaded))
        .route("/api/version", get(catalog::version))
}

#[cfg(test)]
mod tests;
