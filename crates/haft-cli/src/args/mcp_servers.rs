//! The flags of `haft mcp list`, `add`, `remove` and `test`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// The flag for the file of MCP servers.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct McpFileArgs {
    /// The file with MCP servers; without it that of haft.toml, else `.mcp.json` in the current
    /// folder
    #[arg(long = "mcp", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft mcp list\n  haft mcp list --mcp servers.json --json")]
pub(crate) struct McpListArgs {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) file: McpFileArgs,
}

const ADD_EXAMPLES: &str = "\
Examples:
  haft mcp add time uvx mcp-server-time
  haft mcp add files --exclude write_file -- npx -y @modelcontextprotocol/server-filesystem .
  haft mcp add weather --env 'API_KEY=${WEATHER_KEY}' -- weather-server --stdio
  haft mcp add home --header 'Authorization: Bearer ${HASS_TOKEN}' http://127.0.0.1:8123/api/mcp

Flags go before the command or the address. ${VAR} is written as it is and taken from the
environment when the server is started: no key has to stand in the file.";

#[derive(Args, Debug)]
#[command(after_help = ADD_EXAMPLES)]
pub(crate) struct McpAddArgs {
    /// The server's name
    pub(crate) name: String,

    /// The command that starts it and its arguments, or the address where it runs
    #[arg(required = true, value_name = "COMMAND|URL", trailing_var_arg = true)]
    pub(crate) target: Vec<String>,

    /// An environment variable for the command; may be repeated
    #[arg(short, long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) env: Vec<(String, String)>,

    /// A header sent to the address; may be repeated
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,

    /// Only these of its tools, separated by commas
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub(crate) include: Vec<String>,

    /// All but these of its tools
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) file: McpFileArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  haft mcp remove time")]
pub(crate) struct McpRemoveArgs {
    /// The server
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) file: McpFileArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft mcp test\n  haft mcp test time --json")]
pub(crate) struct McpTestArgs {
    /// The servers; all if none is named
    pub(crate) names: Vec<String>,

    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) file: McpFileArgs,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write `NAME: VALUE`".to_owned()),
    }
}
