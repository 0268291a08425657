//! The replies of Chat Completions, whole and streamed.

use haft_core::Usage;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::tokens::ReportedTokens;
use crate::lenient::valid_items;

/// A whole reply, or one chunk of a streamed one; they differ in whether the choices contain a
/// `message` or a `delta`. What haft writes itself is skipped.
#[derive(Debug, Deserialize)]
pub(crate) struct Reply {
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "object")]
    _object: IgnoredAny,
    #[serde(default, rename = "created")]
    _created: IgnoredAny,
    #[serde(default, rename = "model")]
    _model: IgnoredAny,
    choices: Option<Vec<ReplyChoice>>,
    pub(crate) usage: Option<ReportedTokens>,
    /// The fields that haft does not handle, those that are null included.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

/// One choice; only one is ever requested.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ReplyChoice {
    /// The index of the choice.
    pub(crate) index: Option<u32>,
    /// The whole message.
    pub(crate) message: Option<ReplyPiece>,
    /// A piece of the message.
    pub(crate) delta: Option<ReplyPiece>,
    /// Why the reply ended; only in its last piece.
    pub(crate) finish_reason: Option<String>,
    /// The fields that haft does not handle.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

/// A message, or a piece of it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ReplyPiece {
    #[serde(default, rename = "role")]
    _role: IgnoredAny,
    /// The text; a list of parts at some services.
    pub(crate) content: Option<Value>,
    /// The reasoning, in the field of llama.cpp, vLLM, DeepSeek and others.
    pub(crate) reasoning_content: Option<String>,
    /// The reasoning, in the field of Ollama, Groq, OpenRouter and others; some send both.
    pub(crate) reasoning: Option<String>,
    /// The refusal text, in place of an answer.
    pub(crate) refusal: Option<String>,
    /// The calls; invalid ones are skipped.
    #[serde(default, deserialize_with = "valid_items")]
    pub(crate) tool_calls: Vec<CallPiece>,
    /// The single call of the older API.
    pub(crate) function_call: Option<FunctionPiece>,
    /// The fields that haft does not handle.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

/// A call, or a piece of it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct CallPiece {
    /// The call's index in the reply.
    pub(crate) index: Option<u64>,
    /// The call's id.
    pub(crate) id: Option<String>,
    /// The called function.
    pub(crate) function: Option<FunctionPiece>,
}

/// A called function, or a piece of it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct FunctionPiece {
    /// The tool's name, or a part of it.
    pub(crate) name: Option<String>,
    /// The arguments as a JSON string, or a part of it; an object at some servers.
    pub(crate) arguments: Option<Value>,
}

impl Reply {
    /// The token counts, if reported.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.usage.as_ref().map(ReportedTokens::usage)
    }

    /// The choice that was requested; others would be mixed into it.
    pub(crate) fn choice(&mut self) -> Option<&mut ReplyChoice> {
        let mut choices = self.choices.iter_mut().flatten();
        choices.find(|choice| choice.index.unwrap_or(0) == 0)
    }
}

impl ReplyChoice {
    /// The message of a whole reply, or a piece of it. Some servers send the whole message so far
    /// with each piece.
    pub(crate) fn piece(&mut self, whole: bool) -> Option<&mut ReplyPiece> {
        let (piece, other) = if whole {
            (&mut self.message, &mut self.delta)
        } else {
            (&mut self.delta, &mut self.message)
        };
        piece.as_mut().or(other.as_mut())
    }
}
