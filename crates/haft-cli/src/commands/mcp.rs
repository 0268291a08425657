//! `haft mcp`: haft among the servers and hosts of MCP, one file per command.

mod serve;

use crate::args::{McpCommand, Verbosity};
use crate::failure::{Exit, Failure};

pub(crate) async fn run(command: McpCommand, verbosity: Verbosity) -> Result<Exit, Failure> {
    match command {
        McpCommand::Serve(arguments) => serve::run(arguments, verbosity).await,
    }
}
