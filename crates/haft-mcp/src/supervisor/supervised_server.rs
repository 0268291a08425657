//! A supervised server: started on demand, started again after it died, and stopped.
//!
//! A call uses the open connection, or opens one. Only one start runs at a time, whichever call
//! needs it, and it continues even if that call is dropped. Remaining processes of a dead server
//! are killed before the next start, so that a crashing server cannot accumulate processes.
//! `listing` keeps its list of tools up to date, and `known_tools` what is known of them. The server owns the listed tools, not the tools
//! that models call: those refer to the server.

mod known_tools;
mod listing;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock};

use haft_core::Secrets;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::ServiceError;
use tokio::sync::watch;

use crate::config::endpoint::Endpoint;
use crate::config::secrets;
use crate::definitions::listed_tool::ListedTool;
use crate::failure::Problem;
use crate::left_out::McpLeftOut;
use crate::options::McpOptions;
use crate::session::call::{CallError, CallLimits, call};
use crate::session::connect::{Connected, Knowledge};
use crate::session::connection::{Connection, Service};
use crate::session::list::Listed;
use crate::supervisor::cache::{Cache, Known};
use crate::supervisor::stall_detector::StallDetector;
use crate::supervisor::start_retry::StartRetry;
use crate::transport::protocol_version::Protocol;

/// A server and its state.
#[derive(Debug)]
pub(crate) struct SupervisedServer {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) options: Arc<McpOptions>,
    /// Detects that it does not answer any more.
    stall_detector: StallDetector,
    connection: RwLock<Option<Arc<Connection>>>,
    /// Locked during a start.
    starts: tokio::sync::Mutex<StartRetry>,
    tools: RwLock<Vec<Arc<ListedTool>>>,
    /// The number of changes of the list of tools.
    changes: AtomicU64,
    /// Its cache entry, if caching is enabled.
    cache: Option<Cache>,
    /// The warnings about its tools.
    warnings: RwLock<Vec<String>>,
    left_out: RwLock<Vec<McpLeftOut>>,
    /// The secrets that are masked wherever the server repeats them.
    pub(crate) secrets: Secrets,
    is_closed: watch::Sender<bool>,
}

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum ServerError {
    /// The server could not be reached.
    Down(Problem),
    /// The tool no longer exists.
    Gone,
    Call(CallError),
}

impl SupervisedServer {
    /// A server that is not started yet. With an entry in `cache`, its tools are already available.
    pub(crate) fn new(
        name: &str,
        endpoint: &Endpoint,
        options: Arc<McpOptions>,
        cache: Option<Cache>,
    ) -> Arc<Self> {
        let known = cache.as_ref().and_then(|cache| cache.load(name));
        let knowledge = known.as_ref().map_or(Knowledge::Nothing, |known| {
            Knowledge::Remembered(known.protocol)
        });
        let server = Arc::new(Self {
            name: name.to_owned(),
            endpoint: endpoint.clone(),
            stall_detector: StallDetector::new(name, options.call_timeout),
            options,
            connection: RwLock::default(),
            starts: tokio::sync::Mutex::new(StartRetry::with(knowledge)),
            tools: RwLock::default(),
            changes: AtomicU64::default(),
            cache,
            warnings: RwLock::default(),
            left_out: RwLock::default(),
            secrets: secrets::of(endpoint),
            is_closed: watch::Sender::new(false),
        });
        if let Some(known) = known {
            let (tools, left_out) = (known.tools, known.left_out);
            server.set_tools(&Listed { tools, left_out });
        }
        server
    }

    pub(crate) fn is_closed(&self) -> bool {
        *self.is_closed.borrow()
    }

    /// Calls one of its tools, by the server's own name for it.
    pub(crate) async fn call(
        self: &Arc<Self>,
        params: CallToolRequestParams,
    ) -> Result<CallToolResult, ServerError> {
        let connection = self.connection().await.map_err(ServerError::Down)?;
        if self.find(&params.name).is_none() {
            return Err(ServerError::Gone);
        }
        let limits = CallLimits {
            silent: self.options.call_timeout,
            total: self.options.total_call_timeout,
        };
        let awaited = self.stall_detector.watch(&connection);
        let result = call(&connection, params, limits).await;
        awaited.ended(&result);
        if let Err(CallError::Service(ServiceError::TransportSend(_))) = &result
            && connection.is_child()
        {
            // A child that does not read its input any more: the next call starts another one.
            connection.kill();
        }
        result.map_err(ServerError::Call)
    }

    /// The open connection, or a new one.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Problem> {
        if let Some(connection) = self.open_connection() {
            return Ok(connection);
        }
        let server = Arc::clone(self);
        // A separate task, so that the start continues if the call is dropped.
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

    /// Stores a new connection and its tools.
    fn adopt(self: &Arc<Self>, connected: Connected) -> Arc<Connection> {
        let connection = Arc::new(connected.connection);
        self.learn(connected.protocol, connected.listed);
        self.replace_connection(Some(Arc::clone(&connection)));
        if self.is_closed() {
            // It was closed in the meantime, so this connection must be closed here.
            connection.kill();
        }
        self.keep_listed(&connection);
        connection
    }

    /// Stores a new list, and caches it if it has changed.
    fn learn(&self, protocol: Protocol, listed: Listed) {
        let listed = Listed {
            tools: secrets::masked(listed.tools, &self.secrets),
            ..listed
        };
        if !self.set_tools(&listed) {
            return;
        }
        if let Some(cache) = &self.cache {
            // It is only some kilobytes, and the next call may end the program, so it is written at
            // once.
            cache.save(&self.name, &Known::new(protocol, listed));
        }
    }

    /// The revision of the protocol in use, while the server runs.
    pub(crate) fn protocol(&self) -> Option<String> {
        let info = self.open_connection()?.peer.peer_info()?;
        Some(info.protocol_version.to_string())
    }

    /// Waits until all cancellation notices were sent.
    pub(crate) async fn notices_sent(&self) {
        if let Some(connection) = self.open_connection() {
            let mut notices = connection.notices.subscribe();
            // The connection holds the other end of the channel.
            let _ = notices.wait_for(|notices| *notices == 0).await;
        }
    }

    /// Closes it permanently and returns the running service, to be closed properly.
    pub(crate) fn close(&self) -> Option<Service> {
        self.is_closed.send_replace(true);
        // Later starts must not use a closed server.
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.clear();
        self.replace_connection(None)?.take()
    }

    /// Waits until no start is running.
    pub(crate) async fn at_rest(&self) {
        drop(self.starts.lock().await);
    }
}
