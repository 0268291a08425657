//! Encodes conversations and tools for Chat Completions.

use haft_core::{AiMessage, Content, ContentBlock, ImageBlock, Message, ToolMessage};
use serde_json::{Map, Value, json};
use std::sync::Arc;

use super::wire::{
    FunctionKind, ImageUrl, MessageContent, Part, RequestCall, RequestFunction, RequestMessage,
    Tool,
};
use crate::names::WireNames;
use crate::ollama::QwenFunction;
use crate::template_tokens::{harmless_messages, without_template_tokens, without_tokens_in};
use crate::wire_ids::WireIds;

/// Encodes the tools in order, with their wire names.
pub(super) fn tools(tools: &[Arc<dyn haft_core::Tool>], names: &WireNames) -> Vec<Tool> {
    let definition = |(tool, name): (&Arc<dyn haft_core::Tool>, &str)| Tool {
        kind: FunctionKind::Function,
        function: QwenFunction {
            name: name.to_owned(),
            description: tool.description().to_owned(),
            parameters: parameters(tool.schema()),
        },
    };
    tools.iter().zip(names.wire()).map(definition).collect()
}

/// Replaces chat-template tokens in the tools' texts.
pub(super) fn harmless(tools: Vec<Tool>) -> impl Iterator<Item = Tool> {
    tools.into_iter().map(|mut tool| {
        let function = &mut tool.function;
        function.description = without_template_tokens(&function.description).into_owned();
        function.parameters = without_tokens_in(std::mem::take(&mut function.parameters));
        tool
    })
}

/// The schema with type `object` added if missing, because some servers refuse any other.
fn parameters(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) if fields.contains_key("type") => schema.clone(),
        Value::Object(fields) => {
            let mut typed = Map::from_iter([("type".to_owned(), json!("object"))]);
            typed.extend(fields.clone());
            Value::Object(typed)
        }
        _ => json!({"type": "object", "properties": {}}),
    }
}

/// Encodes the conversation in order.
pub(super) fn messages(messages: &[Message], names: &WireNames) -> Vec<RequestMessage> {
    let messages = &*harmless_messages(messages);
    let ids = WireIds::new(messages, |_| true);
    let mut pieces = Pieces::new(names, &ids);
    let mut encoded = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        encoded.extend(pieces.message(index, message));
    }
    encoded.extend(pieces.flushed());
    encoded
}

/// Encodes the messages of a conversation one by one.
pub(super) struct Pieces<'a> {
    names: &'a WireNames,
    ids: &'a WireIds,
    /// Tool messages may only contain text and must directly follow their calls, so their images
    /// come after the last of them, as a user message.
    pictures: Vec<Part>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(names: &'a WireNames, ids: &'a WireIds) -> Self {
        Self {
            names,
            ids,
            pictures: Vec::new(),
        }
    }

    /// Encodes the message at `index`, after what is still to be written before it.
    pub(super) fn message(
        &mut self,
        index: usize,
        message: &Message,
    ) -> impl Iterator<Item = RequestMessage> {
        let (names, ids) = (self.names, self.ids);
        let (before, own) = match message {
            Message::Tool(result) => {
                self.pictures.extend(result.content.images().map(picture));
                (None, tool_message(result, ids.result(index)))
            }
            Message::Ai(reply) => {
                let id = |call| ids.call(index, call).to_owned();
                (self.flushed(), assistant_message(reply, names, id))
            }
            Message::System(system) => (self.flushed(), spoken("system", content(&system.content))),
            Message::Human(human) => (self.flushed(), spoken("user", content(&human.content))),
        };
        before.into_iter().chain([own])
    }

    /// The images of the tool results so far.
    pub(super) fn flushed(&mut self) -> Option<RequestMessage> {
        let parts = std::mem::take(&mut self.pictures);
        (!parts.is_empty()).then(|| spoken("user", MessageContent::Parts(parts)))
    }
}

fn spoken(role: &str, content: MessageContent) -> RequestMessage {
    RequestMessage {
        role: role.to_owned(),
        content: Some(content),
        ..RequestMessage::default()
    }
}

fn tool_message(result: &ToolMessage, id: &str) -> RequestMessage {
    let text = MessageContent::Text(result.content.text());
    RequestMessage {
        tool_call_id: Some(id.to_owned()),
        ..spoken("tool", text)
    }
}

/// Encodes a reply without its reasoning. With calls and no text the content is null.
fn assistant_message(
    reply: &AiMessage,
    names: &WireNames,
    id: impl Fn(usize) -> String,
) -> RequestMessage {
    let understood = reply.tool_calls.iter().map(|call| {
        (
            call.name.as_str(),
            Value::Object(call.args.clone()).to_string(),
        )
    });
    // Servers require valid JSON here; the call's result states its error.
    let invalid = reply
        .invalid_tool_calls
        .iter()
        .map(|call| (call.name.as_str(), "{}".to_owned()));
    let calls: Vec<RequestCall> = understood
        .chain(invalid)
        .enumerate()
        .map(|(position, (name, arguments))| RequestCall {
            id: id(position),
            kind: FunctionKind::Function,
            function: RequestFunction {
                name: wire_name(name, names),
                arguments,
            },
        })
        .collect();
    let text = reply.content.text();
    let silent = text.is_empty() && !calls.is_empty();
    RequestMessage {
        role: "assistant".to_owned(),
        content: (!silent).then_some(MessageContent::Text(text)),
        tool_calls: (!calls.is_empty()).then_some(calls),
        tool_call_id: None,
        name: None,
    }
}

/// A call without a tool name still needs one on the wire.
fn wire_name(name: &str, names: &WireNames) -> String {
    if name.is_empty() {
        return "unknown".to_owned();
    }
    names.to_wire(name)
}

/// Content with only text becomes a string, which every server supports.
fn content(content: &Content) -> MessageContent {
    if content.images().next().is_none() {
        return MessageContent::Text(content.text_with_attachments());
    }
    let part = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => Some(Part::Text { text: text.clone() }),
        ContentBlock::Attachment { .. } => block.framed().map(|text| Part::Text { text }),
        ContentBlock::Image(image) => Some(picture(image)),
        ContentBlock::Thinking { .. } | ContentBlock::RedactedThinking { .. } => None,
    };
    MessageContent::Parts(content.blocks().iter().filter_map(part).collect())
}

fn picture(image: &ImageBlock) -> Part {
    Part::ImageUrl {
        image_url: ImageUrl {
            url: format!("data:{};base64,{}", image.mime_type, image.base64),
        },
    }
}

#[cfg(test)]
mod tests;
