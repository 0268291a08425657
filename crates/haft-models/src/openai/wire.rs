//! The chat completions wire in both directions: what a client sends is what a server reads.
//!
//! Field names and shapes are those of OpenAI's API reference, "Create chat completion", plus
//! what other servers add to them. Whatever a server may leave out or set to null is optional
//! here, and unknown fields are skipped. `encode.rs` fills requests, `decode.rs` reads replies.

use std::sync::Arc;

use haft_wire::null_is_default;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::known_lists::KnownLists;
use crate::wire_tools::WireTools;

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChatRequest {
    pub(crate) model: String,
    pub(crate) messages: Vec<RequestMessage>,
    #[serde(
        default,
        deserialize_with = "known_tools",
        skip_serializing_if = "WireTools::is_empty"
    )]
    pub(crate) tools: WireTools<Tool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tool_choice: Option<ToolChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<i64>,
    /// A text, or up to four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Stop>,
    /// `none`, `minimal`, `low`, `medium`, `high`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning_effort: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u32>,
    /// The newer name of `max_tokens`, the only one that OpenAI's reasoning models take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_completion_tokens: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) response_format: Option<ResponseFormat>,
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) stream: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream_options: Option<StreamOptions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) presence_penalty: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frequency_penalty: Option<f64>,
    /// Local servers and routers know it; OpenAI's own refuses it, as it does the next three.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) top_k: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) min_p: Option<f64>,
    /// The name that llama.cpp and LM Studio have for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeat_penalty: Option<f64>,
    /// The same in the words of vLLM and the routers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repetition_penalty: Option<f64>,
    /// How many replies are wished. Read only: what is asked of a server is always one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) n: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parallel_tool_calls: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) logit_bias: Option<Value>,
    /// What a local server passes on to the model's template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) chat_template_kwargs: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) service_tier: Option<Value>,
}

/// What ends a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Stop {
    One(String),
    Several(Vec<String>),
}

/// The tools of a request. Those that were read before are not read again: a client sends the
/// same ones with each of its requests.
fn known_tools<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WireTools<Tool>, D::Error> {
    static KNOWN: KnownLists<Tool> = KnownLists::new();
    let list: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    let list = KNOWN.read(list.get()).map_err(D::Error::custom)?;
    Ok(list.into())
}

/// One entry of the conversation; which fields matter depends on the role.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestMessage {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    pub(crate) role: String,
    /// Null beside calls; never left out, since some servers insist on it.
    #[serde(default)]
    pub(crate) content: Option<MessageContent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tool_calls: Option<Vec<RequestCall>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tool_call_id: Option<String>,
    /// On a result, with clients of the API before calls had ids: the tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// What the model said in place of an answer, in the history.
    Refusal {
        refusal: String,
    },
    /// Files, sounds and so on.
    #[serde(other)]
    Unknown,
}

/// A picture by address; a `data:` address holds the picture itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImageUrl {
    pub(crate) url: String,
}

/// A call in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestCall {
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) id: String,
    #[serde(rename = "type", default)]
    pub(crate) kind: FunctionKind,
    pub(crate) function: RequestFunction,
}

/// What a call in the history calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestFunction {
    pub(crate) name: String,
    /// A string that holds a JSON object.
    pub(crate) arguments: String,
}

/// The `type` of everything that is a function.
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
    pub(crate) function: FunctionDefinition,
}

/// What a tool is called, what it is for, and what it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FunctionDefinition {
    pub(crate) name: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) parameters: Value,
}

/// Whether a tool must be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum ToolChoice {
    /// `auto`, `none` or `required`.
    Mode(String),
    /// This tool.
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

/// What the text of the reply must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ResponseFormat {
    Text,
    JsonObject,
    JsonSchema { json_schema: NamedSchema },
}

/// A schema under the name that the API wants for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedSchema {
    pub(crate) name: String,
    pub(crate) schema: Arc<Value>,
    #[serde(default)]
    pub(crate) strict: Option<bool>,
}

/// What a stream carries beside the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StreamOptions {
    /// The last chunk counts the tokens.
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) include_usage: bool,
}

/// The answer of `GET /models`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelList {
    pub(crate) data: Vec<ModelEntry>,
}

/// A model that the server has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    pub(crate) id: String,
}
