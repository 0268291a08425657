//! Starts and stops all servers of a configuration together.
//!
//! They start concurrently, and a failure affects only its server: it becomes an [`McpFailure`] and
//! a warning. A server with cached tools is not waited for. `supervisor` handles a single server
//! between its start and its end.

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

/// The time limit of sending cancellation notices; a child that reads its input receives them
/// within a millisecond.
const NOTICE_LIMIT: Duration = Duration::from_millis(500);

/// The time limit of the shutdown: a child has 3 s after its input was closed and 3 s after being
/// asked to exit, then it is killed.
const STOP_LIMIT: Duration = Duration::from_secs(8);

/// The running servers of a configuration and their tools.
///
/// The servers run as long as this value exists: dropping it kills the children, and their tools
/// then return an error. [`shutdown`](Self::shutdown) also waits until they are gone.
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

/// The status of a running server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpStatus {
    /// The server's name in the configuration.
    pub server: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// The revision of the protocol in use, such as `2025-11-25`; `None` while the server is not
    /// running.
    pub protocol: Option<String>,
    /// The number of its tools.
    pub tools: usize,
    /// The time from its start to its list of tools.
    pub started_in: Duration,
    /// Whether the tools are from the cache, while the server is still starting in the background.
    pub from_cache: bool,
    /// Warnings about its tools, as sentences without a full stop.
    pub warnings: Vec<String>,
    /// The tools in its list that no model is offered. [`McpServers::left_out`] also includes those
    /// whose names are taken.
    pub left_out: Vec<McpLeftOut>,
}

impl McpServers {
    /// Starts all servers concurrently with the default [`McpOptions`]. Servers that fail are
    /// listed in [`failures`](Self::failures) and logged as warnings.
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
                    // The tools of a browser differ between releases, and `npx` runs the newest one
                    // at every start.
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

    /// All tools: servers in the order of the configuration, each server's tools in its own order.
    /// If two servers have tools with equal or confusable names, both get the form `server_tool`.
    /// All names are valid in every model's API.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.tools_beside(&[])
    }

    /// All tools, with names that differ from those in `taken`, which belong to other tools: a tool
    /// with an equal or confusable name gets the form `server_tool`. These are the current tools;
    /// [`ToolManager::add_servers`](haft_tools::ToolManager::add_servers) follows their changes.
    #[must_use]
    pub fn tools_beside(&self, taken: &[&str]) -> Vec<Arc<dyn Tool>> {
        ToolUpdates::of(&self.servers, taken).tools()
    }

    /// The listed tools that no model is offered, with the reasons, given the names `taken` as for
    /// [`tools_beside`](Self::tools_beside). Tools that the configuration excludes are not
    /// included.
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

    /// The running servers, in the order of the configuration.
    #[must_use]
    pub fn statuses(&self) -> &[McpStatus] {
        &self.statuses
    }

    /// Stops all servers and waits until they are gone, at most some seconds: their input is
    /// closed, then they are asked to exit, then killed.
    pub async fn shutdown(self) {
        let stopping = self.servers.iter().map(|tools| async move {
            let server = &tools.server;
            // A server that does not read its input is not waited for.
            let _ = tokio::time::timeout(NOTICE_LIMIT, server.notices_sent()).await;
            let service = server.close();
            server.at_rest().await;
            let Some(mut service) = service else { return };
            // Processes that remain after this time are killed when the runtime ends.
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
    /// Tools may exist longer than this value, and keep their reference to the server.
    fn drop(&mut self) {
        for tools in &self.servers {
            drop(tools.server.close());
        }
    }
}

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
