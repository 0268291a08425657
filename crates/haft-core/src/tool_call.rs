//! A model's request to run a tool, well-formed or not.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Arguments by name, in the order in which the model wrote them.
pub type Arguments = Map<String, Value>;

/// A request to run one tool, in the form that every provider's wire format is converted to.
///
/// ```
/// use haft_core::ToolCall;
/// use serde_json::json;
///
/// let call = ToolCall::new("get_time", json!({"timezone": "Asia/Tokyo"}), "call_1");
/// assert_eq!(
///     serde_json::to_value(&call).unwrap(),
///     json!({"type": "tool_call", "name": "get_time", "args": {"timezone": "Asia/Tokyo"}, "id": "call_1"}),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "tool_call")]
pub struct ToolCall {
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments; always an object, even when the server sent a string of JSON.
    pub args: Arguments,
    /// The call's id; never empty, and unique within its message unless the server repeated it.
    pub id: String,
}

impl ToolCall {
    /// A call; `args` that is not an object becomes an empty one.
    #[must_use]
    pub fn new(name: impl Into<String>, args: Value, id: impl Into<String>) -> Self {
        let args = match args {
            Value::Object(args) => args,
            _ => Arguments::new(),
        };
        Self {
            name: name.into(),
            args,
            id: id.into(),
        }
    }
}

/// A tool call that could not be parsed. It never runs; it is answered with an error that tells
/// the model what was wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "invalid_tool_call")]
pub struct InvalidToolCall {
    /// The tool's name as far as it was readable; may be empty.
    pub name: String,
    /// The unparsed text of the arguments.
    pub args: String,
    /// The call's id; never empty.
    pub id: String,
    /// The error as a sentence for the model.
    pub error: String,
}
