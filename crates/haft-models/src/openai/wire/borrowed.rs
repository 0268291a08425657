//! Borrowed views of chat completions, for pass-through.

use haft_core::Usage;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::StreamOptions;
use super::tokens::Tokens;
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
    #[serde(borrow)]
    pub(crate) tools: Option<&'a RawValue>,
    /// The tool choice as raw JSON.
    #[serde(borrow)]
    pub(crate) tool_choice: Option<&'a RawValue>,
    /// False if the client wants at most one call.
    pub(crate) parallel_tool_calls: Option<bool>,
    /// Present if the answer must have a format.
    pub(crate) response_format: Option<IgnoredAny>,
    /// Present if the client offers tools in the older form.
    pub(crate) functions: Option<IgnoredAny>,
    /// The number of requested replies.
    pub(crate) n: Option<u32>,
    /// Present if the client limits the reply's tokens.
    pub(crate) max_tokens: Option<IgnoredAny>,
    /// Present if the client limits the reply's tokens under the newer name.
    pub(crate) max_completion_tokens: Option<IgnoredAny>,
    /// Whether the reply is streamed.
    pub(crate) stream: Option<bool>,
    pub(crate) stream_options: Option<StreamOptions>,
}

/// One message of a conversation.
#[derive(Debug, Deserialize)]
pub(crate) struct Message<'a> {
    /// `system`, `user`, `assistant`, `tool`, or another role that the server supports.
    #[serde(borrow)]
    pub(crate) role: BorrowedText<'a>,
    /// The content as raw JSON.
    #[serde(borrow)]
    pub(crate) content: Option<&'a RawValue>,
    /// The calls that the model made.
    #[serde(borrow)]
    pub(crate) tool_calls: Option<Vec<Called<'a>>>,
    /// The id of the call that a tool message answers.
    #[serde(borrow)]
    pub(crate) tool_call_id: Option<BorrowedText<'a>>,
}

/// A call in a conversation.
#[derive(Debug, Deserialize)]
pub(crate) struct Called<'a> {
    /// The call's id.
    #[serde(borrow)]
    pub(crate) id: Option<BorrowedText<'a>>,
}

/// A stream event, or a whole reply.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    /// The choices, one for each requested reply.
    pub(crate) choices: Option<Vec<Choice>>,
    usage: Option<Tokens>,
}

/// One choice, or a piece of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    /// The index of the choice.
    pub(crate) index: Option<u32>,
    /// A piece of the message, in a stream.
    pub(crate) delta: Option<Piece>,
    /// The whole message.
    pub(crate) message: Option<Piece>,
    /// Non-empty once the reply is complete.
    #[serde(default)]
    pub(crate) finish_reason: NonEmpty,
}

/// A message, or a piece of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Piece {
    content: NonEmpty,
    reasoning_content: NonEmpty,
    reasoning: NonEmpty,
    refusal: NonEmpty,
    function_call: NonEmpty,
    /// The calls in it, or pieces of them.
    pub(crate) tool_calls: Option<Vec<Call>>,
}

/// A call, or a piece of one.
#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    /// The call's index in the reply.
    pub(crate) index: Option<usize>,
    /// Non-empty in the first piece of a call.
    #[serde(default)]
    pub(crate) id: NonEmpty,
}

impl Event {
    /// The token counts, if reported.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage.map(Tokens::usage)
    }
}

impl Piece {
    /// Whether the message contains text or reasoning.
    pub(crate) fn has_words(&self) -> bool {
        let words = [
            self.content,
            self.reasoning_content,
            self.reasoning,
            self.refusal,
            self.function_call,
        ];
        words.contains(&NonEmpty(true))
    }
}
