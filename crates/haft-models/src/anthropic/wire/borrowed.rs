//! Borrowed views of Anthropic requests and responses, for pass-through (API reference, "Create a
//! Message" and "Streaming Messages").

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Usage;
use crate::borrowed_text::BorrowedText;
use crate::non_empty::NonEmpty;

/// The body of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Request<'a> {
    /// The model's name as the client sent it.
    #[serde(borrow)]
    pub(crate) model: BorrowedText<'a>,
    /// The maximum number of tokens of the reply. Only its presence matters: a request without it
    /// is invalid.
    #[serde(rename = "max_tokens")]
    pub(crate) _max_tokens: u64,
    /// The conversation.
    #[serde(borrow)]
    pub(crate) messages: Vec<Message<'a>>,
    #[serde(borrow)]
    pub(crate) tools: Option<&'a RawValue>,
    /// The tool choice as raw JSON.
    #[serde(borrow)]
    pub(crate) tool_choice: Option<&'a RawValue>,
    /// Present if the answer must have a format.
    pub(crate) output_config: Option<IgnoredAny>,
    /// Present if the server stores the conversation.
    pub(crate) thread: Option<IgnoredAny>,
    /// Whether the reply is streamed.
    pub(crate) stream: Option<bool>,
}

/// One message of a conversation.
#[derive(Debug, Deserialize)]
pub(crate) struct Message<'a> {
    /// `user` or `assistant`.
    #[serde(borrow)]
    pub(crate) role: BorrowedText<'a>,
    /// The content as raw JSON.
    #[serde(borrow)]
    pub(crate) content: &'a RawValue,
}

/// A tool choice that consists of its type only.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice<'a> {
    #[serde(borrow, rename = "type")]
    kind: BorrowedText<'a>,
}

/// An event of a stream.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    /// The event's type.
    #[serde(rename = "type")]
    pub(crate) kind: EventKind,
    message: Option<Start>,
    /// The block that begins.
    pub(crate) content_block: Option<Block>,
    delta: Option<Delta>,
    usage: Option<Usage>,
}

/// The types of events that the pass-through distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKind {
    ContentBlockStart,
    ContentBlockDelta,
    MessageDelta,
    MessageStop,
    #[serde(other)]
    Other,
}

/// The types of blocks that the pass-through distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BlockKind {
    ToolUse,
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Start {
    #[serde(default)]
    usage: Usage,
}

/// A content block.
#[derive(Debug, Deserialize)]
pub(crate) struct Block {
    /// The block's type.
    #[serde(rename = "type")]
    kind: BlockKind,
    #[serde(default)]
    text: NonEmpty,
    #[serde(default)]
    thinking: NonEmpty,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Delta {
    text: NonEmpty,
    thinking: NonEmpty,
    signature: NonEmpty,
    partial_json: NonEmpty,
}

/// A whole reply.
#[derive(Debug, Deserialize)]
pub(crate) struct Whole {
    content: Vec<Block>,
    /// The token counts.
    #[serde(default)]
    pub(crate) usage: Usage,
}

impl Request<'_> {
    /// Whether the tool choice is exactly `auto`.
    pub(crate) fn chooses_freely(&self) -> bool {
        let choice = self.tool_choice.map(RawValue::get);
        let choice = choice.and_then(|text| serde_json::from_str::<Choice<'_>>(text).ok());
        choice.is_some_and(|choice| &*choice.kind == "auto")
    }
}

impl Event {
    /// The token counts, if the event reports them.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let start = self.message.as_ref();
        start.map(|message| message.usage).or(self.usage)
    }

    /// Whether the event adds content to a block.
    pub(crate) fn adds(&self) -> bool {
        self.delta.as_ref().is_some_and(|delta| {
            let words = [
                delta.text,
                delta.thinking,
                delta.signature,
                delta.partial_json,
            ];
            words.contains(&NonEmpty(true))
        })
    }
}

impl Block {
    pub(crate) fn is_call(&self) -> bool {
        self.kind == BlockKind::ToolUse
    }

    /// Whether the block contains text or reasoning.
    pub(crate) fn has_words(&self) -> bool {
        self.text.0 || self.thinking.0
    }
}

impl Whole {
    /// The number of tool calls in the reply.
    pub(crate) fn calls(&self) -> usize {
        self.content.iter().filter(|block| block.is_call()).count()
    }
}
