//! The wire types of the Anthropic Messages API: requests and responses, whole or as events.
//!
//! Every type can be read and written, so that clients and servers share it. Fields that haft does
//! not need are dropped; unknown block and event types are read as `Unknown`. The types follow
//! Anthropic's API reference (docs.anthropic.com, "Messages"); fields that llama-server omits are
//! optional.

use crate::lenient::null_as_default;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) mod borrowed;
mod event;
mod response;

pub(crate) use event::{Delta, Event};
pub(crate) use response::{Response, Usage};

/// The body of `POST /v1/messages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The model's name.
    pub(crate) model: String,
    /// The maximum number of tokens to write, thinking included.
    pub(crate) max_tokens: u64,
    /// The system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) system: Option<Text>,
    /// The tools on offer.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Vec<AnthropicTool>,
    /// Whether a tool may, must or must not be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_choice: Option<ToolChoice>,
    /// The sampling temperature, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    /// Nucleus sampling: the probability mass to sample from, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    /// Top-k sampling: how many of the most probable tokens to sample from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_k: Option<i64>,
    /// Whether to think first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thinking: Option<Thinking>,
    /// The format of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_sequences: Option<Vec<String>>,
    /// Whether the response is streamed as events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<bool>,
    /// Who the user is, and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Value>,
    /// A conversation stored at the server, which then receives only new messages; only Anthropic
    /// supports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<Value>,
    /// The conversation in alternating turns. The last field, because only it grows between
    /// requests.
    pub(crate) messages: Vec<InputMessage>,
}

/// Text as a string or as blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    /// A string.
    Plain(String),
    /// Blocks in order.
    Blocks(Vec<Block>),
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct InputMessage {
    /// The author.
    pub(crate) role: Role,
    pub(crate) content: Text,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// The user; tool results have this role too.
    User,
    /// The model.
    Assistant,
    /// A system message within the conversation, supported only by some models.
    System,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// Where the image data is.
        source: ImageSource,
    },
    /// A tool call.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, an object. At the start of a streamed block llama-server omits them and
        /// other servers send an empty object.
        #[serde(default)]
        input: Value,
    },
    /// A tool result.
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// The output of the tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Text>,
        /// Whether the tool failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// Reasoning.
    Thinking {
        /// The reasoning text; empty if only its signature is sent.
        #[serde(default)]
        thinking: String,
        /// The provider's signature of the reasoning.
        #[serde(default)]
        signature: String,
    },
    /// Encrypted reasoning.
    RedactedThinking {
        /// The encrypted text.
        data: String,
    },
    /// Any other block, such as documents and server-side tools.
    #[serde(other)]
    Unknown,
}

/// Where the data of an image is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ImageSource {
    /// Within the message.
    Base64 {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// The data in standard base64.
        data: String,
    },
    /// At a URL.
    Url {
        /// The URL.
        url: String,
    },
    /// Any other source.
    #[serde(other)]
    Unknown,
}

/// A tool in the format of the Messages API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnthropicTool {
    /// The kind: none or `custom` for a tool that the client runs, else the type of a server-side
    /// tool.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The tool's name.
    pub name: String,
    /// What it does and when to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of the arguments, an object schema; server-side tools have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
}

impl AnthropicTool {
    /// Whether the client runs the tool, not Anthropic.
    pub(crate) fn is_custom(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "custom")
    }
}

/// Whether a tool may, must or must not be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToolChoice {
    /// The model decides.
    Auto {
        /// Whether at most one call is allowed.
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// At least one call is required.
    Any {
        /// Whether exactly one call is required.
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// A call of one named tool is required.
    Tool {
        /// The tool's name.
        name: String,
        /// Whether exactly one call is required.
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// No call is allowed.
    None {},
}

impl ToolChoice {
    /// This choice with a limit of one call, if `one_call` says so.
    pub(crate) fn with_one_call(mut self, one_call: Option<bool>) -> Self {
        match &mut self {
            Self::Auto {
                disable_parallel_tool_use,
            }
            | Self::Any {
                disable_parallel_tool_use,
            }
            | Self::Tool {
                disable_parallel_tool_use,
                ..
            } => *disable_parallel_tool_use = one_call,
            Self::None {} => {}
        }
        self
    }
}

/// Whether to think first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Thinking {
    /// Think with a token budget.
    Enabled {
        /// The maximum number of thinking tokens; at least 1024 and less than `max_tokens`.
        budget_tokens: u64,
    },
    /// The model decides how much to think.
    Adaptive {},
    /// Do not think.
    Disabled {},
}

/// The format of the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutputConfig {
    /// The format of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<OutputFormat>,
    /// The effort, such as `low` or `high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<String>,
}

/// The format of the answer's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum OutputFormat {
    /// JSON that matches a schema.
    JsonSchema {
        /// The schema.
        schema: Value,
    },
}

#[cfg(test)]
mod tests;
