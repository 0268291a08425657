//! The document of a client of the Messages API, edited for a server of the same API: which of its
//! members haft decides, and its messages, system prompt and tools with only the changed ones
//! replaced, so that `cache_control` and all other fields of blocks stay.

use bytes::Bytes;
use haft_core::{CallOptions, ClientDocument, ClientMessage, Message, ModelError};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::encode::turns::{TurnEncoder, leading};
use super::wire::{AnthropicTool, Block, Request, Role};
use crate::document::{Members, OwnTool, edited, edited_tools, members_of, raw, rewritable};
use crate::names::WireNames;

/// The edited document for a request.
pub(super) struct Edit<'a> {
    pub(super) document: &'a ClientDocument,
    pub(super) options: &'a CallOptions,
    pub(super) names: &'a WireNames,
    /// The conversation to send, without tokens of chat templates.
    pub(super) conversation: &'a [Message],
    /// Whether signed reasoning is sent back.
    pub(super) thoughts: bool,
}

/// A message on the wire.
enum Turn<'s> {
    /// As the client wrote it.
    Clients(Role, &'s RawValue),
    /// In haft's form.
    Own(Role, Vec<Block>),
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
    pub(super) fn of(&self, own: &Request) -> Result<Bytes, ModelError> {
        let client = members_of(self.document);
        let text = serde_json::to_string(own).unwrap_or_default();
        let mut members = Members::read(&text).unwrap_or_default();
        let messages = raw(&self.messages(&client.list("messages"))?)?;
        members.set("messages", &messages);
        let tools = self.tools(&client, own)?;
        if let Some(tools) = &tools {
            members.set("tools", tools);
        }
        let keeps_system = self.keeps_system();
        edited(&client, &members, |name| {
            let (read, sent) = (self.document, self.options);
            let is_choice = read.tool_choice == sent.tool_choice;
            match name {
                "model" | "messages" | "tools" | "stream" => false,
                "system" => keeps_system,
                "tool_choice" => is_choice && !own.tools.is_empty(),
                "thinking" => is_choice && !sent.without_thinking,
                "output_config" => read.response_schema == sent.response_schema,
                // haft's own sampling parameters do not go with every model.
                "max_tokens" => true,
                other => client.has(other),
            }
        })
    }

    /// Whether the conversation begins with the client's system messages, unchanged.
    fn keeps_system(&self) -> bool {
        let read = self.document.messages.iter();
        let read = read.map_while(|read| match &read.message {
            Message::System(system) => Some(system),
            _ => None,
        });
        read.eq(leading(self.conversation))
    }

    /// The offered tools as the client wrote them, and those of its tools that run at the server.
    fn tools(
        &self,
        client: &Members<'_>,
        own: &Request,
    ) -> Result<Option<Box<RawValue>>, ModelError> {
        let Some(source) = client.get("tools") else {
            return Ok(None);
        };
        let is_servers = |tool: &&RawValue| {
            let kind =
                Members::read(tool.get()).and_then(|tool| Some(tool.text("type")?.to_string()));
            kind.is_some_and(|kind| kind != "custom")
        };
        let servers: Vec<&RawValue> = client
            .list("tools")
            .into_iter()
            .filter(is_servers)
            .collect();
        if own.tools.is_empty() && servers.is_empty() {
            return Ok(None);
        }
        let original = |name: &str| self.names.original(name).to_owned();
        let edited = edited_tools(&own.tools, source, original)?;
        if servers.is_empty() {
            return Ok(Some(edited));
        }
        let mut tools: Vec<&RawValue> = serde_json::from_str(edited.get()).unwrap_or_default();
        tools.extend(servers);
        raw(&tools).map(Some)
    }

    /// The messages as the client wrote them in `sources`, with changed and new ones in haft's form.
    fn messages(&self, sources: &[&RawValue]) -> Result<Vec<Box<RawValue>>, ModelError> {
        let encoder = TurnEncoder::new(self.conversation, self.names, self.thoughts);
        let known = self.document.sources(self.conversation);
        let mut turns: Vec<Turn<'_>> = Vec::new();
        let mut index = 0;
        while let Some(message) = self.conversation.get(index) {
            if let Some((place, count)) = self.unchanged(index, &known, &encoder)
                && let Some(source) = sources.get(place)
            {
                turns.push(Turn::Clients(role_of(source), source));
                index += count;
                continue;
            }
            rewritable(self.document, known.get(index).copied().flatten())?;
            // The system prompt is in `system`.
            if let Some((role, blocks)) = encoder.turn(index, message)
                && !blocks.is_empty()
            {
                match turns.last_mut() {
                    Some(Turn::Own(last, said)) if *last == role => said.extend(blocks),
                    _ => turns.push(Turn::Own(role, blocks)),
                }
            }
            index += 1;
        }
        joined(turns)
    }

    /// If all messages that the client's message at `index` was read into are unchanged: its place,
    /// and their number.
    fn unchanged(
        &self,
        index: usize,
        known: &[Option<&ClientMessage>],
        encoder: &TurnEncoder<'_>,
    ) -> Option<(usize, usize)> {
        let place = known.get(index).copied().flatten()?.place?;
        let is_of =
            |read: &Option<&ClientMessage>| read.is_some_and(|read| read.place == Some(place));
        let count = known
            .get(index..)?
            .iter()
            .take_while(|read| is_of(read))
            .count();
        let read = self.document.messages.iter();
        let whole = read.filter(|read| read.place == Some(place)).count();
        let mut messages = self
            .conversation
            .get(index..index + count)?
            .iter()
            .enumerate();
        let may_stay =
            messages.all(|(position, message)| self.may_stay(index + position, message, encoder));
        (count == whole && may_stay).then_some((place, count))
    }

    /// Whether ids and names of a message are the same on the wire, and its calls valid.
    fn may_stay(&self, index: usize, message: &Message, encoder: &TurnEncoder<'_>) -> bool {
        match message {
            Message::System(_) => !encoder.is_prompt(index) || self.keeps_system(),
            _ => {
                let is_kept = |name: &str| self.names.to_wire(name) == name;
                encoder.ids.keep(index, message, is_kept)
            }
        }
    }
}

