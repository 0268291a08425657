//! Anthropic's messages (API reference, "Create a Message" and "Streaming Messages").

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
    /// The most tokens of the reply, which the API demands.
    pub max_tokens: u64,
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
    pub output_config: Option<IgnoredAny>,
    /// There where the conversation is kept by the server.
    #[serde(default)]
    pub thread: Option<IgnoredAny>,
    /// Whether the reply is to come as it is written.
    #[serde(default)]
    pub stream: Option<bool>,
}

/// One entry of a conversation.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    /// `user` or `assistant`.
    #[serde(borrow)]
    pub role: Text<'a>,
    /// What it says, as it is written.
    #[serde(borrow)]
    pub content: &'a RawValue,
}

/// Whether a tool has to be called, and nothing beside that.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
}

/// An event of a stream.
#[derive(Debug, Deserialize)]
pub struct Event<'a> {
    /// What it is, such as `content_block_start`.
    #[serde(borrow, rename = "type")]
    pub kind: Text<'a>,
    #[serde(default)]
    message: Option<Start>,
    /// The block that begins.
    #[serde(borrow, default)]
    pub content_block: Option<Block<'a>>,
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
struct Start {
    #[serde(default)]
    usage: Usage,
}

/// A part of what the model says.
#[derive(Debug, Deserialize)]
pub struct Block<'a> {
    /// What it is, such as `text` or `tool_use`.
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(default)]
    text: Says,
    #[serde(default)]
    thinking: Says,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Delta {
    text: Says,
    thinking: Says,
    signature: Says,
    partial_json: Says,
}

/// A whole reply.
#[derive(Debug, Deserialize)]
pub struct Whole<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
    /// Its tokens.
    #[serde(default)]
    pub usage: Usage,
}

/// Tokens; a stream reports some at its start and some at its end.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Usage {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

impl<'a> Request<'a> {
    /// Reads the body of a request; none where it is none.
    #[must_use]
    pub fn read(body: &'a [u8]) -> Option<Self> {
        // Its texts need not be looked at one by one once all of it is text.
        let body = std::str::from_utf8(body).ok()?;
        serde_json::from_str(body).ok()
    }

    /// Whether the choice of a tool is the model's, by the word `auto` and nothing beside it.
    #[must_use]
    pub fn chooses_freely(&self) -> bool {
        let choice = self.tool_choice.map(RawValue::get);
        let choice = choice.and_then(|text| serde_json::from_str::<Choice<'_>>(text).ok());
        choice.is_some_and(|choice| &*choice.kind == "auto")
    }
}

impl<'a> Event<'a> {
    /// Reads an event.
    ///
    /// # Errors
    ///
    /// What is not JSON, or not of this API.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The tokens, where it tells of them.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        let start = self.message.as_ref();
        start.map(|message| message.usage).or(self.usage)
    }

    /// Whether what it adds to a block says anything.
    #[must_use]
    pub fn adds(&self) -> bool {
        self.delta.as_ref().is_some_and(|delta| {
            let words = [
                delta.text,
                delta.thinking,
                delta.signature,
                delta.partial_json,
            ];
            words.contains(&Says(true))
        })
    }
}

impl Block<'_> {
    /// Whether it is a call.
    #[must_use]
    pub fn is_call(&self) -> bool {
        &*self.kind == "tool_use"
    }

    /// Whether it has words, be they an answer or a thought.
    #[must_use]
    pub fn has_words(&self) -> bool {
        self.text.0 || self.thinking.0
    }
}

impl<'a> Whole<'a> {
    /// Reads a whole reply.
    ///
    /// # Errors
    ///
    /// What is not JSON, or not of this API.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// How many calls it makes.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.content.iter().filter(|block| block.is_call()).count()
    }
}

impl Usage {
    /// What is known after this report, which is taken over what was `before`.
    #[must_use]
    pub fn over(self, before: haft_core::Usage) -> haft_core::Usage {
        let read = self.cache_read_input_tokens;
        let prompt = [self.input_tokens, self.cache_creation_input_tokens, read];
        let told = prompt.iter().flatten().copied().reduce(u64::saturating_add);
        haft_core::Usage {
            input_tokens: told.unwrap_or(before.input_tokens),
            output_tokens: self.output_tokens.unwrap_or(before.output_tokens),
            cached_input_tokens: read.unwrap_or(before.cached_input_tokens),
        }
    }
}
