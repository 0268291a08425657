//! The options of a gateway.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;

use haft_agent::{AttemptStore, Routing, ToolSelection};
use haft_tools::{ApprovalMode, ToolManager};

use crate::access::KeyStore;
use crate::limits::GatewayLimits;
use crate::overrides::Overrides;
use crate::tls::TlsFiles;

/// The options of a gateway.
#[derive(Clone)]
#[non_exhaustive]
pub struct GatewayOptions {
    /// The address to listen on: 127.0.0.1:11435, next to Ollama's port.
    pub listen: SocketAddr,
    /// The key that clients must send. Required for any address other than loopback.
    pub token: Option<String>,
    /// The keys of users and applications, with their limits. As soon as there is one, requests need
    /// a key or the token.
    pub keys: Option<KeyStore>,
    /// The certificate for HTTPS; without it the gateway speaks HTTP.
    pub tls: Option<TlsFiles>,
    /// The origins of web pages that may use the gateway, such as `https://chat.example.org`.
    pub allowed_origins: Vec<String>,
    /// The default for requests and replies, unless the model or the request overrides it.
    pub overrides: Overrides,
    /// Overrides for single models, by the name that clients use.
    pub models: HashMap<String, Overrides>,
    /// Tools that run at the gateway; the model is offered them in addition to the client's. With
    /// [`ToolManager::add_servers`], each request uses the current tools of the servers.
    pub tools: ToolManager,
    /// Which calls of these tools are refused, because nobody can approve them: by default those
    /// that may destroy something or have a high impact. With `Never` all run, with `Always` none.
    pub approval: ApprovalMode,
    /// How tools are selected where selection is switched on.
    pub selection: ToolSelection,
    /// Whether the local command engine reads requests before the model, where replies are repaired:
    /// by default for models that are too small to choose tools.
    pub routing: Routing,
    /// How many requests and connections there may be.
    pub limits: GatewayLimits,
    /// Whether clients may change the models of the servers: pull, push, create, copy and delete;
    /// false by default.
    pub admin: bool,
    /// Whether the page at `/` shows the messages and replies of the latest requests, which the
    /// gateway keeps in memory for it. By default only for requests without the key of a user, and
    /// only if the gateway listens on loopback.
    pub page_content: Option<bool>,
    /// The store in which the requests that haft repairs are counted, by what came of the first reply
    /// and of each recovery step; none by default.
    pub attempts: Option<AttemptStore>,
    /// The store of the durable runs that clients begin and watch; none by default. Workers answer
    /// them, not the gateway.
    #[cfg(feature = "durable")]
    pub runs: Option<haft_durable::DurableStore>,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 11435)),
            token: None,
            keys: None,
            tls: None,
            allowed_origins: Vec::new(),
            overrides: Overrides::default(),
            models: HashMap::new(),
            tools: ToolManager::new(),
            approval: ApprovalMode::default(),
            selection: ToolSelection::default(),
            routing: Routing::default(),
            limits: GatewayLimits::default(),
            admin: false,
            page_content: None,
            attempts: None,
            #[cfg(feature = "durable")]
            runs: None,
        }
    }
}

impl fmt::Debug for GatewayOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GatewayOptions")
            .field("listen", &self.listen)
            .field("token", &self.token.as_ref().map(|_| "set"))
            .field("keys", &self.keys)
            .field("tls", &self.tls)
            .field("allowed_origins", &self.allowed_origins)
            .field("overrides", &self.overrides)
            .field("models", &self.models)
            .field("tools", &self.tools.get_tools().len())
            .field("approval", &self.approval)
            .field("routing", &self.routing)
            .field("limits", &self.limits)
            .field("admin", &self.admin)
            .field("page_content", &self.page_content)
            .finish_non_exhaustive()
    }
}
