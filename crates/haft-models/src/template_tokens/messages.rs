//! Neutralizes special tokens of chat templates in conversations.
//!
//! Names of tools are left to the providers, because most APIs restrict them anyway.

use std::borrow::Cow;

use haft_core::{
    AiMessage, Content, ContentBlock, HumanMessage, InvalidToolCall, Message, ToolCall, ToolMessage,
};
use serde_json::Value;

use super::{Scope, without, without_tokens_in};

/// Neutralizes the tokens in the untrusted parts of `messages`. Messages are copied only if there
/// is such a token, which is rare.
pub(crate) fn harmless_messages(messages: &[Message]) -> Cow<'_, [Message]> {
    changed(messages, message).map_or(Cow::Borrowed(messages), Cow::Owned)
}

/// Applies `change` to the items; `None` if it changes none of them.
fn changed<T: Clone>(items: &[T], change: impl Fn(&T) -> Option<T>) -> Option<Vec<T>> {
    let changes: Vec<Option<T>> = items.iter().map(change).collect();
    if changes.iter().all(Option::is_none) {
        return None;
    }
    let pairs = changes.into_iter().zip(items);
    Some(
        pairs
            .map(|(changed, item)| changed.unwrap_or_else(|| item.clone()))
            .collect(),
    )
}

fn message(message: &Message) -> Option<Message> {
    match message {
        Message::System(_) => None,
        Message::Human(human) => content(&human.content, Scope::Framing)
            .map(|content| Message::Human(HumanMessage { content })),
        Message::Ai(ai) => reply(ai).map(Message::Ai),
        Message::Tool(tool) => result(tool).map(Message::Tool),
    }
}

fn reply(reply: &AiMessage) -> Option<AiMessage> {
    let content = content(&reply.content, Scope::Framing);
    let calls = changed(&reply.tool_calls, call);
    let invalid = changed(&reply.invalid_tool_calls, invalid_call);
    if content.is_none() && calls.is_none() && invalid.is_none() {
        return None;
    }
    let mut harmless = reply.clone();
    harmless.content = content.unwrap_or(harmless.content);
    harmless.tool_calls = calls.unwrap_or(harmless.tool_calls);
    harmless.invalid_tool_calls = invalid.unwrap_or(harmless.invalid_tool_calls);
    Some(harmless)
}

fn result(result: &ToolMessage) -> Option<ToolMessage> {
    let content = content(&result.content, Scope::All);
    let id = text(&result.tool_call_id, Scope::All);
    if content.is_none() && id.is_none() {
        return None;
    }
    let mut harmless = result.clone();
    harmless.content = content.unwrap_or(harmless.content);
    harmless.tool_call_id = id.unwrap_or(harmless.tool_call_id);
    Some(harmless)
}

fn call(call: &ToolCall) -> Option<ToolCall> {
    let id = text(&call.id, Scope::All);
    let args = without_tokens_in(Value::Object(call.args.clone()));
    if id.is_none() && args.as_object() == Some(&call.args) {
        return None;
    }
    let id = id.unwrap_or_else(|| call.id.clone());
    Some(ToolCall::new(call.name.as_str(), args, id))
}

fn invalid_call(call: &InvalidToolCall) -> Option<InvalidToolCall> {
    let (id, args) = (text(&call.id, Scope::All), text(&call.args, Scope::All));
    if id.is_none() && args.is_none() {
        return None;
    }
    let mut harmless = call.clone();
    harmless.id = id.unwrap_or(harmless.id);
    harmless.args = args.unwrap_or(harmless.args);
    Some(harmless)
}

fn content(content: &Content, scope: Scope) -> Option<Content> {
    match content {
        Content::Text(whole) => text(whole, scope).map(Content::Text),
        Content::Blocks(blocks) => changed(blocks, |part| block(part, scope)).map(Content::Blocks),
    }
}

fn block(block: &ContentBlock, scope: Scope) -> Option<ContentBlock> {
    match block {
        ContentBlock::Text { text: part } => {
            text(part, scope).map(|text| ContentBlock::Text { text })
        }
        ContentBlock::Attachment { title, text: part } => {
            let changes = (text(title, Scope::All), text(part, Scope::All));
            if let (None, None) = changes {
                return None;
            }
            Some(ContentBlock::Attachment {
                title: changes.0.unwrap_or_else(|| title.clone()),
                text: changes.1.unwrap_or_else(|| part.clone()),
            })
        }
        // Signed reasoning must go back unchanged, or its provider refuses it.
        ContentBlock::Thinking {
            thinking,
            signature: None,
        } => text(thinking, scope).map(|thinking| ContentBlock::Thinking {
            thinking,
            signature: None,
        }),
        ContentBlock::Thinking { .. }
        | ContentBlock::RedactedThinking { .. }
        | ContentBlock::Image(_) => None,
    }
}

/// Neutralizes the tokens in `text`; `None` if there are none.
fn text(text: &str, scope: Scope) -> Option<String> {
    match without(text, scope) {
        Cow::Borrowed(_) => None,
        Cow::Owned(harmless) => Some(harmless),
    }
}
