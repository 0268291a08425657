//! What all clones, sessions and questions of an agent share.

use std::sync::{Arc, Mutex, PoisonError};

use haft_core::ChatModel;
#[cfg(feature = "mcp")]
use haft_mcp::McpServers;

use crate::attempts::metrics::SharedMetrics;
use crate::options::AgentOptions;
use crate::selection::Toolsets;

/// The model, the tools, the options and the counters of an agent.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// Whether the model has a router in front of it.
    pub(crate) is_routed: bool,
    /// Replaced when an MCP server lists other tools than before.
    pub(crate) toolsets: Mutex<Arc<Toolsets>>,
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
    pub(crate) fn refresh_tools(&self, is_new_conversation: bool) -> Arc<Toolsets> {
        let toolsets = self.toolsets.lock();
        let mut toolsets = toolsets.unwrap_or_else(PoisonError::into_inner);
        let selection = self.options.selection.as_ref();
        if let Some(now) = toolsets.refreshed(selection, is_new_conversation) {
            *toolsets = Arc::new(now);
        }
        Arc::clone(&toolsets)
    }

    /// The tools as of the last question.
    pub(crate) fn tools(&self) -> Arc<Toolsets> {
        let toolsets = self.toolsets.lock();
        Arc::clone(&toolsets.unwrap_or_else(PoisonError::into_inner))
    }
}
