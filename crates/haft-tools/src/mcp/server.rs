//! One server for as long as it is wanted: started, started again when it died, and ended.
//!
//! A call finds the connection open, or opens it. Only one start runs at a time, whoever asks;
//! it goes on where the one who asked has left. What is left of a dead server is killed before
//! the next is started, so that a server that keeps dying leaves no crowd behind.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, SubscriptionFilter};
use rmcp::service::{Peer, RoleClient, ServiceError};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use super::cache::{Cache, Known};
use super::call::{CallError, CallLimits, call};
use super::config::Endpoint;
use super::connect::{Connected, Knowledge};
use super::connection::{Connection, Service};
use super::definition::{Admitted, changed};
use super::era::Era;
use super::failure::Problem;
use super::list;
use super::options::McpOptions;
use super::silence::{Awaited, Silence};
use super::starts::Starts;
use super::tool::McpTool;

/// Servers tell of every single tool that comes or goes, and often of many at once.
const LIST_PAUSE: Duration = Duration::from_millis(50);

/// A server and what is known of it.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) options: Arc<McpOptions>,
    /// Calls that it did not answer.
    pub(crate) silence: Silence,
    connection: RwLock<Option<Arc<Connection>>>,
    /// Held while it starts.
    starts: tokio::sync::Mutex<Starts>,
    tools: RwLock<Vec<Arc<McpTool>>>,
    /// How often the list of tools has become another.
    changes: AtomicU64,
    /// Where it is remembered, if anywhere.
    cache: Option<Cache>,
    /// What is odd about them.
    warnings: RwLock<Vec<String>>,
    is_closed: watch::Sender<bool>,
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum ServerError {
    /// The server could not be reached at all.
    Down(Problem),
    /// It has no such tool any more.
    Gone,
    Call(CallError),
}

impl Server {
    /// A server that is not started yet. One that is remembered in `cache` has its tools already.
    pub(crate) fn new(
        name: &str,
        endpoint: &Endpoint,
        options: Arc<McpOptions>,
        cache: Option<Cache>,
    ) -> Arc<Self> {
        let known = cache.as_ref().and_then(|cache| cache.load(name));
        let knowledge = known
            .as_ref()
            .map_or(Knowledge::Nothing, |known| Knowledge::Remembered(known.era));
        let server = Arc::new(Self {
            name: name.to_owned(),
            endpoint: endpoint.clone(),
            options,
            silence: Silence::default(),
            connection: RwLock::default(),
            starts: tokio::sync::Mutex::new(Starts::with(knowledge)),
            tools: RwLock::default(),
            changes: AtomicU64::default(),
            cache,
            warnings: RwLock::default(),
            is_closed: watch::Sender::new(false),
        });
        if let Some(known) = known {
            server.set_tools(&known.tools);
        }
        server
    }

