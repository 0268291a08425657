//! Borrowed views of Ollama's `POST /api/chat`, for pass-through (`ollama/ollama: docs/api.md`).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::borrowed_text::BorrowedText;
use crate::non_empty::NonEmpty;

/// The body of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Request<'a> {
    /// The model's name as the client sent it.
    #[serde(borrow)]
    pub(crate) model: BorrowedText<'a>,
    /// The conversation.
    #[serde(borrow)]
    pub(crate) messages: Vec<Message<'a>>,
    /// The tools as raw JSON.
    #[serde(borrow)]
    pub(crate) tools: Option<&'a RawValue>,
    /// Present if the answer must have a format.
    pub(crate) format: Option<IgnoredAny>,
    /// The model options.
    pub(crate) options: Option<Options>,
    /// Whether the reply is streamed; true if missing.
    pub(crate) stream: Option<bool>,
    /// Present if the client decides how a long conversation is truncated.
    pub(crate) truncate: Option<IgnoredAny>,
}

/// The model options that matter here.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Options {
    /// Present if the client sets the context size.
    pub(crate) num_ctx: Option<IgnoredAny>,
    /// The maximum number of tokens of the reply; negative for no limit.
    pub(crate) num_predict: Option<i64>,
}

/// One message of a conversation.
#[derive(Debug, Deserialize)]
pub(crate) struct Message<'a> {
    /// `system`, `user`, `assistant` or `tool`.
    #[serde(borrow)]
    pub(crate) role: BorrowedText<'a>,
    /// The content as raw JSON.
    #[serde(borrow)]
    pub(crate) content: Option<&'a RawValue>,
    /// Present if the message has images.
    pub(crate) images: Option<IgnoredAny>,
    /// Present if the message names the tool that it is a result of.
    pub(crate) tool_name: Option<IgnoredAny>,
}

/// A line of a stream, or a whole reply.
#[derive(Debug, Deserialize)]
pub(crate) struct Line<'a> {
    message: Option<Piece>,
    /// Whether the reply is complete.
    pub(crate) done: Option<bool>,
    /// Why the reply ended.
    #[serde(borrow)]
    pub(crate) done_reason: Option<BorrowedText<'a>>,
    /// Tokens of the prompt.
    pub(crate) prompt_eval_count: Option<u64>,
    /// Tokens of the reply.
    pub(crate) eval_count: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Piece {
    content: NonEmpty,
    thinking: NonEmpty,
    tool_calls: Option<Vec<IgnoredAny>>,
}

impl Line<'_> {
    /// Whether the line contains text or reasoning.
    pub(crate) fn has_words(&self) -> bool {
        let message = self.message.as_ref();
        message.is_some_and(|message| message.content.0 || message.thinking.0)
    }

    /// The number of tool calls.
    pub(crate) fn calls(&self) -> usize {
        let calls = self
            .message
            .as_ref()
            .and_then(|message| message.tool_calls.as_ref());
        calls.map_or(0, Vec::len)
    }
}
