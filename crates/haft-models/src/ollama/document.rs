//! The document of a client of Ollama's API, edited for an Ollama server: which of its members haft
//! decides, and its messages, options and tools with only the changed ones replaced.
//!
//! A document of `/api/generate` becomes one of `/api/chat`: both have the same options.

use bytes::Bytes;
use haft_core::{CallOptions, ClientApi, ClientDocument, Message, ModelError};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::{ChatRequest, QwenFunction, QwenTool};
use crate::document::{EditedTools, Members, OwnTool, edited, members_of, merged, raw, rewritable};
use crate::template_tokens::harmless_messages;
use crate::wire_ids::WireIds;

/// The members of `/api/generate` that `/api/chat` does not have.
const OF_GENERATE: [&str; 7] = [
    "prompt", "system", "images", "template", "context", "suffix", "raw",
];

/// The edited document for a request.
pub(super) struct Edit<'a> {
    pub(super) document: &'a ClientDocument,
    pub(super) options: &'a CallOptions,
    /// The conversation to send; haft's own request has one message for each.
    pub(super) messages: &'a [Message],
}

impl Edit<'_> {
    /// The document with those parts replaced in which `own` differs from it.
    ///
    /// # Errors
    ///
    /// [`Configuration`](haft_core::ModelErrorKind::Configuration) if the request cannot be
    /// serialized, [`BadRequest`](haft_core::ModelErrorKind::BadRequest) if a message had to be
    /// changed that cannot be.
    pub(super) fn of(&self, own: &ChatRequest) -> Result<Bytes, ModelError> {
        static TOOLS: EditedTools<QwenTool> = EditedTools::new();
        let client = members_of(self.document);
        let messages = raw(&self.messages(&client.list("messages"), own)?)?;
        let bare = ChatRequest {
            messages: Vec::new(),
            ..own.clone()
        };
        let text = serde_json::to_string(&bare).unwrap_or_default();
        let mut members = Members::read(&text).unwrap_or_default();
        members.set("messages", &messages);
        let tools = match client.get("tools") {
            Some(source) if !own.tools.is_empty() => {
                Some(TOOLS.of(own.tools.list(), source, str::to_owned)?)
            }
            _ => None,
        };
        if let Some(tools) = &tools {
            members.set("tools", tools);
        }
        let options = match (client.object("options"), members.object("options")) {
            (Some(client), Some(own)) => Some(self.options(&client, &own)?),
            _ => None,
        };
        if let Some(options) = &options {
            members.set("options", options);
        }
        edited(&client, &members, |name| self.is_clients(name, &client))
    }

    /// Whether the client decides a member.
    fn is_clients(&self, name: &str, client: &Members<'_>) -> bool {
        let (read, sent) = (self.document, self.options);
        match name {
            "model" | "messages" | "tools" | "stream" | "options" | "keep_alive" => false,
            "format" => read.response_schema == sent.response_schema,
            "think" => client.has(name) && !sent.without_thinking,
            name if read.api == ClientApi::OllamaGenerate && OF_GENERATE.contains(&name) => false,
            other => client.has(other),
        }
    }

    /// The client's options, with the size of the context that haft chooses and the limits that the
    /// client did not set.
    fn options(
        &self,
        client: &Members<'_>,
        own: &Members<'_>,
    ) -> Result<Box<RawValue>, ModelError> {
        let (read, sent) = (&self.document.generation, &self.options.generation);
        let is_repeating = read.frequency_penalty != sent.frequency_penalty;
        raw(&merged(client, own, |name| match name {
            "num_ctx" => false,
            "frequency_penalty" if is_repeating => false,
            other => client.has(other),
        }))
    }

    /// The messages as the client wrote them in `sources`, with changed and new ones in haft's form.
    fn messages(
        &self,
        sources: &[&RawValue],
        own: &ChatRequest,
    ) -> Result<Vec<Box<RawValue>>, ModelError> {
        let conversation = &*harmless_messages(self.messages);
        let ids = WireIds::new(conversation, |_| true);
        let known = self.document.sources(conversation);
        let mut messages: Vec<Box<RawValue>> = Vec::with_capacity(conversation.len());
        for (index, message) in conversation.iter().enumerate() {
            let read = known.get(index).copied().flatten();
            let source = read
                .and_then(|read| sources.get(read.place?))
                .filter(|_| ids.keep(index, message, |_| true));
            if let Some(source) = source {
                messages.push((*source).to_owned());
                continue;
            }
            rewritable(self.document, read)?;
            if let Some(own) = own.messages.get(index) {
                messages.push(raw(own)?);
            }
        }
        Ok(messages)
    }
}

impl OwnTool for QwenTool {
    fn name(&self) -> &str {
        &self.function.name
    }

    fn edit(&self, original: &str, source: &Value) -> Option<Value> {
        self.function.edit(original, source)
    }
}

impl QwenFunction {
    /// The tool in `source` with this name, description and parameters where they differ. `None`
    /// if it is not called `original`.
    pub(crate) fn edit(&self, original: &str, source: &Value) -> Option<Value> {
        let given = source.get("function")?;
        if given.get("name")? != original {
            return None;
        }
        let mut edited = source.clone();
        let function = edited.get_mut("function")?.as_object_mut()?;
        function.insert("name".to_owned(), self.name.clone().into());
        let described = given.get("description").and_then(Value::as_str);
        if described.unwrap_or_default() != self.description {
            let description = self.description.clone();
            function.insert("description".to_owned(), description.into());
        }
        let none = json!({"type": "object", "properties": {}});
        let parameters = given.get("parameters").filter(|given| !given.is_null());
        if *parameters.unwrap_or(&none) != self.parameters {
            function.insert("parameters".to_owned(), self.parameters.clone());
        }
        Some(edited)
    }
}
