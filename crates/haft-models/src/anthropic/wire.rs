//! The Anthropic Messages wire in both directions: what a client sends, and what a server
//! answers, whole or as events.
//!
//! Every type is written and read, so that whoever answers in this dialect uses the same ones.
//! Fields that haft has no use for are not kept; kinds of blocks and events that it does not
//! know are read as `Unknown`. The shapes are those of Anthropic's API reference
//! (docs.anthropic.com, "Messages"), loosened where llama-server leaves something out.

use haft_wire::null_is_default;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod event;

pub(crate) use event::{Delta, Event};

/// The body of `POST /v1/messages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The model's name.
    pub(crate) model: String,
    /// The most tokens to write, thinking included.
    pub(crate) max_tokens: u64,
    /// Guidance, apart from the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) system: Option<Text>,
    /// The tools on offer.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub(crate) tools: Vec<AnthropicTool>,
    /// Whether a tool may, must or must not be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tool_choice: Option<ToolChoice>,
    /// How far the choice of words is left to chance, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    /// The words to choose from, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    /// The words to choose from: so many of the most probable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) top_k: Option<i64>,
    /// Whether to think first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thinking: Option<Thinking>,
    /// The form of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_config: Option<OutputConfig>,
    /// Texts that end the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stop_sequences: Option<Vec<String>>,
    /// Whether the answer comes as events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<bool>,
    /// The server keeps the conversation and is sent what is new only; nobody but Anthropic does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<Value>,
    /// The conversation, users and assistants in turn. Last, since it alone grows.
    pub(crate) messages: Vec<InputMessage>,
}

/// Text as a string or as blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    /// A string.
    Plain(String),
    /// Blocks, in their order.
    Blocks(Vec<Block>),
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct InputMessage {
    /// Who speaks.
    pub(crate) role: Role,
    /// What is said.
    pub(crate) content: Text,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// The user, and the results of tools.
    User,
    /// The model.
    Assistant,
    /// Guidance in mid-conversation, which only some models take.
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
    /// A picture.
    Image {
        /// Where its bytes are.
        source: ImageSource,
    },
    /// The model asks for a tool.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, an object. At the start of a streamed block llama-server leaves them
        /// out, and everyone else leaves them empty.
        #[serde(default)]
        input: Value,
    },
    /// A tool answers.
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// What the tool says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Text>,
        /// Whether it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// A thought.
    Thinking {
        /// The thought; empty where only its signature is shown.
        #[serde(default)]
        thinking: String,
        /// The provider's proof that the thought is its own.
        #[serde(default)]
        signature: String,
    },
    /// A thought that is hidden.
    RedactedThinking {
        /// The thought, encrypted.
        data: String,
    },
    /// Anything else: tools that the server runs by itself, documents and so on.
    #[serde(other)]
    Unknown,
}

/// Where a picture is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ImageSource {
    /// In the message.
    Base64 {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// Its bytes in standard base64.
        data: String,
    },
    /// Somewhere on the net.
    Url {
        /// The address.
        url: String,
    },
    /// In a place that haft does not know.
    #[serde(other)]
    Unknown,
}

/// A tool in the shape of the Messages API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnthropicTool {
    /// The kind: none or `custom` for a tool that the client runs, else one of the server's own.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The name.
    pub name: String,
    /// What it does and when to use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of the arguments, an object schema; the server's own tools have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
}

/// Whether a tool may, must or must not be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToolChoice {
    /// The model decides.
    Auto {
        /// Whether at most one call may come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// At least one call.
    Any {
        /// Whether exactly one call must come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// A call of one tool.
    Tool {
        /// Its name.
        name: String,
        /// Whether exactly one call must come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    /// No call.
    None {},
}

/// Whether to think first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Thinking {
    /// Think, within bounds.
    Enabled {
        /// The most tokens to think; at least 1024, and less than `max_tokens`.
        budget_tokens: u64,
    },
    /// Think as much as the model likes.
    Adaptive {},
    /// Do not think.
    Disabled {},
}

/// The form of the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutputConfig {
    /// The form of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<OutputFormat>,
    /// How much trouble to take, such as `low` or `high`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<String>,
}

/// The form of the answer's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum OutputFormat {
    /// JSON that follows a schema.
    JsonSchema {
        /// The schema.
        schema: Value,
    },
}

/// A whole answer; at the start of a stream, the empty beginning of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Response {
    /// The reply's id.
    #[serde(default)]
    pub(crate) id: String,
    /// Always `message`.
    #[serde(default = "message", rename = "type")]
    pub(crate) kind: String,
    /// Always the assistant.
    #[serde(default = "assistant")]
    pub(crate) role: Role,
    /// The model that answers.
    #[serde(default)]
    pub(crate) model: String,
    /// What it says.
    pub(crate) content: Vec<Block>,
    /// Why it ended: `end_turn`, `tool_use`, `max_tokens`, `stop_sequence`, `refusal`...
    #[serde(default)]
    pub(crate) stop_reason: Option<String>,
    /// Which of the request's texts ended it.
    #[serde(default)]
    pub(crate) stop_sequence: Option<String>,
    /// Tokens.
    #[serde(default)]
    pub(crate) usage: Usage,
}

fn message() -> String {
    "message".to_owned()
}

fn assistant() -> Role {
    Role::Assistant
}

/// Tokens; a stream reports some at its start and some at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Of the prompt, without what the two cache counts tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_tokens: Option<u64>,
    /// Of the prompt, put into the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cache_creation_input_tokens: Option<u64>,
    /// Of the prompt, read out of the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cache_read_input_tokens: Option<u64>,
    /// Of the reply so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_tokens: Option<u64>,
}

/// The body of `GET /v1/models`, as far as it is of use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelList {
    /// The models.
    pub(crate) data: Vec<ModelEntry>,
}

/// One model of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    /// Its name in requests.
    pub(crate) id: String,
}

#[cfg(test)]
mod tests;
