//! Ollama's `POST /api/chat` (`ollama/ollama: docs/api.md`).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::{Says, Text};

/// The body of a request.
#[derive(Debug, Deserialize)]
pub struct Request<'a> {
    /// The model as the client names it.
    #[serde(borrow)]
    pub model: Text<'a>,
    /// The conversation.
    #[serde(borrow)]
    pub messages: Vec<Message<'a>>,
    /// The list of tools, as it is written.
    #[serde(borrow, default)]
    pub tools: Option<&'a RawValue>,
    /// There where the answer has to have a form.
    #[serde(default)]
    pub format: Option<IgnoredAny>,
    /// What is wished of the model.
    #[serde(default)]
    pub options: Option<Options>,
    /// Whether the reply is to come as it is written; it is, where this is not said.
    #[serde(default)]
    pub stream: Option<bool>,
    /// There where it is said what is done to a conversation that is too long.
    #[serde(default)]
    pub truncate: Option<IgnoredAny>,
}

/// What is wished of the model.
#[derive(Debug, Default, Deserialize)]
pub struct Options {
    /// There where the client chooses the context.
    #[serde(default)]
    pub num_ctx: Option<IgnoredAny>,
    /// The most tokens of the reply; negative without a limit.
    #[serde(default)]
    pub num_predict: Option<i64>,
}

/// One entry of a conversation.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    /// `system`, `user`, `assistant` or `tool`.
    #[serde(borrow)]
    pub role: Text<'a>,
    /// What it says, as it is written.
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    /// There where it has pictures.
    #[serde(default)]
    pub images: Option<IgnoredAny>,
    /// There where it answers a tool that it names.
    #[serde(default)]
    pub tool_name: Option<IgnoredAny>,
}

/// A line of a stream, or a whole reply.
#[derive(Debug, Deserialize)]
pub struct Line<'a> {
    #[serde(default)]
    message: Option<Piece>,
    /// Whether the reply is complete.
    #[serde(default)]
    pub done: Option<bool>,
    /// Why it is.
    #[serde(borrow, default)]
    pub done_reason: Option<Text<'a>>,
    /// Tokens of the prompt.
    #[serde(default)]
    pub prompt_eval_count: Option<u64>,
    /// Tokens of the reply.
    #[serde(default)]
    pub eval_count: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Piece {
    content: Says,
    thinking: Says,
    tool_calls: Option<Vec<IgnoredAny>>,
}

impl<'a> Request<'a> {
    /// Reads the body of a request; none where it is none.
    #[must_use]
    pub fn read(body: &'a [u8]) -> Option<Self> {
        // Its texts need not be looked at one by one once all of it is text.
        let body = std::str::from_utf8(body).ok()?;
        serde_json::from_str(body).ok()
    }
}

impl<'a> Line<'a> {
    /// Reads a line, or a whole reply.
    ///
    /// # Errors
    ///
    /// What is not JSON, or not of this API.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Whether it has words, be they an answer or a thought.
    #[must_use]
    pub fn has_words(&self) -> bool {
        let message = self.message.as_ref();
        message.is_some_and(|message| message.content.0 || message.thinking.0)
    }

    /// How many calls it makes.
    #[must_use]
    pub fn calls(&self) -> usize {
        let calls = self
            .message
            .as_ref()
            .and_then(|message| message.tool_calls.as_ref());
        calls.map_or(0, Vec::len)
    }
}
