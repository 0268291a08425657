//! The wire types of Ollama's API, readable and writable.
//!
//! Field names and semantics follow `ollama/ollama: api/types.go`. Fields that only other clients
//! send are included if they affect a reply.

pub(crate) mod borrowed;

use crate::lenient::{null_as_default, valid_items};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::wire_tools::WireTools;

/// The body of `POST /api/chat`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChatRequest {
    pub(crate) model: String,
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "WireTools::is_empty")]
    pub(crate) tools: WireTools<QwenTool>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) messages: Vec<ChatMessage>,
    /// A JSON Schema, or the string `json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<Value>,
    #[serde(default, deserialize_with = "read_options")]
    #[serde(skip_serializing_if = "Options::is_empty")]
    pub(crate) options: Options,
    /// Whether the reply is streamed; true if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<bool>,
    /// Whether, or with which effort, a reasoning model thinks: a boolean or a level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) think: Option<Value>,
    /// How long the model stays loaded: a string such as `10m`, or a number of seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keep_alive: Option<Value>,
    /// Whether a prompt that is too long is silently truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncate: Option<bool>,
}

/// The body of `POST /api/generate`, reduced to the supported fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GenerateRequest {
    pub(crate) model: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) prompt: String,
    pub(crate) system: Option<String>,
    /// The text after the text to be generated.
    pub(crate) suffix: Option<String>,
    /// Whether the prompt bypasses the chat template.
    pub(crate) raw: Option<bool>,
    /// Images in base64.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) images: Vec<String>,
    pub(crate) format: Option<Value>,
    #[serde(default, deserialize_with = "read_options")]
    pub(crate) options: Options,
    pub(crate) stream: Option<bool>,
    pub(crate) think: Option<Value>,
    pub(crate) keep_alive: Option<Value>,
}

/// Model options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<i64>,
    /// Stop sequences.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) stop: Vec<String>,
    /// The maximum number of tokens to write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) num_predict: Option<i64>,
    /// The context size in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) num_ctx: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_k: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) repeat_penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) presence_penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frequency_penalty: Option<f64>,
    /// All other options, collected by [`read_options`]: serde's `flatten` cannot read
    /// arbitrary-precision numbers.
    #[serde(flatten, skip_deserializing)]
    pub(crate) others: Map<String, Value>,
}

impl Options {
    /// The fields with a name in this struct.
    const KNOWN: [&str; 11] = [
        "temperature",
        "top_p",
        "seed",
        "stop",
        "num_predict",
        "num_ctx",
        "top_k",
        "min_p",
        "repeat_penalty",
        "presence_penalty",
        "frequency_penalty",
    ];

    /// The named fields that are integers.
    const WHOLE: [&str; 4] = ["seed", "num_predict", "num_ctx", "top_k"];

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Reads options; unknown ones and `null` values go to `others`.
fn read_options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
    let Some(mut all) = Option::<Map<String, Value>>::deserialize(deserializer)? else {
        return Ok(Options::default());
    };
    let known = Options::KNOWN.map(|name| (name.to_owned(), all.shift_remove(name)));
    let known = known
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(
            |(name, value)| match Options::WHOLE.contains(&name.as_str()) {
                true => (name, whole(value)),
                false => (name, value),
            },
        );
    let mut options =
        Options::deserialize(Value::Object(known.collect())).map_err(D::Error::custom)?;
    options.others = all;
    Ok(options)
}

/// Truncates a number to an integer as Ollama does. Home Assistant sends `8192.0`.
fn whole(value: Value) -> Value {
    let number = value
        .as_f64()
        .filter(|_| !value.is_i64() && !value.is_u64());
    let cut = number.and_then(|number| format!("{:.0}", number.trunc()).parse::<i64>().ok());
    cut.map_or(value, Value::from)
}

/// A tool in the format that Qwen models are trained on, which is also Ollama's and OpenAI's:
/// exactly `type` and `function`, the latter with exactly three fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QwenTool {
    /// Always [`QwenToolType::Function`].
    #[serde(rename = "type")]
    pub kind: QwenToolType,
    /// The tool itself.
    pub function: QwenFunction,
}

/// The type of a [`QwenTool`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QwenToolType {
    /// A function with a name and parameters; in JSON `"function"`.
    #[default]
    Function,
}

/// The description of a [`QwenTool`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QwenFunction {
    /// The name.
    pub name: String,
    /// What it does and when to use it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub description: String,
    /// The JSON Schema of the arguments.
    #[serde(default)]
    pub parameters: Value,
}

/// One message, in requests and replies alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChatMessage {
    /// `system`, `user`, `assistant` or `tool`.
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thinking: Option<String>,
    /// Images in base64.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<String>,
    #[serde(default, deserialize_with = "valid_items")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_calls: Vec<WireCall>,
    /// For a `tool` message: the name of the called tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_name: Option<String>,
    /// For a `tool` message: the id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_call_id: Option<String>,
}

/// A call; the id exists since Ollama 0.12.10.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    pub(crate) function: WireFunction,
}

/// The called function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireFunction {
    #[serde(default)]
    pub(crate) name: String,
    /// The arguments as an object; some servers send a JSON string.
    #[serde(default)]
    pub(crate) arguments: Value,
}

/// One line of a streamed reply, or a whole reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChatResponse {
    #[serde(default)]
    pub(crate) model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created_at: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(crate) message: ChatMessage,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) done: Option<bool>,
    /// `stop`, `length`, or `load` if the model was only loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) done_reason: Option<String>,
    /// Tokens of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompt_eval_count: Option<u64>,
    /// Tokens of the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) eval_count: Option<u64>,
}

#[cfg(test)]
mod tests;