    /// Its tools as last seen, in its order.
    pub(crate) fn tools(&self) -> Vec<Arc<McpTool>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.clone()
    }

    /// How often the list of tools has become another since the server is known.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    fn has(&self, tool: &str) -> bool {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.iter().any(|known| known.at_server().1 == tool)
    }

    /// Whether nobody wants it any more.
    pub(crate) fn is_closed(&self) -> bool {
        *self.is_closed.borrow()
    }

    /// Calls one of its tools, by the name that the server knows.
    pub(crate) async fn call(
        self: &Arc<Self>,
        params: CallToolRequestParams,
    ) -> Result<CallToolResult, ServerError> {
        let connection = self.connection().await.map_err(ServerError::Down)?;
        if !self.has(&params.name) {
            return Err(ServerError::Gone);
        }
        let limits = CallLimits {
            silent: self.options.call_timeout,
            total: self.options.total_call_timeout,
        };
        let awaited = Awaited::new(self, &connection);
        let result = call(&connection, params, limits).await;
        awaited.ended(&result);
        if let Err(CallError::Service(ServiceError::TransportSend(_))) = &result
            && connection.is_child()
        {
            // A child that reads nothing any more: the next call finds another.
            connection.kill();
        }
        result.map_err(ServerError::Call)
    }

    /// The connection, opened where there is none.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Problem> {
        if let Some(connection) = self.open_connection() {
            return Ok(connection);
        }
        let server = Arc::clone(self);
        // Not part of the call: who gives up the call does not give up the start.
        let starting = tokio::spawn(async move { server.open().await });
        starting
            .await
            .unwrap_or_else(|_| Err(Problem::new("its start was broken off")))
    }

    fn open_connection(&self) -> Option<Arc<Connection>> {
        let connection = self.connection.read();
        let connection = connection.unwrap_or_else(PoisonError::into_inner);
        connection.as_ref().filter(|open| open.is_open()).cloned()
    }

    fn replace_connection(&self, new: Option<Arc<Connection>>) -> Option<Arc<Connection>> {
        let connection = self.connection.write();
        std::mem::replace(
            &mut *connection.unwrap_or_else(PoisonError::into_inner),
            new,
        )
    }

    async fn open(self: &Arc<Self>) -> Result<Arc<Connection>, Problem> {
        let mut closed = self.is_closed.subscribe();
        let opening = async {
            let mut starts = self.starts.lock().await;
            if let Some(connection) = self.open_connection() {
                return Ok(connection);
            }
            starts.may_be_tried()?;
            if let Some(dead) = self.replace_connection(None) {
                tracing::warn!(server = self.name, "MCP server is gone: starting it again");
                dead.kill();
            }
            let (name, endpoint) = (&self.name, &self.endpoint);
            let started = starts.start(name, endpoint, &self.options).await;
            if let (Err(_), Some(cache)) = (&started, &self.cache) {
                cache.forget();
            }
            started.map(|connected| self.adopt(connected))
        };
        tokio::select! {
            biased;
            _ = closed.wait_for(|closed| *closed) => Err(Problem::new("it was shut down")),
            opened = opening => opened,
        }
    }

    /// Takes over what has been started.
    fn adopt(self: &Arc<Self>, connected: Connected) -> Arc<Connection> {
        let connection = Arc::new(connected.connection);
        self.learn(connected.era, connected.tools);
        self.replace_connection(Some(Arc::clone(&connection)));
        if self.is_closed() {
            // Closed in the meantime: nobody else will end it.
            connection.kill();
        }
        if connected.era == Era::Modern {
            let peer = connection.peer.clone();
            tokio::spawn(subscribe(peer, Arc::clone(&connected.list_changed)));
        }
        let server = Arc::clone(self);
        let following = Arc::clone(&connection);
        tokio::spawn(async move {
            server
                .follow(&following, connected.era, &connected.list_changed)
                .await;
        });
        connection
    }

    /// Takes over a new list, and remembers it where it is another.
    fn learn(self: &Arc<Self>, era: Era, definitions: Vec<rmcp::model::Tool>) {
        if !self.set_tools(&definitions) {
            return;
        }
        if let Some(cache) = &self.cache {
            // Some kilobytes, and whoever ends next finds them.
            cache.save(&self.name, &Known::new(era, definitions));
        }
    }

    /// True where something has changed. A tool that is as it was stays the same object.
    pub(crate) fn set_tools(self: &Arc<Self>, definitions: &[rmcp::model::Tool]) -> bool {
        if self.is_closed() {
            return false;
        }
        let Admitted {
            tools: definitions,
            mut warnings,
        } = Admitted::of(definitions, self.endpoint.rules());
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let known = tools.iter().map(|tool| tool.definition());
        warnings.extend(changed(known, &definitions));
        self.warn(warnings);
        if tools.iter().map(|tool| tool.definition()).eq(&definitions) {
            // A list without tools is worth to be remembered too, once.
            return tools.is_empty();
        }
        *tools = definitions
            .iter()
            .map(|definition| {
                let same = tools.iter().find(|tool| tool.definition() == definition);
                same.map_or_else(
                    || Arc::new(McpTool::new(self, definition.clone())),
                    Arc::clone,
                )
            })
            .collect();
        self.changes.fetch_add(1, Ordering::Release);
        true
    }

    /// Tells what is odd about its tools, unless that was told already.
    fn warn(&self, warnings: Vec<String>) {
        let mut known = self
            .warnings
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for warning in warnings.iter().filter(|warning| !known.contains(warning)) {
            tracing::warn!(server = self.name, "{warning}");
        }
        *known = warnings;
    }

    /// What is odd about its tools.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let warnings = self.warnings.read().unwrap_or_else(PoisonError::into_inner);
        warnings.clone()
    }

    /// The revision of the protocol that is spoken with it, while it runs.
    pub(crate) fn protocol(&self) -> Option<String> {
        let info = self.open_connection()?.peer.peer_info()?;
        Some(info.protocol_version.to_string())
    }

    /// Reads the list anew whenever it has changed, as long as the connection lasts.
    async fn follow(self: &Arc<Self>, connection: &Connection, era: Era, changed: &Notify) {
        let mut closed = self.is_closed.subscribe();
        loop {
            tokio::select! {
                () = changed.notified() => {}
                () = connection.ended() => return,
                _ = closed.wait_for(|closed| *closed) => return,
            }
            sleep(LIST_PAUSE).await;
            let listing = list::list(&connection.peer, &self.name);
            match timeout(self.options.start_timeout, listing).await {
                Ok(Ok(tools)) => {
                    tracing::debug!(server = self.name, tools = tools.len(), "MCP tools changed");
                    self.learn(era, tools);
                }
                Ok(Err(error)) => tracing::warn!(server = self.name, %error, "no list of tools"),
                Err(_) => tracing::warn!(server = self.name, "no list of tools in time"),
            }
            if !connection.is_open() {
                return;
            }
        }
    }

    /// Ends it for good: what keeps the connection going, to be ended in good order.
    pub(crate) fn close(&self) -> Option<Service> {
        self.is_closed.send_replace(true);
        // The tools know their server, and the server its tools.
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.clear();
        self.replace_connection(None)?.take()
    }

    /// Waits until no start is under way.
    pub(crate) async fn at_rest(&self) {
        drop(self.starts.lock().await);
    }
}

/// In the newer revision a client hears of changes only where it has asked to.
async fn subscribe(peer: Peer<RoleClient>, changed: Arc<Notify>) {
    let info = peer.peer_info();
    let tools = info
        .as_ref()
        .and_then(|info| info.capabilities.tools.as_ref());
    if tools.and_then(|tools| tools.list_changed) != Some(true) {
        return;
    }
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    match peer.listen(filter).await {
        Ok(mut subscription) => {
            while let Ok(Some(_)) = subscription.next().await {
                changed.notify_one();
            }
        }
        Err(error) => tracing::debug!(%error, "no word of changes in the list of tools"),
    }
}
