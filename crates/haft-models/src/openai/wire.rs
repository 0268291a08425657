//! The wire types of Chat Completions, shared by clients and servers.
//!
//! Field names and types follow OpenAI's API reference, "Create chat completion", plus common
//! extensions of other servers. Fields that a server may omit or set to null are optional, and
//! unknown fields are ignored. `encode.rs` writes requests, `decode.rs` reads replies.

pub(crate) mod borrowed;
mod reply;
mod tokens;

use std::sync::Arc;

use crate::lenient::null_as_default;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use self::reply::{CallPiece, Reply, ReplyChoice, ReplyPiece};

use crate::known_lists::KnownLists;
use crate::ollama::QwenFunction;
use crate::wire_tools::WireTools;

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChatRequest {
    pub(crate) model: String,
    pub(crate) messages: Vec<RequestMessage>,
    #[serde(default, deserialize_with = "known_tools")]
    #[serde(skip_serializing_if = "WireTools::is_empty")]
    pub(crate) tools: WireTools<Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_choice: Option<ToolChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<i64>,
    /// One stop sequence, or up to four.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Stop>,
    /// `none`, `minimal`, `low`, `medium` or `high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning_effort: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u32>,
    /// The newer name of `max_tokens`, the only one that OpenAI's reasoning models accept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) response_format: Option<ResponseFormat>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) presence_penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frequency_penalty: Option<f64>,
    /// Supported by local servers and routers; OpenAI refuses it and the next three fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_k: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_p: Option<f64>,
    /// The repetition penalty of llama.cpp and LM Studio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) repeat_penalty: Option<f64>,
    /// The repetition penalty of vLLM and routers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) repetition_penalty: Option<f64>,
    /// How many replies are requested. Only read: haft always requests one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) n: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parallel_tool_calls: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logit_bias: Option<Value>,
    /// Variables that a local server passes to the model's chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chat_template_kwargs: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) service_tier: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompt_cache_key: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verbosity: Option<Value>,
}

/// Stop sequences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Stop {
    One(String),
    Several(Vec<String>),
}

/// Reads the tools of a request. Parsed lists are cached, because a client sends the same tools
/// with each request.
fn known_tools<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WireTools<Tool>, D::Error> {
    static KNOWN: KnownLists<Tool> = KnownLists::new();
    let list: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    let list = KNOWN.read(list.get()).map_err(D::Error::custom)?;
    Ok(list.into())
}

/// One message of the conversation; the role decides which fields matter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestMessage {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    pub(crate) role: String,
    /// Null for messages with calls only; never omitted, because some servers require it.
    pub(crate) content: Option<MessageContent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_calls: Option<Vec<RequestCall>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_call_id: Option<String>,
    /// For a tool result of older clients, whose calls have no ids: the name of the called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
}

/// Text, or a list of parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum MessageContent {
    Text(String),
    Parts(Vec<Part>),
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Part {
    Text {
        text: String,
    },
    ImageUrl {
        image_url: ImageUrl,
    },
    /// A refusal of the model in the history.
    Refusal {
        refusal: String,
    },
    /// Files, audio and other parts.
    #[serde(other)]
    Unknown,
}

/// An image by URL; a `data:` URL contains the image itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImageUrl {
    pub(crate) url: String,
}

/// A call in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestCall {
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) id: String,
    #[serde(rename = "type", default)]
    pub(crate) kind: FunctionKind,
    pub(crate) function: RequestFunction,
}

/// The function that a call in the history names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestFunction {
    pub(crate) name: String,
    /// The arguments as a JSON string.
    pub(crate) arguments: String,
}

/// The `type` of functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FunctionKind {
    #[default]
    Function,
}

/// A tool on offer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tool {
    #[serde(rename = "type", default)]
    pub(crate) kind: FunctionKind,
    pub(crate) function: QwenFunction,
}

/// Whether a tool must be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum ToolChoice {
    /// `auto`, `none` or `required`.
    Mode(String),
    /// A call of this tool is required.
    Named {
        #[serde(rename = "type", default)]
        kind: FunctionKind,
        function: NamedFunction,
    },
}

/// The tool that a [`ToolChoice`] names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedFunction {
    pub(crate) name: String,
}

/// The required format of the reply's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ResponseFormat {
    Text,
    JsonObject,
    JsonSchema { json_schema: NamedSchema },
}

/// A JSON Schema with the name that the API requires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedSchema {
    pub(crate) name: String,
    pub(crate) schema: Arc<Value>,
    pub(crate) strict: Option<bool>,
}

/// Additional data of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StreamOptions {
    /// Whether the last chunk reports the token counts.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) include_usage: bool,
}

#[cfg(test)]
mod tests;
