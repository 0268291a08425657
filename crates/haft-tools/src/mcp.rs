//! MCP servers as tools: a thin layer over `rmcp`, which knows the protocol.
//!
//! `config` reads what users have, `connect` reaches a server through `stdio` or `http` and asks
//! for its tools, `tool` makes each a [`Tool`] like any other, `content` turns results into what
//! a model reads. This file starts and stops them all. A server that does not start is an
//! [`McpFailure`] and a warning, never the end of the program; a server that dies stays dead.

mod config;
mod connect;
mod content;
mod definition;
mod document;
mod effects;
mod environment;
mod expand;
mod failure;
mod fields;
mod http;
mod list;
mod names;
mod output_schema;
mod rules;
mod stdio;
mod tool;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, join_all};
use haft_core::Tool;

use self::config::Endpoint;
use self::connect::{Service, connect_http, connect_stdio};
use self::definition::Definitions;
use self::failure::Problem;
use self::rules::ToolRules;
use self::tool::McpTool;

pub use self::config::McpConfig;
pub use self::document::McpDocument;
pub use self::failure::McpFailure;

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
    services: Vec<Service>,
    tools: Vec<Arc<McpTool>>,
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
    /// How many tools it has.
    pub tools: usize,
    /// From its start to its list of tools.
    pub started_in: Duration,
    /// What is odd about its tools, in sentences without a full stop.
    pub warnings: Vec<String>,
}

/// A server that has started.
struct Started {
    service: Service,
    tools: Vec<Arc<McpTool>>,
    status: McpStatus,
}

impl McpServers {
    /// Starts all servers at once, each within 20 seconds. What does not start is reported in
    /// [`failures`](Self::failures) and logged as a warning.
    pub async fn start(config: &McpConfig) -> Self {
        let starting = config.servers.iter().map(|(name, endpoint)| async move {
            match endpoint {
                Ok(endpoint) => start(name, endpoint, config.rules_of(name))
                    .await
                    .map_err(|problem| McpFailure::of(name, problem)),
                Err(failure) => Err(failure.clone()),
            }
        });
        let mut servers = Self::default();
        let mut tools = Vec::new();
        for result in join_all(starting).await {
            match result {
                Ok(started) => {
                    servers.services.push(started.service);
                    servers.statuses.push(started.status);
                    tools.extend(started.tools);
                }
                Err(failure) => {
                    tracing::warn!(hint = failure.hint.as_deref(), "{failure}");
                    servers.failures.push(failure);
                }
            }
        }
        servers.tools = tools;
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
    /// one that looks the same, is called `server_tool` too.
    #[must_use]
    pub fn tools_beside(&self, taken: &[&str]) -> Vec<Arc<dyn Tool>> {
        names::unique(&self.tools, taken)
            .into_iter()
            .map(|tool| tool as Arc<dyn Tool>)
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
        let stopping = self.services.into_iter().map(|mut service| async move {
            // What is left after this limit is killed when the runtime ends.
            if let Err(error) = service.close_with_timeout(STOP_LIMIT).await {
                tracing::debug!(%error, "an MCP connection did not end well");
            }
        });
        join_all(stopping).await;
    }
}

/// Starts one server. Boxed, so that the protocol is compiled here, once, and not anew into every
/// program that awaits it.
fn start<'a>(
    name: &'a str,
    endpoint: &'a Endpoint,
    rules: ToolRules,
) -> BoxFuture<'a, Result<Started, Problem>> {
    Box::pin(start_now(name, endpoint, rules))
}

async fn start_now(name: &str, endpoint: &Endpoint, rules: ToolRules) -> Result<Started, Problem> {
    let begin = Instant::now();
    let (service, tools) = match endpoint {
        Endpoint::Stdio(endpoint) => connect_stdio(name, endpoint).await?,
        Endpoint::Http(endpoint) => connect_http(name, endpoint).await?,
    };
    let Definitions { tools, warnings } = Definitions::read(tools, &rules);
    for warning in &warnings {
        tracing::warn!(server = name, "{warning}");
    }
    let status = McpStatus {
        server: name.to_owned(),
        transport: endpoint.transport(),
        tools: tools.len(),
        started_in: begin.elapsed(),
        warnings,
    };
    tracing::debug!(?status, "MCP server started");
    let tools = tools
        .into_iter()
        .map(|tool| Arc::new(McpTool::new(name, service.peer().clone(), tool)))
        .collect();
    Ok(Started {
        service,
        tools,
        status,
    })
}

/// `text` cut to what a model or a reader can be asked to read.
fn bounded(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
