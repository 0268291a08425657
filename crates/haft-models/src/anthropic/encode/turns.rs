//! Encodes a conversation as alternating user and assistant turns. Each message is a list of
//! blocks, and tool results come first in the message after their calls.

use haft_core::{
    AiMessage, Content, ContentBlock, ImageBlock, Message, SystemMessage, ToolMessage, ToolStatus,
};
use serde_json::{Value, json};

use super::super::wire::{Block, ImageSource, InputMessage, Role, Text};
use super::merged::Turns;
use crate::names::WireNames;
use crate::wire_ids::WireIds;

/// Replaces a missing tool name, because the API accepts no empty one.
const NAMELESS: &str = "unknown_tool";

/// What the model reads before a system message within the conversation.
const FROM_SYSTEM: &str = "From the system, not the user:";

/// The system messages at the beginning.
pub(crate) fn leading(messages: &[Message]) -> impl Iterator<Item = &SystemMessage> {
    messages.iter().map_while(|message| match message {
        Message::System(system) => Some(system),
        _ => None,
    })
}

/// The text of the system messages at the beginning. A later one must not be moved here: the whole
/// conversation would have another beginning from then on, and be computed again.
pub(super) fn system(messages: &[Message]) -> Option<String> {
    let texts: Vec<_> = leading(messages)
        .map(|system| system.content.text())
        .filter(|text| !text.trim().is_empty())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// The names of the called tools, without duplicates.
pub(super) fn called(messages: &[Message], names: &WireNames) -> Vec<String> {
    let mut called = Vec::new();
    for message in messages {
        let Message::Ai(reply) = message else {
            continue;
        };
        for (name, _) in calls(reply) {
            let name = wire_name(name, names);
            if !called.contains(&name) {
                called.push(name);
            }
        }
    }
    called
}

/// Encodes everything but the system messages at the beginning. Reasoning is sent back only within the current tool
/// turn, where the API requires it, and only if `thoughts` is true. Older reasoning is dropped to
/// save tokens.
pub(super) fn turns(messages: &[Message], names: &WireNames, thoughts: bool) -> Vec<InputMessage> {
    let encoder = TurnEncoder::new(messages, names, thoughts);
    let mut turns = Turns::default();
    for (index, message) in messages.iter().enumerate() {
        if let Some((role, blocks)) = encoder.turn(index, message) {
            turns.push(role, blocks);
        }
    }
    turns.finish()
}

/// Encodes the messages of one conversation.
pub(crate) struct TurnEncoder<'a> {
    pub(crate) ids: WireIds,
    names: &'a WireNames,
    thoughts: bool,
    /// The index of the first message that is not part of the system prompt.
    first: usize,
    /// The index where the current turn begins.
    start: usize,
}

impl<'a> TurnEncoder<'a> {
    pub(crate) fn new(messages: &[Message], names: &'a WireNames, thoughts: bool) -> Self {
        Self {
            ids: WireIds::new(messages, |c| {
                c.is_ascii_alphanumeric() || c == '_' || c == '-'
            }),
            names,
            thoughts,
            first: leading(messages).count(),
            start: turn_start(messages),
        }
    }

    /// Whether the message at `index` is part of the system prompt.
    pub(crate) fn is_prompt(&self, index: usize) -> bool {
        index < self.first
    }

    /// Encodes the message at `index`; `None` for a part of the system prompt. A later system
    /// message becomes a part of what the user says at its place, because few models take it as
    /// what it is.
    pub(crate) fn turn(&self, index: usize, message: &Message) -> Option<(Role, Vec<Block>)> {
        match message {
            Message::System(_) if self.is_prompt(index) => None,
            Message::System(system) => Some((Role::User, noted(&system.content))),
            Message::Human(human) => Some((Role::User, blocks(&human.content))),
            Message::Ai(reply) => {
                let mut said = if self.thoughts && index >= self.start {
                    signed_thoughts(&reply.content)
                } else {
                    Vec::new()
                };
                said.extend(blocks(&reply.content).into_iter().filter(is_text));
                let calls = calls(reply).enumerate();
                said.extend(calls.map(|(position, (name, input))| Block::ToolUse {
                    id: self.ids.call(index, position).to_owned(),
                    name: wire_name(name, self.names),
                    input,
                }));
                Some((Role::Assistant, said))
            }
            Message::Tool(result) => {
                Some((Role::User, vec![answer(result, self.ids.result(index))]))
            }
        }
    }
}

