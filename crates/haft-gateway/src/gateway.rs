//! Listens, serves, and ends without losing what is under way.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use haft_agent::{CallDue, ToolSelection};
use haft_core::Tool;
use haft_select::ToolChooser;
use haft_tools::{ApprovalMode, ToolManager};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::agents::Agents;
use crate::answer::Answer;
use crate::connections::Connections;
use crate::error::{GatewayError, GatewayErrorKind};
use crate::guard::Guard;
use crate::kept::Kept;
use crate::metrics::Metrics;
use crate::routes::answer;
use crate::switches::Switches;
use crate::upstreams::Upstreams;

/// How long replies that are under way may take when the gateway ends.
const DRAIN: Duration = Duration::from_secs(10);

/// So many requests are answered at the same time; more are turned away.
pub(crate) const IN_FLIGHT: usize = 1024;

/// How a gateway goes about its work.
#[derive(Clone)]
#[non_exhaustive]
pub struct GatewayOptions {
    /// Where it listens: 127.0.0.1:11435, beside Ollama.
    pub listen: SocketAddr,
    /// What clients must send as their key. Needed to listen anywhere but on the own machine.
    pub token: Option<String>,
    /// What is done to requests and replies, where neither the model nor the request says more.
    pub switches: Switches,
    /// What is done for single models, by the name that clients use.
    pub models: HashMap<String, Switches>,
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
            switches: Switches::default(),
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
            .field("switches", &self.switches)
            .field("models", &self.models)
            .field("tools", &self.tools.get_tools().len())
            .field("approval", &self.approval)
            .field("admin", &self.admin)
            .finish_non_exhaustive()
    }
}

/// What every request can look at.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) upstreams: Upstreams,
    pub(crate) admin: bool,
    pub(crate) guard: Guard,
    pub(crate) room: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
    tools: Mutex<ToolManager>,
    pub(crate) approval: ApprovalMode,
    pub(crate) selection: ToolSelection,
    /// Tells which questions surely call for a tool.
    pub(crate) call_due: CallDue,
    pub(crate) kept: Kept,
    pub(crate) agents: Agents,
    switches: Switches,
    models: HashMap<String, Switches>,
}

impl Shared {
    /// Whether there may be models to whose replies nothing is done.
    pub(crate) fn may_pass(&self, request: Switches) -> bool {
        !request.or(self.switches).repairs() || !self.models.is_empty()
    }

    /// What holds for a request with these switches.
    pub(crate) fn switches_for(&self, model: &str, request: Switches) -> Switches {
        let model = self.models.get(model).copied().unwrap_or_default();
        request.or(model).or(self.switches)
    }

    /// The tools that run here, as their servers have them by now.
    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        // Clients keep their conversations: what is gone stays for none of them.
        if let Some(now) = tools.refreshed(true) {
            *tools = now;
        }
        tools.get_tools().to_vec()
    }
}

/// A gateway that listens and does not answer yet.
#[derive(Debug)]
pub struct Gateway {
    pub(crate) connections: Connections,
    pub(crate) answer: Answer,
}

impl Gateway {
    /// Begins to listen, before one [`ModelServer`](haft_models::ModelServer) or several.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] for an address beyond this machine without a token,
    /// [`GatewayErrorKind::Listen`] when the address is taken.
    pub async fn bind(
        upstreams: impl Into<Upstreams>,
        options: GatewayOptions,
    ) -> Result<Self, GatewayError> {
        let (listener, token) = listen(options.listen, options.token, "models", "--listen").await?;
        let upstreams = upstreams.into();
        let shared = Shared {
            metrics: Metrics::new(Upstreams::clone(&upstreams)),
            upstreams,
            admin: options.admin,
            guard: Guard::new(token),
            room: Arc::new(Semaphore::new(IN_FLIGHT)),
            tools: Mutex::new(options.tools),
            approval: options.approval,
            call_due: call_due(&options.selection),
            selection: options.selection,
            kept: Kept::default(),
            agents: Agents::default(),
            switches: options.switches,
            models: options.models,
        };
        Ok(Self {
            connections: Connections::of(listener),
            answer: answer(Arc::new(shared)),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Listen`] when the system does not tell.
    pub fn address(&self) -> Result<SocketAddr, GatewayError> {
        let unknown = |error| GatewayError::new(GatewayErrorKind::Listen, format!("{error}"));
        self.connections.address().map_err(unknown)
    }

    /// Serves until `end` is over, then until what is under way is, at most ten seconds. A socket
    /// that fails is waited for.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        if !self.connections.serve(self.answer, end, DRAIN).await {
            tracing::warn!("replies under way were cut off");
        }
    }
}

/// Begins to listen at `address`, which `flag` chooses, and gives the token that clients of `what`
/// must send.
pub(crate) async fn listen(
    address: SocketAddr,
    token: Option<String>,
    what: &str,
    flag: &str,
) -> Result<(TcpListener, Option<String>), GatewayError> {
    let token = token.filter(|token| !token.trim().is_empty());
    if !address.ip().is_loopback() && token.is_none() {
        let message = format!("Whoever reaches {address} could use the {what} without a key");
        return Err(GatewayError::new(GatewayErrorKind::Configuration, message)
            .with_hint("give a token with --token, or listen on 127.0.0.1"));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let message = format!("The gateway cannot listen at {address}: {error}");
        GatewayError::new(GatewayErrorKind::Listen, message).with_hint(format!(
            "choose another address with {flag}, such as 127.0.0.1:0"
        ))
    })?;
    Ok((listener, token))
}

/// What a question is about is found out when a model talks in place of a call, and only then.
fn call_due(selection: &ToolSelection) -> CallDue {
    let tiers = selection.tiers.clone();
    CallDue::new(move |question, tools| {
        ToolChooser::new(tiers.clone(), tools.to_vec()).is_call_due(question)
    })
}
