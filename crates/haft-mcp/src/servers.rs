//! All servers of a configuration, started and ended together.
//!
//! They start at the same time, and one that fails costs only itself: it becomes an
//! [`McpFailure`] and a warning. A server whose tools are in the cache is not waited for. What
//! happens to one server between its start and its end is in `supervisor`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use haft_core::Tool;
use haft_tools::ChangingTools;

use crate::config::McpConfig;
use crate::config::mcp_config::ConfiguredServer;
use crate::failure::{McpFailure, Problem};
use crate::left_out::McpLeftOut;
use crate::options::McpOptions;
use crate::supervisor::cache::Cache;
use crate::supervisor::supervised_server::SupervisedServer;
use crate::tools::server_tools::ServerTools;
use crate::tools::tool_updates::ToolUpdates;

/// A line to a child that reads is written within a millisecond.
const NOTICE_LIMIT: Duration = Duration::from_millis(500);

/// A child gets 3 s after its input was closed and 3 s after being asked to end, then is killed.
const STOP_LIMIT: Duration = Duration::from_secs(8);

/// The running servers of a configuration and their tools.
///
/// The servers live as long as this value: dropping it ends the children, and their tools then
/// answer with an error. [`shutdown`](Self::shutdown) also waits until they are gone.
///
/// ```no_run
/// use haft_mcp::{McpConfig, McpServers};
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
    servers: Vec<Arc<ServerTools>>,
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
    /// The tools of its list that no model gets. [`McpServers::left_out`] also knows those whose
    /// names are taken.
    pub left_out: Vec<McpLeftOut>,
}

impl McpServers {
    /// Starts all servers at once, with the usual [`McpOptions`]. What does not start is
    /// reported in [`failures`](Self::failures) and logged as a warning.
    pub async fn start(config: &McpConfig) -> Self {
        Self::start_with(config, McpOptions::default()).await
    }

    /// Starts the servers with these options.
    pub async fn start_with(config: &McpConfig, options: McpOptions) -> Self {
        let options = Arc::new(options);
        let starting = config
            .servers
            .iter()
            .map(|ConfiguredServer { name, endpoint }| {
                let server = endpoint.as_ref().map(|endpoint| {
                    let folder = options.cache.as_ref();
                    // The tools of a browser differ from one release to the next, and its package
                    // is the newest at every start.
                    let folder = folder.filter(|_| config.playwright() != Some(name.as_str()));
                    let cache = folder.map(|folder| Cache::of(folder, endpoint));
                    SupervisedServer::new(name, endpoint, Arc::clone(&options), cache)
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
                    servers.servers.push(Arc::new(ServerTools::new(server)));
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

    /// The tools of all servers where the names `taken` belong to other tools: a tool that has
    /// one of them, or one that looks the same, is called `server_tool` too. These are the tools of this moment;
    /// [`ToolManager::add_servers`](haft_tools::ToolManager::add_servers) follows what becomes of them.
    #[must_use]
    pub fn tools_beside(&self, taken: &[&str]) -> Vec<Arc<dyn Tool>> {
        ToolUpdates::of(&self.servers, taken).tools()
    }

    /// The tools that the servers list and that no model gets, and why; beside tools of the names
    /// `taken`, as for [`tools_beside`](Self::tools_beside). What the configuration excludes is
    /// not among them.
    #[must_use]
    pub fn left_out(&self, taken: &[&str]) -> Vec<McpLeftOut> {
        let listed = self
            .servers
            .iter()
            .flat_map(|server| server.server.left_out());
        listed
            .chain(ToolUpdates::of(&self.servers, taken).left_out)
            .collect()
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
        let stopping = self.servers.iter().map(|tools| async move {
            let server = &tools.server;
            // One that reads nothing is not waited for.
            let _ = tokio::time::timeout(NOTICE_LIMIT, server.notices_sent()).await;
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

impl From<&McpServers> for Arc<dyn ChangingTools> {
    fn from(servers: &McpServers) -> Self {
        Arc::new(ToolUpdates::following(&servers.servers))
    }
}

impl Drop for McpServers {
    /// The tools may live on, and with them what they know of their server.
    fn drop(&mut self) {
        for tools in &self.servers {
            drop(tools.server.close());
        }
    }
}

/// Starts one server.
async fn start(server: &Arc<SupervisedServer>) -> Result<McpStatus, Problem> {
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
        left_out: server.left_out(),
    };
    tracing::debug!(?status, "MCP server started");
    Ok(status)
}

fn start_in_background(server: Arc<SupervisedServer>) {
    tokio::spawn(async move {
        if let Err(problem) = server.connection().await
            && !server.is_closed()
        {
            let failure = McpFailure::of(&server.name, problem);
            tracing::warn!(hint = failure.hint.as_deref(), "{failure}");
        }
    });
}
