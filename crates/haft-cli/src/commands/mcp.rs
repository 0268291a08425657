//! `haft mcp`: haft among the servers and hosts of MCP, one file per command.

mod conformance_client;
mod serve;

use crate::args::{McpCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;

pub(crate) async fn run(command: McpCommand, verbosity: Verbosity) -> Result<Exit, Failure> {
    match command {
        McpCommand::Serve(arguments) => serve::run(arguments, verbosity).await,
        McpCommand::ConformanceClient(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(conformance_client::run(&arguments))
                .await?
        }
    }
}
