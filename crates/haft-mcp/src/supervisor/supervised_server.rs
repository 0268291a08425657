//! One server for as long as it is wanted: started, started again when it died, and ended.
//!
//! A call finds the connection open, or opens it. Only one start runs at a time, whoever asks;
//! it goes on where the one who asked has left. What is left of a dead server is killed before
//! the next is started, so that a server that keeps dying leaves no crowd behind. `listing` keeps
//! its list of tools up to date. The server holds what it lists, not the tools that models call:
//! those hold the server.

mod listing;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use haft_core::Secrets;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::ServiceError;
use tokio::sync::watch;

use crate::config::endpoint::Endpoint;
use crate::config::secrets;
use crate::definitions::definition::{Admitted, changed};
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

/// A server and what is known of it.
#[derive(Debug)]
pub(crate) struct SupervisedServer {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) options: Arc<McpOptions>,
    /// Calls that it did not answer.
    stall_detector: StallDetector,
    connection: RwLock<Option<Arc<Connection>>>,
    /// Held while it starts.
    starts: tokio::sync::Mutex<StartRetry>,
    tools: RwLock<Vec<Arc<ListedTool>>>,
    /// How often the list of tools has become another.
    changes: AtomicU64,
    /// Where it is remembered, if anywhere.
    cache: Option<Cache>,
    /// What is odd about them.
    warnings: RwLock<Vec<String>>,
    left_out: RwLock<Vec<McpLeftOut>>,
    /// What is hidden wherever the server repeats it.
    pub(crate) secrets: Secrets,
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

impl SupervisedServer {
    /// A server that is not started yet. One that is remembered in `cache` has its tools already.
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

    /// Its tools as last seen, in its order.
    pub(crate) fn tools(&self) -> Vec<Arc<ListedTool>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.clone()
    }

    /// How often the list of tools has become another since the server is known.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    fn find(&self, tool: &str) -> Option<Arc<ListedTool>> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let mut tools = tools.iter();
        tools.find(|known| known.definition.name == tool).cloned()
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
        self.learn(connected.protocol, connected.listed);
        self.replace_connection(Some(Arc::clone(&connection)));
        if self.is_closed() {
            // Closed in the meantime: nobody else will end it.
            connection.kill();
        }
        self.keep_listed(&connection);
        connection
    }

    /// Takes over a new list, and remembers it where it is another.
    fn learn(&self, protocol: Protocol, listed: Listed) {
        let listed = Listed {
            tools: secrets::masked(listed.tools, &self.secrets),
            ..listed
        };
        if !self.set_tools(&listed) {
            return;
        }
        if let Some(cache) = &self.cache {
            // Some kilobytes, and whoever ends next finds them.
            cache.save(&self.name, &Known::new(protocol, listed));
        }
    }

    /// True where something has changed. A tool that is as it was stays the same object.
    pub(crate) fn set_tools(&self, listed: &Listed) -> bool {
        if self.is_closed() {
            return false;
        }
        let rules = self.endpoint.rules();
        let Admitted {
            tools: definitions,
            mut warnings,
            bad_schemas,
        } = Admitted::of(&listed.tools, rules);
        let bad_schemas = bad_schemas.into_iter();
        let bad_schemas = bad_schemas.map(|(tool, why)| McpLeftOut::tool(&self.name, &tool, why));
        // What nobody wants is not missed.
        let is_wanted = |one: &&McpLeftOut| one.tool.as_ref().is_none_or(|tool| rules.keeps(tool));
        let left_out = listed.left_out.iter().filter(is_wanted).cloned();
        let more_is_left_out = self.leave_out(left_out.chain(bad_schemas).collect());
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let known = tools.iter().map(|tool| &tool.listed);
        warnings.extend(changed(known, &definitions));
        self.warn(warnings);
        if tools.iter().map(|tool| &tool.listed).eq(&definitions) {
            // A list without tools is worth to be remembered too, once.
            return tools.is_empty() || more_is_left_out;
        }
        *tools = definitions
            .iter()
            .map(|definition| {
                let same = tools.iter().find(|tool| tool.listed == *definition);
                let new = || Arc::new(ListedTool::of(definition.clone(), rules));
                same.map_or_else(new, Arc::clone)
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

    /// Keeps in mind what of its list is not taken; true where that is something else than before.
    fn leave_out(&self, left_out: Vec<McpLeftOut>) -> bool {
        let known = self.left_out.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if *known == left_out {
            return false;
        }
        for one in left_out.iter().filter(|one| !known.contains(one)) {
            tracing::warn!(server = self.name, "{one}");
        }
        *known = left_out;
        true
    }

    /// What of its list is not taken.
    pub(crate) fn left_out(&self) -> Vec<McpLeftOut> {
        let left_out = self.left_out.read().unwrap_or_else(PoisonError::into_inner);
        left_out.clone()
    }

    /// The revision of the protocol that is spoken with it, while it runs.
    pub(crate) fn protocol(&self) -> Option<String> {
        let info = self.open_connection()?.peer.peer_info()?;
        Some(info.protocol_version.to_string())
    }

    /// Waits until the server was told which calls nobody waits for any more.
    pub(crate) async fn notices_sent(&self) {
        if let Some(connection) = self.open_connection() {
            let mut notices = connection.notices.subscribe();
            // The connection keeps the other end.
            let _ = notices.wait_for(|notices| *notices == 0).await;
        }
    }

    /// Ends it for good: what keeps the connection going, to be ended in good order.
    pub(crate) fn close(&self) -> Option<Service> {
        self.is_closed.send_replace(true);
        // Nobody is to find a tool at a server that has ended.
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.clear();
        self.replace_connection(None)?.take()
    }

    /// Waits until no start is under way.
    pub(crate) async fn at_rest(&self) {
        drop(self.starts.lock().await);
    }
}
