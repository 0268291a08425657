//! What all clones, sessions and questions of an agent share.

use std::sync::{Arc, Mutex, PoisonError};

use haft_core::ChatModel;
#[cfg(feature = "mcp")]
use haft_mcp::McpServers;

use crate::attempts::metrics::SharedMetrics;
use crate::options::AgentOptions;
use crate::tooling::Tooling;

/// The model, the tools, the options and the counters of an agent.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// Whether the model has a router in front of it.
    pub(crate) is_routed: bool,
    /// Replaced when an MCP server lists other tools than before.
    pub(crate) tooling: Mutex<Arc<Tooling>>,
    pub(crate) options: AgentOptions,
    pub(crate) metrics: SharedMetrics,
    /// Kept alive because dropping it ends the servers.
    #[cfg(feature = "mcp")]
    pub(crate) servers: McpServers,
}

impl Shared {
    /// The name under which questions are recorded. A routed model has a record of its own: what
    /// the engine answers says nothing about the model.
    pub(crate) fn recorded_name(&self) -> String {
        let id = self.model.id();
        if self.is_routed {
            format!("{id} (routed)")
        } else {
            id.to_owned()
        }
    }

    /// The tools for a question, as the servers list them now. Only a new conversation loses
    /// tools that are gone; one that goes on keeps them.
    pub(crate) fn refresh_tooling(&self, is_new_conversation: bool) -> Arc<Tooling> {
        let tooling = self.tooling.lock();
        let mut tooling = tooling.unwrap_or_else(PoisonError::into_inner);
        if let Some(now) = tooling.refreshed(
            &self.model,
            self.options.selection.as_ref(),
            is_new_conversation,
        ) {
            *tooling = Arc::new(now);
        }
        Arc::clone(&tooling)
    }

    /// The tools as of the last question.
    pub(crate) fn tooling(&self) -> Arc<Tooling> {
        let tooling = self.tooling.lock();
        Arc::clone(&tooling.unwrap_or_else(PoisonError::into_inner))
    }
}
