//! A conversation to the messages of Ollama's wire: a pure function, so that a later request of
//! the same turn begins with all of an earlier one and the server's cache holds.

use haft_core::{AiMessage, Content, ContentBlock, Message};
use serde_json::Value;

use super::wire::{ChatMessage, WireCall, WireFunction};
use crate::wire_ids::{WireIds, called_name};

/// The conversation in Ollama's form.
///
/// What the model thought goes back within the current turn, that is after the last message of
/// the user: its own tool calls rest on it. Older thoughts stay away, as reasoning models are
/// trained.
pub(crate) fn encode_messages(messages: &[Message]) -> Vec<ChatMessage> {
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
            tool_name: called_name(messages, index, result).map(str::to_owned),
            tool_call_id: Some(ids.result(index).to_owned()),
            ..plain("tool", &result.content)
        },
    };
    messages.iter().enumerate().map(encode).collect()
}

fn plain(role: &str, content: &Content) -> ChatMessage {
    ChatMessage {
        role: role.to_owned(),
        content: content.text(),
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

/// The calls of a reply. A call that was not understood goes back without its arguments, since
/// only objects have a place here; the answer to it says what was wrong with them.
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
                name: name.clone(),
                arguments,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests;
