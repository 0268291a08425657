//! The executor: answers every tool call, whatever goes wrong.
//!
//! The path of a call: the tool is looked up, the arguments are coerced and validated (`prepared`),
//! approval is requested (`judging`), and the tool runs (`running`) within its time limit
//! (`limits`). `answering` takes all calls of a reply that way. The limits are in `options`. [`crate::results`] turns a result into text, [`crate::friendly`] an error into a
//! sentence, and [`crate::round`] makes tool messages of both.

mod answering;
mod judging;
mod limits;
mod options;
mod prepared;
mod running;

use std::fmt;
use std::sync::{Arc, OnceLock};

use haft_core::{CallRepair, Tool, ToolCall, ToolError, ToolErrorKind, ToolOutput};
use haft_schema::CompiledSchema;
use tracing::{debug, warn};

pub use self::options::ExecutorOptions;
use self::prepared::{Prepared, compiled};
use crate::approval::Approve;
use crate::error::ToolsError;
use crate::manager::ToolManager;
use crate::redact::redacted;

/// Runs tools. Cheap to clone; all clones share the same tools.
#[derive(Clone)]
pub struct ToolExecutor {
    shared: Arc<Shared>,
}

/// A call as its tool receives it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckedCall {
    /// The call with the tool's own name and valid arguments.
    pub call: ToolCall,
    /// What was changed in the arguments.
    pub repairs: Vec<CallRepair>,
}

impl CheckedCall {
    /// The call as it was written.
    #[must_use]
    pub fn unchanged(call: ToolCall) -> Self {
        Self {
            call,
            repairs: Vec::new(),
        }
    }
}

struct Shared {
    tools: ToolManager,
    /// One schema per tool, compiled at its first call, because a home with hundreds of tools uses
    /// only a few.
    schemas: Vec<OnceLock<Option<Arc<CompiledSchema>>>>,
    options: ExecutorOptions,
    approve: Option<Approve>,
}

impl ToolExecutor {
    /// An executor for `tools` with the default limits. All calls run without approval.
    #[must_use]
    pub fn new(tools: ToolManager) -> Self {
        Self::with_options(tools, ExecutorOptions::default(), None)
    }

    /// An executor with custom limits and an optional callback that approves each call.
    #[must_use]
    pub fn with_options(
        tools: ToolManager,
        options: ExecutorOptions,
        approve: Option<Approve>,
    ) -> Self {
        let schemas = tools.get_tools().iter().map(|_| OnceLock::new()).collect();
        Self {
            shared: Arc::new(Shared {
                tools,
                schemas,
                options,
                approve,
            }),
        }
    }

    /// An executor with one more tool.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Tool`](crate::ToolsErrorKind::Tool) when its name is taken.
    pub fn with_tool(&self, tool: Arc<dyn Tool>) -> Result<Self, ToolsError> {
        let Shared {
            tools,
            options,
            approve,
            ..
        } = self.shared.as_ref();
        let mut tools = tools.clone();
        tools.add(tool)?;
        Ok(Self::with_options(tools, *options, approve.clone()))
    }

    /// An executor with the current tools of its servers; `None` if nothing changed. See
    /// [`ToolManager::refreshed`].
    #[must_use]
    pub fn refreshed(&self, begins: bool) -> Option<Self> {
        let Shared {
            tools,
            options,
            approve,
            ..
        } = self.shared.as_ref();
        let tools = tools.refreshed(begins)?;
        Some(Self::with_options(tools, *options, approve.clone()))
    }

    /// The limits of this executor.
    #[must_use]
    pub fn options(&self) -> ExecutorOptions {
        self.shared.options
    }

    /// The tools that this executor runs.
    #[must_use]
    pub fn tools(&self) -> &ToolManager {
        &self.shared.tools
    }

    /// Runs one call by itself, without events.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] whose message is for the model.
    pub async fn execute(&self, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let prepared = self.prepare(call).await?;
        self.invoke(&prepared).await
    }

    /// The call as its tool would receive it: with the tool's own name and repaired, validated
    /// arguments. Nothing runs and no approval is requested.
    ///
    /// # Errors
    ///
    /// The [`ToolError`] that the model would read in place of a result.
    pub fn check(&self, call: &ToolCall) -> Result<CheckedCall, ToolError> {
        let Prepared {
            tool,
            call,
            coercions,
        } = self.checked(call)?;
        let name = tool.name().to_owned();
        Ok(CheckedCall {
            call: ToolCall { name, ..call },
            repairs: coercions,
        })
    }

    /// Looks up the tool, repairs and validates the arguments, and asks for approval.
    async fn prepare(&self, call: &ToolCall) -> Result<Prepared, ToolError> {
        let checked = match &self.shared.approve {
            None => self.checked(call),
            Some(_) => self.checked_now(call).await,
        };
        let prepared = checked.inspect_err(|error| self.log_refusal(call, error))?;
        let Prepared {
            tool,
            call,
            coercions,
        } = &prepared;
        for coercion in coercions {
            debug!(
                tool = call.name,
                coercion = coercion.what,
                "arguments repaired"
            );
        }
        if let Some(approve) = &self.shared.approve {
            self.ask(approve, call, tool).await?;
        }
        Ok(prepared)
    }

    fn log_refusal(&self, call: &ToolCall, error: &ToolError) {
        let tool = &call.name;
        if error.kind() == ToolErrorKind::UnknownTool {
            let tools = self.tools().get_tools().iter();
            let available: Vec<_> = tools.map(Tool::name).collect();
            warn!(tool, available = available.join(", "), "unknown tool");
        } else {
            let arguments = redacted(&call.args);
            warn!(tool, arguments, %error, "invalid arguments");
        }
    }

    /// Looks up the tool, repairs and validates the arguments.
    fn checked(&self, call: &ToolCall) -> Result<Prepared, ToolError> {
        let (index, tool) = self.found(call)?;
        Prepared::new(call, tool, self.schema(index, tool.as_ref()), self.tools())
    }

    /// The called tool and its index.
    fn found(&self, call: &ToolCall) -> Result<(usize, &Arc<dyn Tool>), ToolError> {
        let tools = &self.shared.tools;
        let position = tools.position(&call.name);
        let found = position.and_then(|index| Some((index, tools.get_tools().get(index)?)));
        found.ok_or_else(|| {
            let sentence = format!("Unknown tool \"{}\"", call.name);
            ToolError::of_kind(ToolErrorKind::UnknownTool, sentence)
        })
    }

    fn schema(&self, index: usize, tool: &dyn Tool) -> Option<&CompiledSchema> {
        self.shared
            .schemas
            .get(index)?
            .get_or_init(|| compiled(tool))
            .as_deref()
    }
}

impl fmt::Debug for ToolExecutor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolExecutor")
            .field("tools", &self.shared.tools)
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
