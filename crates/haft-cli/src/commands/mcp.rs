//! `haft mcp`: haft among the servers and hosts of MCP, one file per command.

mod conformance_client;
mod conformance_server;
mod file;
mod serve;
mod test;

use crate::args::{McpCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;

pub(crate) async fn run(command: McpCommand, verbosity: Verbosity) -> Result<Exit, Failure> {
    match command {
        McpCommand::List(arguments) => file::list(&arguments),
        McpCommand::Add(arguments) => file::add(&arguments),
        McpCommand::Remove(arguments) => file::remove(&arguments),
        McpCommand::Test(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts.unless(test::run(&arguments, verbosity)).await?
        }
        McpCommand::Serve(arguments) => serve::run(arguments, verbosity).await,
        McpCommand::ConformanceServer => conformance_server::run().await,
        McpCommand::ConformanceClient(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(conformance_client::run(&arguments))
                .await?
        }
    }
}