fn role_of(source: &RawValue) -> Role {
    let role =
        Members::read(source.get()).and_then(|message| Some(message.text("role")?.to_string()));
    match role.as_deref() {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        _ => Role::User,
    }
}

/// The messages of these turns. A turn of haft's becomes a part of the client's message before it
/// with the same role, because many chat templates require alternating roles.
fn joined(turns: Vec<Turn<'_>>) -> Result<Vec<Box<RawValue>>, ModelError> {
    let mut messages: Vec<Box<RawValue>> = Vec::with_capacity(turns.len());
    let mut last = None;
    for turn in turns {
        match turn {
            Turn::Clients(role, source) => {
                last = Some(role);
                messages.push(source.to_owned());
            }
            Turn::Own(role, blocks) => {
                let before = messages.pop_if(|_| last == Some(role));
                messages.push(match before {
                    Some(before) => extended(&before, &blocks)?,
                    None => raw(&json!({"role": role, "content": blocks}))?,
                });
                last = Some(role);
            }
        }
    }
    Ok(messages)
}

/// A message of the client with more blocks at its end.
fn extended(message: &RawValue, more: &[Block]) -> Result<Box<RawValue>, ModelError> {
    let mut members = Members::read(message.get()).unwrap_or_default();
    let mut blocks: Vec<Box<RawValue>> = match members.text("content") {
        Some(text) => vec![raw(&json!({"type": "text", "text": &*text}))?],
        None => members
            .list("content")
            .into_iter()
            .map(RawValue::to_owned)
            .collect(),
    };
    for block in more {
        blocks.push(raw(block)?);
    }
    let content = raw(&blocks)?;
    members.set("content", &content);
    raw(&members)
}

impl OwnTool for AnthropicTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn edit(&self, original: &str, source: &Value) -> Option<Value> {
        if source.get("name")? != original {
            return None;
        }
        let mut edited = source.clone();
        let tool = edited.as_object_mut()?;
        tool.insert("name".to_owned(), self.name.clone().into());
        let described = source.get("description").and_then(Value::as_str);
        if described.unwrap_or_default() != self.description.as_deref().unwrap_or_default() {
            let description = self.description.clone();
            tool.insert("description".to_owned(), description.into());
        }
        if source.get("input_schema") != self.input_schema.as_ref()
            && let Some(schema) = &self.input_schema
        {
            tool.insert("input_schema".to_owned(), schema.clone());
        }
        Some(edited)
    }
}
