//! The flags of `haft mcp`.

use std::net::SocketAddr;

use clap::{Args, Subcommand, ValueEnum};

use super::mcp_servers::{McpAddArgs, McpListArgs, McpRemoveArgs, McpTestArgs};
use super::values::{self, HomeSpec};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the MCP servers that are configured, without starting them
    List(McpListArgs),
    /// Add a server to the file of MCP servers
    Add(McpAddArgs),
    /// Take a server out of the file
    Remove(McpRemoveArgs),
    /// Start servers, and tell what they are or why they do not start
    Test(McpTestArgs),
    /// Offer haft's own tools to other programs, as an MCP server
    Serve(McpServeArgs),
    /// Do what a scenario of the protocol's conformance suite wants of a host
    #[command(hide = true)]
    ConformanceClient(ConformanceClientArgs),
    /// Offer the tools that the protocol's conformance suite calls
    #[command(hide = true)]
    ConformanceServer,
}

const EXAMPLES: &str = "\
Examples:
  haft mcp serve
  haft mcp serve --home demo
  haft mcp serve zwave --home demo:home.json
  haft mcp serve --home demo --http 127.0.0.1:8765

An MCP host starts it as a child process; in its configuration:
  {\"mcpServers\": {\"haft\": {\"command\": \"haft\", \"args\": [\"mcp\", \"serve\", \"--home\", \"demo\"]}}}";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct McpServeArgs {
    /// Only these tools; without it the clock, those of --home, and the search on the web where
    /// it is switched on in haft.toml
    #[arg(value_name = "TOOLS")]
    pub(crate) only: Option<ServedTools>,

    /// A home to control: `demo` (simulated), or `demo:FILE` to keep its state in a file; for
    /// zwave the simulated one where none is named
    #[arg(long, alias = "url", value_name = "HOME", value_parser = values::home)]
    pub(crate) home: Option<HomeSpec>,

    /// Serve streamable HTTP here in place of stdin and stdout, under the path /mcp; anything but
    /// this machine needs --token
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,

    /// The key that clients must send [env: HAFT_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "http")]
    pub(crate) token: Option<String>,
}

/// What the conformance suite says.
#[derive(Args, Debug)]
pub(crate) struct ConformanceClientArgs {
    /// The scenario's server
    pub(crate) url: String,

    /// The scenario's name
    #[arg(long, env = "MCP_CONFORMANCE_SCENARIO", value_name = "NAME")]
    pub(crate) scenario: Option<String>,

    /// What the scenario hands over, as JSON
    #[arg(long, env = "MCP_CONFORMANCE_CONTEXT", value_name = "JSON")]
    pub(crate) context: Option<String>,
}

/// A part of haft's tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServedTools {
    /// The six tools of a Z-Wave home
    Zwave,
}
