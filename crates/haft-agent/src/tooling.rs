//! The tools of an agent, and how they are bound: what a question finds, and keeps to its end.

use std::sync::Arc;

use haft_core::ChatModel;
use haft_tools::ToolExecutor;

use crate::error::AgentError;
use crate::selection::{ToolSelection, Toolsets};

/// All tools as of one moment.
#[derive(Debug)]
pub(crate) struct Tooling {
    pub(crate) executor: ToolExecutor,
    pub(crate) toolsets: Toolsets,
    /// The tools without those of the selection itself.
    given: ToolExecutor,
}

impl Tooling {
    /// Binds the tools of an executor.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        given: ToolExecutor,
        selection: Option<&ToolSelection>,
    ) -> Result<Self, AgentError> {
        let kept = given.clone();
        let (toolsets, executor) = Toolsets::new(model, given, selection)?;
        Ok(Self {
            executor,
            toolsets,
            given: kept,
        })
    }

    /// The same with what servers have by now, where that is something else. In a conversation
    /// tools are only added; what is gone is left out where one `begins`.
    pub(crate) fn refreshed(
        &self,
        model: &Arc<dyn ChatModel>,
        selection: Option<&ToolSelection>,
        begins: bool,
    ) -> Option<Self> {
        let given = self.given.refreshed(begins)?;
        let tools = given.tools().get_tools().len();
        tracing::info!(tools, "tool servers have other tools now");
        Self::new(model, given, selection)
            .inspect_err(|error| tracing::warn!(%error, "the earlier tools stay bound"))
            .ok()
    }
}
