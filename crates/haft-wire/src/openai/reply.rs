//! All that a model says in a chat completion.

use haft_core::Usage;
use serde::Deserialize;
use serde_json::Value;

use super::Tokens;
use crate::readable;

/// A whole reply, or one chunk of a streamed one: they differ in whether the choices hold a
/// `message` or a `delta`. The head is skipped: nobody needs it, and servers write it in many ways.
#[derive(Debug, Deserialize)]
pub struct Reply {
    /// The alternatives.
    #[serde(default)]
    pub choices: Option<Vec<ReplyChoice>>,
    #[serde(default)]
    usage: Option<Tokens>,
}

/// One of the alternatives; only the first is ever asked for.
#[derive(Debug, Deserialize)]
pub struct ReplyChoice {
    /// Which of them.
    #[serde(default)]
    pub index: Option<u32>,
    /// All of it.
    #[serde(default)]
    pub message: Option<ReplyPiece>,
    /// A bit of it.
    #[serde(default)]
    pub delta: Option<ReplyPiece>,
    /// Why it ends, once it does.
    #[serde(default)]
    pub finish_reason: Option<String>,
}

/// What was said, as a whole or a bit of it.
#[derive(Debug, Default, Deserialize)]
pub struct ReplyPiece {
    /// A text; a list of parts at some services.
    #[serde(default)]
    pub content: Option<Value>,
    /// Thinking, as llama.cpp, vLLM, DeepSeek and others call it.
    #[serde(default)]
    pub reasoning_content: Option<String>,
    /// Thinking, as Ollama, Groq, OpenRouter and others call it; some send both.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Words in place of an answer.
    #[serde(default)]
    pub refusal: Option<String>,
    /// Calls; one that cannot be read is left out.
    #[serde(default, deserialize_with = "readable")]
    pub tool_calls: Vec<CallPiece>,
    /// The one call of the API before there were several.
    #[serde(default)]
    pub function_call: Option<FunctionPiece>,
}

/// A call, as a whole or a bit of it.
#[derive(Debug, Default, Deserialize)]
pub struct CallPiece {
    /// Which call of the reply.
    #[serde(default)]
    pub index: Option<u64>,
    /// By which its result is to name it.
    #[serde(default)]
    pub id: Option<String>,
    /// What it calls.
    #[serde(default)]
    pub function: Option<FunctionPiece>,
}

/// What a call calls.
#[derive(Debug, Default, Deserialize)]
pub struct FunctionPiece {
    /// The tool's name, or a bit of it.
    #[serde(default)]
    pub name: Option<String>,
    /// A string of JSON, or of a bit of it; an object at some servers.
    #[serde(default)]
    pub arguments: Option<Value>,
}

impl Reply {
    /// Reads a whole reply or a chunk.
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
