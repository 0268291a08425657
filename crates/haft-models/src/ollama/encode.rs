//! Encodes a conversation as Ollama messages. This is a pure function: a later request of a turn
//! begins with the bytes of an earlier one, so the server's prompt cache works.

use haft_core::{AiMessage, Content, ContentBlock, Message};
use serde_json::Value;

use super::wire::{ChatMessage, WireCall, WireFunction};
use crate::template_tokens::{harmless_messages, without_template_tokens};
use crate::wire_ids::{WireIds, called_name};

/// Encodes the messages.
///
/// Reasoning is sent back only within the current turn, that is after the last user message,
/// because the turn's tool calls build on it. Older reasoning is dropped, as reasoning models are
/// trained.
pub(crate) fn encode_messages(messages: &[Message]) -> Vec<ChatMessage> {
    let messages = &*harmless_messages(messages);
    let ids = WireIds::new(messages, |_| true);
    let turn = messages
        .iter()
        .rposition(|message| matches!(message, Message::Human(_)))
        .unwrap_or(0);
    let encode = |(index, message): (usize, &Message)| match message {
        Message::System(system) => plain("system", &system.content),
        Message::Human(human) => plain("user", &human.content),
        Message::Ai(reply) => ChatMessage {
            thinking: (index > turn).then(|| thinking(&reply.content)).flatten(),
            tool_calls: calls(reply, index, &ids),
            ..plain("assistant", &reply.content)
        },
        Message::Tool(result) => ChatMessage {
            tool_name: called_name(messages, index, result)
                .map(|name| without_template_tokens(name).into_owned()),
            tool_call_id: Some(ids.result(index).to_owned()),
            ..plain("tool", &result.content)
        },
    };
    messages.iter().enumerate().map(encode).collect()
}

fn plain(role: &str, content: &Content) -> ChatMessage {
    ChatMessage {
        role: role.to_owned(),
        content: content.text_with_attachments(),
        images: content.images().map(|image| image.base64.clone()).collect(),
        ..ChatMessage::default()
    }
}

fn thinking(content: &Content) -> Option<String> {
    let thoughts = content.blocks().iter().filter_map(|block| match block {
        ContentBlock::Thinking { thinking, .. } => Some(thinking.as_str()),
        _ => None,
    });
    let thinking: String = thoughts.collect();
    (!thinking.is_empty()).then_some(thinking)
}

/// The calls of a reply. An invalid call is sent without arguments, because the wire accepts only
/// objects; its result states the error.
fn calls(reply: &AiMessage, index: usize, ids: &WireIds) -> Vec<WireCall> {
    let valid = reply
        .tool_calls
        .iter()
        .map(|call| (&call.name, Value::Object(call.args.clone())));
    let invalid = reply
        .invalid_tool_calls
        .iter()
        .map(|call| (&call.name, Value::Object(serde_json::Map::new())));
    valid
        .chain(invalid)
        .enumerate()
        .map(|(position, (name, arguments))| WireCall {
            id: Some(ids.call(index, position).to_owned()),
            function: WireFunction {
                name: without_template_tokens(name).into_owned(),
                arguments,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests;