/// Whether the model may think: false if the current tool turn began without reasoning, because the
/// API allows reasoning only from the start of a turn.
pub(super) fn may_think(messages: &[Message]) -> bool {
    let turn = messages.iter().skip(turn_start(messages));
    let mut replies = turn.filter_map(|message| match message {
        Message::Ai(reply) => Some(reply),
        _ => None,
    });
    replies
        .next()
        .is_none_or(|reply| !signed_thoughts(&reply.content).is_empty())
}

/// The index where the model's current turn begins: after the last user message that does not
/// accompany tool results.
fn turn_start(messages: &[Message]) -> usize {
    let mut start = 0;
    let mut after_result = false;
    for (index, message) in messages.iter().enumerate() {
        match message {
            Message::Tool(_) => after_result = true,
            Message::Ai(_) => after_result = false,
            Message::Human(_) if !after_result => start = index,
            Message::Human(_) | Message::System(_) => {}
        }
    }
    start
}

/// The calls of a reply in the order of their wire ids. Invalid calls are sent without arguments,
/// so that their results have a matching call.
fn calls(reply: &AiMessage) -> impl Iterator<Item = (&str, Value)> {
    let understood = reply.tool_calls.iter();
    let invalid = reply.invalid_tool_calls.iter();
    understood
        .map(|call| (call.name.as_str(), Value::Object(call.args.clone())))
        .chain(invalid.map(|call| (call.name.as_str(), json!({}))))
}

fn wire_name(name: &str, names: &WireNames) -> String {
    let name = if name.is_empty() { NAMELESS } else { name };
    names.to_wire(name)
}

/// Encodes text and images. Blank texts are omitted, because the API refuses them.
fn blocks(content: &Content) -> Vec<Block> {
    let text = |text: &str| {
        (!text.trim().is_empty()).then(|| Block::Text {
            text: text.to_owned(),
        })
    };
    match content {
        Content::Text(whole) => text(whole).into_iter().collect(),
        Content::Blocks(blocks) => blocks
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Text { text: part } => text(part),
                ContentBlock::Attachment { .. } => block.framed().as_deref().and_then(text),
                ContentBlock::Image(image) => Some(picture(image)),
                ContentBlock::Thinking { .. } | ContentBlock::RedactedThinking { .. } => None,
            })
            .collect(),
    }
}

/// A system message within the conversation.
fn noted(content: &Content) -> Vec<Block> {
    let text = content.text();
    let note = (!text.trim().is_empty()).then(|| Block::Text {
        text: format!("{FROM_SYSTEM}\n{text}"),
    });
    note.into_iter().collect()
}

fn picture(image: &ImageBlock) -> Block {
    Block::Image {
        source: ImageSource::Base64 {
            media_type: image.mime_type.clone(),
            data: image.base64.clone(),
        },
    }
}

fn is_text(block: &Block) -> bool {
    matches!(block, Block::Text { .. })
}

/// The reasoning blocks with a signature, which the API accepts as its own.
fn signed_thoughts(content: &Content) -> Vec<Block> {
    content
        .blocks()
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Thinking {
                thinking,
                signature: Some(signature),
            } if !signature.is_empty() => Some(Block::Thinking {
                thinking: thinking.clone(),
                signature: signature.clone(),
            }),
            ContentBlock::RedactedThinking { data } => {
                Some(Block::RedactedThinking { data: data.clone() })
            }
            _ => None,
        })
        .collect()
}

fn answer(result: &ToolMessage, id: &str) -> Block {
    let mut blocks = blocks(&result.content);
    let content = match blocks.pop() {
        None => None,
        Some(Block::Text { text }) if blocks.is_empty() => Some(Text::Plain(text)),
        Some(last) => {
            blocks.push(last);
            Some(Text::Blocks(blocks))
        }
    };
    Block::ToolResult {
        tool_use_id: id.to_owned(),
        content,
        is_error: (result.status == ToolStatus::Error).then_some(true),
    }
}
