//! The document of a client's request, kept beside the types that it was read into.
//!
//! A gateway reads a request into haft's own types, which do not have every field of every API. A
//! provider whose server has the client's API sends the client's document with only those parts
//! replaced that haft changed, so that no field is lost. This file holds the document and what was
//! read from it; the editing is in `haft-models`.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::{CallOptions, Generation, Message, ToolChoice};

/// The API of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientApi {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's `/api/chat`.
    Ollama,
    /// Ollama's `/api/generate`, which shares its options with `/api/chat`.
    OllamaGenerate,
}

impl ClientApi {
    /// The API's name in sentences.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI's API",
            Self::Anthropic => "Anthropic's API",
            Self::Ollama | Self::OllamaGenerate => "Ollama's API",
        }
    }
}

/// A client's request as the client wrote it, and what was read from it.
#[derive(Clone)]
pub struct ClientDocument {
    /// The API of the request.
    pub api: ClientApi,
    /// The body: one JSON object.
    pub text: Arc<str>,
    /// The messages that were read from it, in the order of the conversation.
    pub messages: Vec<ClientMessage>,
    /// The tool choice that was read from it.
    pub tool_choice: ToolChoice,
    /// The response schema that was read from it.
    pub response_schema: Option<Arc<Value>>,
    /// The sampling parameters that were read from it.
    pub generation: Generation,
    /// Values of the client's headers that only a server of the same API understands, such as
    /// `anthropic-beta`.
    pub headers: Vec<ClientHeader>,
}

/// A message of a [`ClientDocument`].
#[derive(Clone, Debug, PartialEq)]
pub struct ClientMessage {
    /// The message as it was read.
    pub message: Message,
    /// The index of its source among the document's messages. Several messages may share one.
    /// `None` if reading repaired the message, so that its source must not be sent.
    pub place: Option<usize>,
    /// The kinds of the parts that haft's types cannot hold, such as `input_audio`. Such a message
    /// can be sent only as the client wrote it.
    pub opaque: Vec<String>,
}

/// A header of a client's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientHeader {
    /// Its name in lower case.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

impl ClientDocument {
    /// The document of a request that was read into `messages` and `options`.
    #[must_use]
    pub fn new(
        api: ClientApi,
        text: Arc<str>,
        messages: Vec<ClientMessage>,
        options: &CallOptions,
    ) -> Self {
        Self {
            api,
            text,
            messages,
            tool_choice: options.tool_choice.clone(),
            response_schema: options.response_schema.clone(),
            generation: options.generation.clone(),
            headers: Vec::new(),
        }
    }

    /// For each message of a conversation, the client's message that it still is, if any. The
    /// conversation may have more messages than the document, and changed ones.
    #[must_use]
    pub fn sources(&self, conversation: &[Message]) -> Vec<Option<&ClientMessage>> {
        let mut next = 0;
        let mut sources = Vec::with_capacity(conversation.len());
        for message in conversation {
            let rest = self.messages.get(next..).unwrap_or_default();
            let found = rest.iter().position(|source| source.message == *message);
            let source = found.and_then(|found| {
                next += found + 1;
                rest.get(found)
            });
            sources.push(source);
        }
        sources
    }
}

impl PartialEq for ClientDocument {
    fn eq(&self, other: &Self) -> bool {
        self.api == other.api && self.text == other.text && self.headers == other.headers
    }
}

/// Shows no content, because documents are parts of options that may be logged.
impl fmt::Debug for ClientDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ClientDocument")
            .field("api", &self.api)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
