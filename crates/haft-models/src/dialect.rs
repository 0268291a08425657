//! The other side of the wires: what clients of OpenAI, Ollama and Anthropic send, and how they
//! are answered.
//!
//! The types of each wire are those that the clients of this crate use (`wire.rs`), read where
//! they write. `openai`, `ollama` and `anthropic` turn a request into the standard one and a reply
//! back into their words, `tools` knows tools again,
//! `history` puts the calls of a conversation and their results together, `writer` hands a reply out as it comes. No HTTP here.

mod anthropic;
mod history;
mod ollama;
mod openai;
mod tools;
mod writer;

use std::sync::Arc;

use haft_core::{CallOptions, Message, ModelError, ModelErrorKind, Tool};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use writer::ReplyWriter;

/// What a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `POST /v1/chat/completions`.
    OpenAi,
    /// `POST /api/chat`.
    Ollama,
    /// `POST /api/generate`.
    OllamaGenerate,
    /// `POST /v1/messages`.
    Anthropic,
}

/// A request of a client, in standard form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientRequest {
    /// The model as the client names it.
    pub model: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The client's tools; they run at the client, never here.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Whether a later request with the same tools will have these very ones. Lists of hundreds
    /// and very long tools are read anew each time.
    pub has_known_tools: bool,
    /// What it wishes for this reply.
    pub options: CallOptions,
    /// Whether the reply is to come as it is written.
    pub stream: bool,
    /// Whether the end of a stream is to tell how many tokens there were.
    pub wants_usage: bool,
}

impl Dialect {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::BadRequest`] with a sentence that names what is wrong,
    /// [`ModelErrorKind::Unsupported`] for a conversation that the server is to keep.
    pub fn read(self, body: &[u8]) -> Result<ClientRequest, ModelError> {
        let request = match self {
            Self::OpenAi => openai::read(parse(body)?),
            Self::Ollama => ollama::read_chat(parse(body)?),
            Self::OllamaGenerate => ollama::read_generate(parse(body)?),
            Self::Anthropic => anthropic::read(parse(body)?),
        }?;
        if request.model.trim().is_empty() {
            return Err(refused("The request names no model"));
        }
        Ok(request)
    }

    /// Hands out the reply to `request`.
    #[must_use]
    pub fn writer(self, request: &ClientRequest) -> ReplyWriter {
        ReplyWriter::new(self, request)
    }

    /// The media type of a stream.
    #[must_use]
    pub fn stream_type(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Anthropic => "text/event-stream",
            Self::Ollama | Self::OllamaGenerate => "application/x-ndjson",
        }
    }

    /// The end of a stream that failed. What comes before it went out stays.
    #[must_use]
    pub fn failed(self, status: u16, message: &str) -> Vec<u8> {
        let body = self.error_body(status, message);
        let mut out = Vec::new();
        match self {
            Self::OpenAi => writer::event(None, &body, &mut out),
            Self::Anthropic => writer::event(Some("error"), &body, &mut out),
            Self::Ollama | Self::OllamaGenerate => writer::line(&body, &mut out),
        }
        out
    }

    /// The body of the answer to a request that was not [read](Self::read).
    #[must_use]
    pub fn refusal(self, error: &ModelError) -> Value {
        let mut body = self.error_body(status_of(error.kind()), &error.to_string());
        if let (Self::Anthropic, ModelErrorKind::Unsupported) = (self, error.kind())
            && let Some(error) = body.pointer_mut("/error").and_then(Value::as_object_mut)
        {
            error.insert("details".to_owned(), anthropic::no_threads());
        }
        body
    }

    /// The body of an answer whose status says no.
    #[must_use]
    pub fn error_body(self, status: u16, message: &str) -> Value {
        match self {
            Self::OpenAi => openai::error_body(status, message),
            Self::Ollama | Self::OllamaGenerate => ollama::error_body(message),
            Self::Anthropic => anthropic::error_body(status, message),
        }
    }
}

/// The status for a failure of the model or its server.
#[must_use]
pub fn status_of(kind: ModelErrorKind) -> u16 {
    use ModelErrorKind as Kind;
    match kind {
        Kind::BadRequest | Kind::ContextOverflow | Kind::Unsupported | Kind::ToolsUnsupported => {
            400
        }
        Kind::Unauthorized => 401,
        Kind::ModelNotFound => 404,
        Kind::RateLimited => 429,
        Kind::Overloaded => 503,
        Kind::Timeout => 504,
        Kind::Configuration => 500,
        _ => 502,
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ModelError> {
    serde_json::from_slice(body)
        .map_err(|error| refused(format!("The request cannot be read: {error}")))
}

fn refused(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::BadRequest, message)
}

#[cfg(test)]
mod tests;
