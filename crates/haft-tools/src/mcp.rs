//! MCP servers as tools: a thin layer over `rmcp`, which knows the protocol.
//!
//! `config` reads what users have, `connect` reaches a server through `stdio` or `http` and asks
//! for its tools, `server` keeps it going, `tool` makes each of its tools a [`Tool`] like any
//! other, `call` calls one, `content` turns results into what a model reads. This file starts
//! and stops them all. A server that does not start is an [`McpFailure`] and a warning, never
//! the end of the program; a server that dies is started again by the next call.

mod cache;
mod call;
mod client;
mod config;
mod connect;
mod connection;
mod content;
mod definition;
mod document;
mod effects;
mod elicitation;
mod environment;
mod era;
mod expand;
mod failure;
mod fields;
mod http;
mod lenient;
mod lines;
mod list;
mod live;
mod names;
mod options;
mod output_schema;
mod pipe;
mod rules;
mod salvage;
mod server;
mod silence;
mod starts;
mod stdio;
mod tool;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, join_all};
use haft_core::Tool;

use self::cache::Cache;
use self::failure::Problem;
use self::server::Server;

pub use self::config::McpConfig;
pub use self::document::McpDocument;
pub use self::failure::McpFailure;
pub(crate) use self::live::LiveTools;
pub use self::options::McpOptions;

/// A child gets 3 s after its input was closed and 3 s after being asked to end, then is killed.
const STOP_LIMIT: Duration = Duration::from_secs(8);

/// In characters. What a server says is prompt and log: it must not fill either.
const MAX_TEXT: usize = 4000;

/// The running servers of a configuration and their tools.
///
/// The servers live as long as this value: dropping it ends the children, and their tools then
/// answer with an error. [`shutdown`](Self::shutdown) also waits until they are gone.
///
/// ```no_run
/// use haft_tools::{McpConfig, McpServers};
///
/// # async fn example() -> Result<(), haft_tools::ToolsError> {
/// let servers = McpServers::start(&McpConfig::load(".mcp.json")?).await;
/// for failure in servers.failures() {
///     eprintln!("{failure}");
/// }
/// let tools = servers.tools();
/// # drop(tools);
/// servers.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct McpServers {
    servers: Vec<Arc<Server>>,
    statuses: Vec<McpStatus>,
    failures: Vec<McpFailure>,
}

/// A server that runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpStatus {
    /// The server's name in the configuration.
    pub server: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// The revision of the protocol that is spoken, such as `2025-11-25`; none while the server
    /// does not run.
    pub protocol: Option<String>,
    /// How many tools it has.
    pub tools: usize,
    /// From its start to its list of tools.
    pub started_in: Duration,
    /// The tools are those of an earlier start: this one goes on in the background.
    pub from_cache: bool,
    /// What is odd about its tools, in sentences without a full stop.
    pub warnings: Vec<String>,
}

impl McpServers {
    /// Starts all servers at once, with the usual [`McpOptions`]. What does not start is
    /// reported in [`failures`](Self::failures) and logged as a warning.
    pub async fn start(config: &McpConfig) -> Self {
        Self::start_with(config, McpOptions::default()).await
    }

    /// The same with other options.
    pub async fn start_with(config: &McpConfig, options: McpOptions) -> Self {
        let options = Arc::new(options);
        let starting = config.servers.iter().map(|(name, endpoint)| {
            let server = endpoint.as_ref().map(|endpoint| {
                let folder = options.cache.as_ref();
                // The tools of a browser differ from one release to the next, and its package
                // is the newest at every start.
                let folder = folder.filter(|_| config.playwright() != Some(name));
                let cache = folder.map(|folder| Cache::of(folder, endpoint));
                Server::new(name, endpoint, Arc::clone(&options), cache)
            });
            async move {
                let server = server.map_err(Clone::clone)?;
                match start(&server).await {
                    Ok(status) => Ok((server, status)),
                    Err(problem) => Err(McpFailure::of(name, problem)),
                }
            }
        });
        let mut servers = Self::default();
        for result in join_all(starting).await {
            match result {
                Ok((server, status)) => {
                    servers.servers.push(server);
                    servers.statuses.push(status);
                }
                Err(failure) => {
                    tracing::warn!(hint = failure.hint.as_deref(), "{failure}");
                    servers.failures.push(failure);
                }
            }
        }
        servers
    }

    /// All tools: servers in the order of the configuration, each server's in its own order.
    /// Where two servers offer the same name, or names that look the same, both tools are called
    /// `server_tool`. All names fit every model's API.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.tools_beside(&[])
    }

    /// The same where the names `taken` belong to other tools: a tool that has one of them, or
    /// one that looks the same, is called `server_tool` too. These are the tools of this moment;
    /// [`ToolManager::add_servers`](crate::ToolManager::add_servers) follows what becomes of them.
    #[must_use]
    pub fn tools_beside(&self, taken: &[&str]) -> Vec<Arc<dyn Tool>> {
        let tools = LiveTools::of(self, taken).tools.into_iter();
        tools.map(|tool| tool as Arc<dyn Tool>).collect()
    }

    /// The servers that could not be used, in the order of the configuration.
    #[must_use]
    pub fn failures(&self) -> &[McpFailure] {
        &self.failures
    }

    /// The servers that run, in the order of the configuration.
    #[must_use]
    pub fn statuses(&self) -> &[McpStatus] {
        &self.statuses
    }

    /// Ends all servers and waits until they are gone, at most some seconds: their input is
    /// closed, then they are asked to end, then killed.
    pub async fn shutdown(self) {
        let stopping = self.servers.iter().map(|server| async move {
            let service = server.close();
            server.at_rest().await;
            let Some(mut service) = service else { return };
            // What is left after this limit is killed when the runtime ends.
            if let Err(error) = service.close_with_timeout(STOP_LIMIT).await {
                tracing::debug!(%error, "an MCP connection did not end well");
            }
        });
        join_all(stopping).await;
    }
}

impl Drop for McpServers {
    /// The tools may live on, and with them what they know of their server.
    fn drop(&mut self) {
        for server in &self.servers {
            drop(server.close());
        }
    }
}

/// Starts one server. Boxed, so that the protocol is compiled here, once, and not anew into every
/// program that awaits it.
fn start(server: &Arc<Server>) -> BoxFuture<'_, Result<McpStatus, Problem>> {
    Box::pin(start_now(server))
}

async fn start_now(server: &Arc<Server>) -> Result<McpStatus, Problem> {
    let begin = Instant::now();
    let from_cache = !server.tools().is_empty() && !server.options.wait;
    if from_cache {
        start_in_background(Arc::clone(server));
    } else {
        server.connection().await?;
    }
    let status = McpStatus {
        server: server.name.clone(),
        transport: server.endpoint.transport(),
        tools: server.tools().len(),
        started_in: begin.elapsed(),
        from_cache,
        protocol: server.protocol(),
        warnings: server.warnings(),
    };
    tracing::debug!(?status, "MCP server started");
    Ok(status)
}

fn start_in_background(server: Arc<Server>) {
    tokio::spawn(async move {
        if let Err(problem) = server.connection().await
            && !server.is_closed()
        {
            let failure = McpFailure::of(&server.name, problem);
            tracing::warn!(hint = failure.hint.as_deref(), "{failure}");
        }
    });
}

/// `text` cut to what a model or a reader can be asked to read.
fn bounded(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
