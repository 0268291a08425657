//! `haft mcp`: the MCP commands.
//!
//! `file` lists, adds and removes servers in the configuration without starting any, `test` starts
//! them and reports their tools, and `serve` offers haft's own tools to MCP hosts.

mod file;
mod serve;
mod test;

use crate::args::{McpCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::trust::Trust;

pub(crate) async fn run(
    command: McpCommand,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    match command {
        McpCommand::List(arguments) => file::list(&arguments, trust).await,
        McpCommand::Add(arguments) => file::add(&arguments, trust).await,
        McpCommand::Remove(arguments) => file::remove(&arguments, trust).await,
        McpCommand::Test(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(test::run(&arguments, verbosity, trust))
                .await?
        }
        McpCommand::Serve(arguments) => serve::run(arguments, verbosity, trust).await,
    }
}
