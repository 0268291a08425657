//! The flags of `haft mcp`.

use std::net::SocketAddr;

use clap::{Args, Subcommand, ValueEnum};

use super::mcp_servers::{McpAddArgs, McpListArgs, McpRemoveArgs, McpTestArgs};
use super::values::{self, HomeSpec};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the configured MCP servers, without starting them
    List(McpListArgs),
    /// Add a server to the file of MCP servers
    Add(McpAddArgs),
    /// Remove a server from the file
    Remove(McpRemoveArgs),
    /// Start servers, and report what they offer or why they fail
    Test(McpTestArgs),
    /// Offer haft's own tools to other programs, as an MCP server
    Serve(McpServeArgs),
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
    /// Only these tools; without it the clock, those of --home, and web search if haft.toml
    /// enables it
    #[arg(value_name = "TOOLS")]
    pub(crate) only: Option<ServedTools>,

    /// The smart-home backend: `demo` (simulated), or `demo:FILE` to keep its state in a file; by
    /// default the simulated one for zwave
    #[arg(long, alias = "url", value_name = "HOME", value_parser = values::home)]
    pub(crate) home: Option<HomeSpec>,

    /// Serve streamable HTTP at this address instead of stdin and stdout, under the path /mcp;
    /// addresses other than loopback need --token
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,

    /// The key that clients must send [env: HAFT_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "http")]
    pub(crate) token: Option<String>,
}

/// A part of haft's tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServedTools {
    /// The six tools of a Z-Wave home
    Zwave,
}
