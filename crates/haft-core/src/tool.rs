//! The trait that every tool implements, and what goes in and out of it.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Arguments, ToolError};

/// Something a model can ask to be done: a function of ours, or a tool of an MCP server.
///
/// ```
/// use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
/// use serde_json::{Value, json};
///
/// #[derive(Debug)]
/// struct Dice {
///     schema: Value,
/// }
///
/// #[async_trait::async_trait]
/// impl Tool for Dice {
///     fn name(&self) -> &str {
///         "roll_dice"
///     }
///     fn description(&self) -> &str {
///         "Roll a die"
///     }
///     fn schema(&self) -> &Value {
///         &self.schema
///     }
///     async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
///         Ok(format!("A die with {} sides shows 4", input.input["sides"]).into())
///     }
/// }
/// # let schema = json!({"type": "object", "properties": {"sides": {"type": "integer"}}});
/// # assert_eq!(Dice { schema }.name(), "roll_dice");
/// ```
#[async_trait]
pub trait Tool: Send + Sync + Debug {
    /// The name, unique in its collection.
    fn name(&self) -> &str;

    /// A second name under which the tool is found too; on the wire it goes before `name`.
    fn lc_name(&self) -> Option<&str> {
        None
    }

    /// What the tool does and when to use it, for the model.
    fn description(&self) -> &str;

    /// JSON Schema of the arguments, an object schema. `null` stands for "no arguments".
    fn schema(&self) -> &Value;

    /// What the tool's author says about its effects. Hints of an MCP server are untrusted.
    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations::default()
    }

    /// The same for one call with these arguments, where a tool knows better: to switch a light
    /// is one thing, to open a lock with the same tool another. Asked only where somebody
    /// approves calls.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] where the call could do nothing at all, such as for a home that cannot be
    /// reached: the model reads it at once, and nobody is asked about the call.
    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        let _ = input;
        Ok(self.annotations())
    }

    /// Where the tool comes from.
    fn source(&self) -> ToolSource {
        ToolSource::Custom
    }

    /// How long one call may take, where the executor's default does not fit.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Does the work. Dropping the future cancels it.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] whose message the model reads.
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError>;
}

/// The envelope in which arguments reach a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolInput {
    /// The arguments, coerced and validated against the tool's schema.
    pub input: Arguments,
}

/// What a tool hands back: a value for the model and, if it likes, one for programs.
///
/// ```
/// use haft_core::ToolOutput;
/// use serde_json::json;
///
/// let output = ToolOutput::from("It is 9:30").with_artifact(json!({"hour": 9}));
/// assert_eq!(output.value, json!("It is 9:30"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// The result. A string is read by the model as it is, anything else as JSON.
    pub value: Value,
    /// Structured data, pictures and the like; kept on the `ToolMessage`, not sent to the model.
    pub artifact: Option<Value>,
}

/// Hints about a tool's effects, as in MCP's `ToolAnnotations`
/// (`modelcontextprotocol/modelcontextprotocol: schema/2025-11-25/schema.ts`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnnotations {
    /// The tool changes nothing.
    #[serde(default)]
    pub read_only: bool,
    /// The tool may destroy something or have a high impact (a lock, an alarm, a heating).
    #[serde(default)]
    pub destructive: bool,
    /// The same call once more changes nothing further.
    #[serde(default)]
    pub idempotent: bool,
    /// Calls of the tool must not overlap with any other call of the round.
    #[serde(default)]
    pub sequential: bool,
}

/// Where a tool comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ToolSource {
    /// Code in this process.
    #[default]
    Custom,
    /// A tool of an MCP server.
    Mcp {
        /// The server's name in the configuration.
        server: String,
    },
}

impl ToolOutput {
    /// The same result with something for programs beside it.
    #[must_use]
    pub fn with_artifact(mut self, artifact: Value) -> Self {
        self.artifact = Some(artifact);
        self
    }
}

impl From<Value> for ToolOutput {
    fn from(value: Value) -> Self {
        Self {
            value,
            artifact: None,
        }
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        Value::String(text).into()
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned()).into()
    }
}
