//! A model's request to run a tool, well-formed or not.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Arguments by name, in the order in which the model wrote them.
pub type Arguments = Map<String, Value>;

/// A request to run one tool, in the one shape that every provider's wire is turned into.
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
    /// The name the model used.
    pub name: String,
    /// Always an object, even where the wire carried a string of JSON.
    pub args: Arguments,
    /// Never empty; unique within its message unless the wire itself repeated it.
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

/// A request that could not be understood. It is answered like any other call, with an error
/// that tells the model what was wrong; it never runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "invalid_tool_call")]
pub struct InvalidToolCall {
    /// The name as far as it was readable; may be empty.
    pub name: String,
    /// What stood where the arguments should be, unchanged.
    pub args: String,
    /// Never empty.
    pub id: String,
    /// What is wrong, in a sentence the model reads.
    pub error: String,
}
