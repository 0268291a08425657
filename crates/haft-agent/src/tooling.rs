//! The tools of an agent at one moment, and the selection of them that a question is offered.

use std::sync::Arc;

use haft_core::{ChatModel, Emitter, Event, Message, ModelError};
use haft_tools::ToolExecutor;

use crate::error::AgentError;
use crate::options::tool_selection::ToolSelection;
use crate::selection::{Toolset, Toolsets};

/// All tools at one moment; a question keeps them to its end.
#[derive(Debug)]
pub(crate) struct Tooling {
    pub(crate) executor: ToolExecutor,
    pub(crate) toolsets: Toolsets,
    /// The tools without `search_tools`, which the selection adds.
    pub(crate) given: ToolExecutor,
}

impl Tooling {
    /// Binds the tools of an executor.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        given: ToolExecutor,
        selection: Option<&ToolSelection>,
        is_small_model: bool,
    ) -> Result<Self, AgentError> {
        let (toolsets, executor) = Toolsets::new(model, given.clone(), selection, is_small_model)?;
        Ok(Self {
            executor,
            toolsets,
            given,
        })
    }

    /// The tools as the MCP servers list them now; `None` if nothing changed. Only a new
    /// conversation drops tools that are gone; one that goes on keeps them.
    pub(crate) fn refreshed(
        &self,
        model: &Arc<dyn ChatModel>,
        selection: Option<&ToolSelection>,
        is_new_conversation: bool,
    ) -> Option<Self> {
        let given = self.given.refreshed(is_new_conversation)?;
        let tools = given.tools().get_tools().len();
        tracing::info!(tools, "tool servers have other tools now");
        Self::new(model, given, selection, self.toolsets.is_small_model)
            .inspect_err(|error| tracing::warn!(%error, "the earlier tools stay bound"))
            .ok()
    }
}

/// The tools of one question: all there are, and those that the model is offered now.
#[derive(Debug)]
pub(crate) struct QuestionTools {
    pub(crate) all: Arc<Tooling>,
    pub(crate) offered: Arc<Toolset>,
}

impl QuestionTools {
    /// Offers all tools, until [`choose`](Self::choose) selects some.
    pub(crate) fn new(all: Arc<Tooling>) -> Self {
        Self {
            offered: all.toolsets.whole.clone(),
            all,
        }
    }

    /// Selects the tools of a conversation and reports those left out.
    pub(crate) async fn choose(
        &mut self,
        conversation: &[Message],
        events: &Emitter<Event>,
    ) -> Result<(), ModelError> {
        let chosen = self.all.toolsets.choose(conversation)?;
        self.offered = chosen.toolset;
        if chosen.left_out.is_empty() {
            return Ok(());
        }
        let reason = chosen.reason.unwrap_or_default();
        let bound = self.offered.names.clone();
        let whole = self.all.toolsets.whole.tokens;
        let tokens_saved = whole.saturating_sub(self.offered.tokens);
        tracing::info!(
            reason,
            tokens_saved,
            bound = bound.join(", "),
            "tools chosen"
        );
        let left_out = chosen.left_out;
        let event = Event::ToolsChosen {
            bound,
            left_out,
            reason,
            tokens_saved,
        };
        events.emit(event).await;
        Ok(())
    }
}
