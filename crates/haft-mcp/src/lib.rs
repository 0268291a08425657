//! MCP for haft: tools of MCP servers as haft tools, and haft's tools as an MCP server.
//!
//! # Brief overview
//!
//! [`McpConfig`] reads the `mcpServers` JSON that users already have. [`McpServers`] starts the
//! configured servers, keeps them running, and provides their tools, which a
//! [`ToolManager`](haft_tools::ToolManager) accepts like any other. A server that does not start is
//! reported as an [`McpFailure`] and does not end the program; one that dies is started again by
//! the next call. In the other direction, `ToolServer` (feature `server`) offers the tools of an
//! executor to any MCP host.
//!
//! ```no_run
//! use haft_mcp::{McpConfig, McpServers};
//! use haft_tools::{ToolExecutor, ToolManager};
//!
//! # async fn example() -> Result<(), haft_tools::ToolsError> {
//! let servers = McpServers::start(&McpConfig::load(".mcp.json")?).await;
//! for failure in servers.failures() {
//!     eprintln!("{failure}");
//! }
//! let mut tools = ToolManager::new();
//! tools.add_servers(&servers);
//! let executor = ToolExecutor::new(tools);
//! # drop(executor);
//! servers.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! # The folders
//!
//! Each depends only on those above it, except for `server`, which depends only on `transport`:
//!
//! * `config`: the content of `.mcp.json`;
//! * `transport`: how messages travel, over pipes or HTTP;
//! * `definitions`: a server's tool definitions, cleaned and judged before a model sees them;
//! * `session`: one connection, its calls and its lists;
//! * `supervisor`: starts a server, watches it, and starts it again;
//! * `tools`: the tools of all servers under unique names;
//! * `browser`: a web search in a browser that a server controls;
//! * `server` (feature): haft as an MCP server.

mod browser;
mod config;
mod definitions;
mod failure;
mod files;
mod left_out;
mod look_alikes;
mod options;
#[cfg(feature = "server")]
mod server;
mod servers;
mod session;
mod supervisor;
mod text;
mod tools;
mod transport;

pub use self::browser::{BrowserSearch, OpenBrowser, reads_pages};
pub use self::config::{McpConfig, McpDocument};
pub use self::failure::McpFailure;
pub use self::left_out::{LeftOutReason, McpLeftOut};
pub use self::options::McpOptions;
#[cfg(feature = "server")]
pub use self::server::ToolServer;
pub use self::servers::{McpServers, McpStatus};
pub use self::transport::watch_children;
