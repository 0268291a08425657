//! What matters of a chat completion that is handed on as it is.

use haft_core::Usage;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Tokens;
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
    /// Whether a tool has to be called, as it is written.
    #[serde(borrow, default)]
    pub tool_choice: Option<&'a RawValue>,
    /// There where the answer has to have a form.
    #[serde(default)]
    pub response_format: Option<IgnoredAny>,
    /// How many replies are wanted.
    #[serde(default)]
    pub n: Option<u32>,
    /// There where the reply is limited.
    #[serde(default)]
    pub max_tokens: Option<IgnoredAny>,
    /// There where it is limited under the newer name.
    #[serde(default)]
    pub max_completion_tokens: Option<IgnoredAny>,
    /// Whether the reply is to come as it is written.
    #[serde(default)]
    pub stream: Option<bool>,
    /// What is wanted of the stream.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
}

/// One entry of a conversation.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    /// `system`, `user`, `assistant`, `tool`, or what else a server knows.
    #[serde(borrow)]
    pub role: Text<'a>,
    /// What it says, as it is written.
    #[serde(borrow, default)]
    pub content: Option<&'a RawValue>,
    /// The calls that the model made.
    #[serde(borrow, default)]
    pub tool_calls: Option<Vec<Called<'a>>>,
    /// The call that it answers.
    #[serde(borrow, default)]
    pub tool_call_id: Option<Text<'a>>,
}

/// A call in a conversation.
#[derive(Debug, Deserialize)]
pub struct Called<'a> {
    /// By which its result names it.
    #[serde(borrow, default)]
    pub id: Option<Text<'a>>,
}

/// What is wanted of a stream.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct StreamOptions {
    /// Whether it ends with a count of the tokens.
    #[serde(default)]
    pub include_usage: Option<bool>,
}

/// An event of a stream, or a whole reply.
#[derive(Debug, Deserialize)]
pub struct Event {
    /// What the model says, once for each reply that was wanted.
    #[serde(default)]
    pub choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Tokens>,
}

/// One of the replies that were wanted, or a piece of it.
#[derive(Debug, Deserialize)]
pub struct Choice {
    /// Which of the replies.
    #[serde(default)]
    pub index: Option<u32>,
    /// A piece of it, in a stream.
    #[serde(default)]
    pub delta: Option<Piece>,
    /// All of it.
    #[serde(default)]
    pub message: Option<Piece>,
    /// Says something once the reply is complete.
    #[serde(default)]
    pub finish_reason: Says,
}

/// What the model says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Piece {
    content: Says,
    reasoning_content: Says,
    reasoning: Says,
    refusal: Says,
    function_call: Says,
    /// The calls in it, or pieces of them.
    pub tool_calls: Option<Vec<Call>>,
}

/// A call, or a piece of one.
#[derive(Debug, Deserialize)]
pub struct Call {
    /// Which call of the reply.
    #[serde(default)]
    pub index: Option<usize>,
    /// Says something where the call begins.
    #[serde(default)]
    pub id: Says,
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

impl Event {
    /// Reads an event, or a whole reply.
    ///
    /// # Errors
    ///
    /// What is not JSON, or not of this API.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The tokens, where they are told.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.usage.map(Tokens::usage)
    }
}

impl Piece {
    /// Whether it has words, be they an answer or a thought.
    #[must_use]
    pub fn has_words(&self) -> bool {
        let words = [
            self.content,
            self.reasoning_content,
            self.reasoning,
            self.refusal,
            self.function_call,
        ];
        words.contains(&Says(true))
    }
}
