//! Requests of clients in haft's own types: what the gateway reads from OpenAI, Ollama and
//! Anthropic clients. No HTTP here.
//!
//! The wire types are those of this crate's own clients (`wire.rs` of each provider), used in the
//! other direction; that is why the reading is here and not in the gateway. `openai`, `ollama` and
//! `anthropic` read one wire each, `history` matches tool results with their calls, `tools` caches
//! the clients' tools. The replies are written by the gateway's dialects. A dialect that shares no
//! wire with a provider reads its requests itself, with [`ClientHistory`] and [`ClientTools`].

mod anthropic;
mod history;
mod ollama;
mod openai;
mod tools;

use std::borrow::Cow;
use std::sync::Arc;

use haft_core::{
    CallOptions, ClientApi, ClientDocument, ClientHeader, ClientMessage, Message, ModelError,
    ModelErrorKind, Tool,
};
use serde::de::DeserializeOwned;

use crate::document::allows_one_call;
use crate::surrogates::without_lone_surrogates;

pub use history::{ClientHistory, ClientToolResult};
pub use tools::{ClientTool, ClientTools};

/// A client's request in haft's own types.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientRequest {
    /// The model's name as the client sent it.
    pub model: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The client's tools. They run at the client.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Whether later requests with equal tools will share these tool objects. False for lists of
    /// hundreds of tools and for very long ones, which are parsed again each time.
    pub has_known_tools: bool,
    /// The options for this reply.
    pub options: CallOptions,
    /// Whether a reply may make several calls.
    pub parallel_calls: bool,
    /// Whether the reply is streamed.
    pub stream: bool,
    /// Whether the last chunk of a stream reports the token counts.
    pub wants_usage: bool,
}

impl ClientRequest {
    /// A request without tools and options, for a reply in one piece.
    #[must_use]
    pub fn new(model: impl Into<String>, messages: Vec<Message>) -> Self {
        Self {
            model: model.into(),
            messages,
            tools: Vec::new(),
            has_known_tools: true,
            options: CallOptions::default(),
            parallel_calls: true,
            stream: false,
            wants_usage: true,
        }
    }

    /// Offers the model these tools of the client.
    #[must_use]
    pub fn with_tools(mut self, tools: ClientTools) -> Self {
        self.tools = tools.tools;
        self.has_known_tools = tools.are_known;
        self
    }

    /// Reads the body of OpenAI's `POST /v1/chat/completions`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::BadRequest`] with a message that names the problem.
    pub fn from_openai(body: &[u8]) -> Result<Self, ModelError> {
        documented(ClientApi::OpenAi, body, openai::read)
    }

    /// Reads the body of Ollama's `POST /api/chat`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::BadRequest`] with a message that names the problem.
    pub fn from_ollama_chat(body: &[u8]) -> Result<Self, ModelError> {
        documented(ClientApi::Ollama, body, ollama::read_chat)
    }

    /// Reads the body of Ollama's `POST /api/generate`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::BadRequest`] with a message that names the problem.
    pub fn from_ollama_generate(body: &[u8]) -> Result<Self, ModelError> {
        documented(ClientApi::OllamaGenerate, body, ollama::read_generate)
    }

    /// Reads the body of Anthropic's `POST /v1/messages`.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::BadRequest`] with a message that names the problem,
    /// [`ModelErrorKind::Unsupported`] if the server should store the conversation.
    pub fn from_anthropic(body: &[u8]) -> Result<Self, ModelError> {
        documented(ClientApi::Anthropic, body, anthropic::read)
    }

    /// Passes a header of the client on to servers of the client's API.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Some(document) = &mut self.options.client_document {
            let value = value.into();
            Arc::make_mut(document)
                .headers
                .push(ClientHeader { name, value });
        }
        self
    }
}

/// A request that was read, before it is checked and gets its document.
struct Parsed {
    request: ClientRequest,
    /// The conversation with the sources of its messages.
    messages: Vec<ClientMessage>,
}

/// Reads a body into a request with its document. Lone surrogates in it become U+FFFD. A request for
/// no model is refused.
fn documented<T: DeserializeOwned>(
    api: ClientApi,
    body: &[u8],
    read: impl FnOnce(T) -> Result<Parsed, ModelError>,
) -> Result<ClientRequest, ModelError> {
    let text = str::from_utf8(body).map_err(|_| refused("The request is not UTF-8"))?;
    // What the parser says about other values is about its own types.
    if !text.trim_start().starts_with('{') {
        return Err(refused("The request is not a JSON object"));
    }
    let (parsed, text) = match serde_json::from_str(text) {
        Ok(parsed) => (parsed, Cow::Borrowed(text)),
        Err(error) => {
            let unreadable = || refused(format!("The request cannot be read: {error}"));
            let repaired = without_lone_surrogates(text).ok_or_else(unreadable)?;
            let parsed = serde_json::from_str(&repaired).map_err(|_| unreadable())?;
            (parsed, Cow::Owned(repaired))
        }
    };
    let Parsed {
        mut request,
        messages,
    } = read(parsed)?;
    if request.model.trim().is_empty() {
        return Err(refused("The request names no model"));
    }
    let said = messages.iter().map(|message| message.message.clone());
    request.messages = said.collect();
    let document = ClientDocument::new(api, text.into(), messages, &request.options);
    request.options.client_document = Some(Arc::new(document));
    request.parallel_calls = !allows_one_call(&request.options);
    Ok(request)
}

fn refused(message: impl Into<String>) -> ModelError {
    ModelError::new(ModelErrorKind::BadRequest, message)
}

#[cfg(test)]
mod tests;
