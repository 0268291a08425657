//! The document of a chat completions client, edited for a server of chat completions: which of its
//! members haft decides, and its messages and tools with only the changed ones replaced.

use std::sync::Arc;

use bytes::Bytes;
use haft_core::{CallOptions, ClientDocument, ClientMessage, Message, ModelError, ToolChoice};
use serde_json::Value;
use serde_json::value::RawValue;

use super::encode::Pieces;
use super::wire::{ChatRequest, Tool};
use crate::document::{EditedTools, Members, edited, members_of, raw, rewritable};
use crate::names::WireNames;
use crate::template_tokens::harmless_messages;
use crate::wire_ids::WireIds;

/// Other ways of local servers to constrain the form of an answer: llama.cpp's and vLLM's.
const CONSTRAINTS: [&str; 9] = [
    "grammar",
    "json_schema",
    "structured_outputs",
    "guided_json",
    "guided_regex",
    "guided_choice",
    "guided_grammar",
    "guided_decoding_backend",
    "guided_whitespace_pattern",
];

/// The edited document for a request.
pub(super) struct Edit<'a> {
    pub(super) document: &'a ClientDocument,
    pub(super) options: &'a CallOptions,
    pub(super) names: &'a WireNames,
    /// The conversation to send.
    pub(super) messages: &'a [Message],
}

impl Edit<'_> {
    /// The document with those parts replaced in which `own`, the request without its messages,
    /// differs from it.
    ///
    /// # Errors
    ///
    /// [`Configuration`](haft_core::ModelErrorKind::Configuration) if the request cannot be
    /// serialized, [`BadRequest`](haft_core::ModelErrorKind::BadRequest) if a message had to be
    /// changed that cannot be.
    pub(super) fn of(&self, mut own: ChatRequest) -> Result<Bytes, ModelError> {
        static TOOLS: EditedTools<Tool> = EditedTools::new();
        let client = members_of(self.document);
        // They are the longest part, and their text is known from earlier requests.
        let tools = std::mem::take(&mut own.tools);
        let text = serde_json::to_string(&own).unwrap_or_default();
        let mut members = Members::read(&text).unwrap_or_default();
        let messages = raw(&self.messages(&client.list("messages"))?)?;
        members.set("messages", &messages);
        let original = |name: &str| self.names.original(name).to_owned();
        let tools: Option<Arc<RawValue>> = match client.get("tools") {
            _ if tools.is_empty() => None,
            Some(source) => Some(TOOLS.of(tools.list(), source, original)?),
            None => Some(raw(&tools)?.into()),
        };
        if let Some(tools) = &tools {
            members.set("tools", tools);
        }
        let stream_options = stream_options(&client, &own)?;
        if let Some(options) = &stream_options {
            members.set("stream_options", options);
        }
        edited(&client, &members, |name| {
            self.is_clients(name, &client, tools.is_some())
        })
    }

    /// Whether the client decides a member.
    fn is_clients(&self, name: &str, client: &Members<'_>, has_tools: bool) -> bool {
        let (read, sent) = (self.document, self.options);
        let is_format = read.response_schema == sent.response_schema;
        match name {
            "model" | "messages" | "tools" | "stream" | "stream_options" => false,
            // Not every server supports the choice of a named tool, and with "none" no tool is sent.
            "tool_choice" => {
                read.tool_choice == sent.tool_choice
                    && has_tools
                    && matches!(sent.tool_choice, ToolChoice::Auto | ToolChoice::Required)
            }
            "parallel_tool_calls" => has_tools,
            "response_format" => is_format,
            "max_tokens" | "max_completion_tokens" => read.generation.max_tokens.is_some(),
            "frequency_penalty" => {
                read.generation.frequency_penalty == sent.generation.frequency_penalty
            }
            "repeat_penalty" | "repetition_penalty" => {
                client.has("repeat_penalty") || client.has("repetition_penalty")
            }
            constraint if CONSTRAINTS.contains(&constraint) => {
                is_format || sent.response_schema.is_none()
            }
            other => client.has(other),
        }
    }

    /// The messages as the client wrote them in `sources`, with changed and new ones in haft's form.
    fn messages<'s>(&self, sources: &[&'s RawValue]) -> Result<Vec<Box<RawValue>>, ModelError> {
        let conversation = &*harmless_messages(self.messages);
        let ids = WireIds::new(conversation, |_| true);
        let known = self.document.sources(conversation);
        let source = |index: usize, message: &Message| {
            let known: &ClientMessage = known.get(index).copied().flatten()?;
            let source: &'s RawValue = sources.get(known.place?)?;
            let is_kept = |name: &str| self.names.to_wire(name) == name;
            ids.keep(index, message, is_kept).then_some(source)
        };
        let mut pieces = Pieces::new(self.names, &ids);
        let mut messages: Vec<Box<RawValue>> = Vec::with_capacity(conversation.len());
        for (index, message) in conversation.iter().enumerate() {
            if let Some(source) = source(index, message) {
                if !matches!(message, Message::Tool(_))
                    && let Some(pictures) = pieces.flushed()
                {
                    messages.push(raw(&pictures)?);
                }
                messages.push(source.to_owned());
                continue;
            }
            rewritable(self.document, known.get(index).copied().flatten())?;
            for own in pieces.message(index, message) {
                messages.push(raw(&own)?);
            }
        }
        if let Some(pictures) = pieces.flushed() {
            messages.push(raw(&pictures)?);
        }
        Ok(messages)
    }
}

/// The client's options of a stream, with those that haft needs.
fn stream_options(
    client: &Members<'_>,
    own: &ChatRequest,
) -> Result<Option<Box<RawValue>>, ModelError> {
    let Some(own) = &own.stream_options else {
        return Ok(None);
    };
    let include_usage = raw(&own.include_usage)?;
    let mut options = client.object("stream_options").unwrap_or_default();
    options.set("include_usage", &include_usage);
    raw(&options).map(Some)
}

impl crate::document::OwnTool for Tool {
    fn name(&self) -> &str {
        &self.function.name
    }

    fn edit(&self, original: &str, source: &Value) -> Option<Value> {
        self.function.edit(original, source)
    }
}
