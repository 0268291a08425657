//! The trait [`Tool`], with its input, output and annotations.
//!
//! A tool is a name, a description, a JSON Schema and one async function. Functions of a program,
//! tools of MCP servers and the Z-Wave tools all are this trait, and everything that handles tools
//! takes `Arc<dyn Tool>`: there is no second registry and no conversion.
//!
//! A tool only does its work. Its caller is the executor in `haft-tools`, which has checked the
//! arguments against the schema, asked for approval, and holds the timeout; a tool that is
//! cancelled is dropped at its next await. A tool reports failure as a
//! [`ToolError`], whose message is written for the model to read.
//!
//! [`ToolAnnotations`] are claims of the tool about itself, such as "read-only". They are only
//! believed where the tool's origin is trusted.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Arguments, ToolError};

/// An action that a model can request: a function of the program, or a tool of an MCP server.
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
    /// The name, unique among the tools of an agent.
    fn name(&self) -> &str;

    /// A second name that calls may use; model servers are sent this one instead of `name`.
    fn lc_name(&self) -> Option<&str> {
        None
    }

    /// What the tool does and when to use it, for the model.
    fn description(&self) -> &str;

    /// JSON Schema of the arguments: an object schema, or `null` for no arguments.
    fn schema(&self) -> &Value;

    /// The tool's effects as its author describes them. Hints of an MCP server are untrusted.
    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations::default()
    }

    /// The effects of one call with these arguments. A tool that controls both lights and locks
    /// can report that only the latter is destructive. Used only when calls need approval.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] when the call cannot work at all, for example because the home is not
    /// reachable. The model reads the error, and no approval is requested.
    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        let _ = input;
        Ok(self.annotations())
    }

    /// The current definition of a tool that has changed since it was listed, which can happen
    /// with MCP servers; `None` when it has not changed. Used only when calls need approval, so
    /// that the approved tool is the one that runs.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] when the tool is gone or its definition cannot be read. The model reads the
    /// error, and nothing runs.
    async fn current(&self) -> Result<Option<Arc<dyn Tool>>, ToolError> {
        Ok(None)
    }

    /// The effect of a call with these arguments, shown to the user who approves it, such as
    /// "unlock Front Door"; `None` when the tool's description says enough.
    async fn effect_of(&self, input: &ToolInput) -> Option<String> {
        let _ = input;
        None
    }

    /// The origin of the tool.
    fn source(&self) -> ToolSource {
        ToolSource::Custom
    }

    /// The time limit of one call; `None` for the executor's default.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Runs the tool. Dropping the future cancels the call.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] whose message the model reads.
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError>;
}

/// Forwards to the shared tool.
#[async_trait]
impl<T: Tool + ?Sized> Tool for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn lc_name(&self) -> Option<&str> {
        (**self).lc_name()
    }

    fn description(&self) -> &str {
        (**self).description()
    }

    fn schema(&self) -> &Value {
        (**self).schema()
    }

    fn annotations(&self) -> ToolAnnotations {
        (**self).annotations()
    }

    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        (**self).annotations_of(input).await
    }

    async fn current(&self) -> Result<Option<Arc<dyn Tool>>, ToolError> {
        (**self).current().await
    }

    async fn effect_of(&self, input: &ToolInput) -> Option<String> {
        (**self).effect_of(input).await
    }

    fn source(&self) -> ToolSource {
        (**self).source()
    }

    fn timeout(&self) -> Option<Duration> {
        (**self).timeout()
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        (**self).invoke(input).await
    }
}

/// The input of one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolInput {
    /// The arguments, coerced and validated against the tool's schema.
    pub input: Arguments,
    /// The idempotency key of the call in a durable run. A call that is repeated because its result
    /// was lost has the key of the first attempt, so that a tool can act once per key.
    pub idempotency_key: Option<String>,
}

impl From<Arguments> for ToolInput {
    fn from(input: Arguments) -> Self {
        Self {
            input,
            idempotency_key: None,
        }
    }
}

/// The result of one call: a value for the model and, optionally, an artifact for programs.
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
    /// The result for the model: a string unchanged, any other value as JSON.
    pub value: Value,
    /// Data for programs, such as a picture; kept on the `ToolMessage`, not sent to the model.
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
    /// Repeating a call has no further effect.
    #[serde(default)]
    pub idempotent: bool,
    /// Calls of the tool must not overlap with any other call of the round.
    #[serde(default)]
    pub sequential: bool,
}

/// The origin of a tool.
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
    /// Adds data for programs to the result.
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

#[cfg(test)]
mod tests;
