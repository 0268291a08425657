//! How a gateway goes about its work.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;

use haft_agent::ToolSelection;
use haft_tools::{ApprovalMode, ToolManager};

use crate::overrides::Overrides;

/// How a gateway goes about its work.
#[derive(Clone)]
#[non_exhaustive]
pub struct GatewayOptions {
    /// Where it listens: 127.0.0.1:11435, beside Ollama.
    pub listen: SocketAddr,
    /// What clients must send as their key. Needed to listen anywhere but on the own machine.
    pub token: Option<String>,
    /// What is done to requests and replies, where neither the model nor the request says more.
    pub overrides: Overrides,
    /// What is done for single models, by the name that clients use.
    pub models: HashMap<String, Overrides>,
    /// Tools that run at the gateway; the model is offered them beside the client's. Those of
    /// [`ToolManager::add_servers`] are the ones that the servers have when a request comes.
    pub tools: ToolManager,
    /// Which calls of these tools are refused, because nobody can be asked: those that may destroy
    /// something or have a high impact. With `Never` all run, with `Always` none.
    pub approval: ApprovalMode,
    /// How tools are chosen where that is switched on.
    pub selection: ToolSelection,
    /// Whether clients may change what the model servers have: pull, push, create, copy and delete
    /// models; no by default.
    pub admin: bool,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 11435)),
            token: None,
            overrides: Overrides::default(),
            models: HashMap::new(),
            tools: ToolManager::new(),
            approval: ApprovalMode::default(),
            selection: ToolSelection::default(),
            admin: false,
        }
    }
}

impl fmt::Debug for GatewayOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GatewayOptions")
            .field("listen", &self.listen)
            .field("token", &self.token.as_ref().map(|_| "set"))
            .field("overrides", &self.overrides)
            .field("models", &self.models)
            .field("tools", &self.tools.get_tools().len())
            .field("approval", &self.approval)
            .field("admin", &self.admin)
            .finish_non_exhaustive()
    }
}
