//! The subcommands, one file each, and the dispatch to them.
//!
//! A larger command has a folder of the same name with its parts. Shared by several commands:
//! `definitions` reads files of tool definitions (`extract`, `select`), and `assistant` has the
//! options for spoken answers (`listen`, `serve --wyoming`).
//!
//! A `run` usually follows this order: load the settings, check the input, open the model and the
//! tools, do the work, print the result on stdout, and return an `Exit`. `ask` is the model for
//! commands that ask a model, `stats` for small ones.

mod ask;
mod assistant;
mod chat;
mod classify;
mod completions;
mod config;
mod definitions;
mod demo;
mod doctor;
#[cfg(feature = "durable")]
mod durable;
mod eval;
mod extract;
mod keys;
mod listen;
mod man;
mod mcp;
mod models;
mod roles;
mod select;
mod serve;
mod sessions;
mod stats;
mod tools;

use crate::args::{
    Command, ConfigCommand, KeysArgs, KeysCommand, McpCommand, SessionsCommand, ToolsCommand,
    Verbosity,
};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::trust::Trust;

/// Runs the command of the command line.
pub(crate) async fn run(
    command: Command,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    match command {
        Command::Ask(arguments) => ask::run(arguments, verbosity, trust).await,
        Command::Chat(arguments) => chat::run(arguments, verbosity, trust).await,
        Command::Sessions(command) => until_interrupted(sessions::run(command)).await,
        Command::Roles(arguments) => until_interrupted(roles::run(arguments, trust)).await,
        Command::Demo(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts.unless(demo::run(&arguments)).await?
        }
        Command::Listen(arguments) => listen::run(arguments, verbosity, trust).await,
        Command::Serve(arguments) => serve::run(arguments, verbosity, trust).await,
        Command::Keys(command) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts.unless(keys::run(command)).await?
        }
        #[cfg(feature = "durable")]
        Command::Durable(command) => durable::run(command, verbosity, trust).await,
        Command::Extract(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(extract::run(arguments, verbosity))
                .await?
        }
        Command::Classify(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(classify::run(arguments, verbosity))
                .await?
        }
        Command::Select(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts.unless(select::run(arguments, verbosity)).await?
        }
        Command::Stats(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(stats::run(arguments, verbosity, trust))
                .await?
        }
        Command::Eval(arguments) => eval::run(arguments, verbosity, trust).await,
        Command::Tools(command) => tools::run(command, verbosity, trust).await,
        Command::Mcp(command) => mcp::run(command, verbosity, trust).await,
        Command::Doctor(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(doctor::run(arguments, verbosity, trust))
                .await?
        }
        Command::Models(arguments) => {
            let mut interrupts = Interrupts::listen()?;
            interrupts
                .unless(models::run(arguments, verbosity, trust))
                .await?
        }
        Command::Config(command) => config::run(command, trust).await,
        Command::Completions { shell } => completions::run(shell),
        Command::Man {
            all: Some(folder), ..
        } => man::write_all(&folder),
        Command::Man { command, .. } => man::run(&command),
    }
}

/// Does the work of a command that a signal may end at any moment.
async fn until_interrupted(
    work: impl Future<Output = Result<Exit, Failure>>,
) -> Result<Exit, Failure> {
    let mut interrupts = Interrupts::listen()?;
    interrupts.unless(work).await?
}

/// True when stdout is JSON for a program, so that errors are printed there as JSON too.
pub(crate) fn speaks_json(command: &Command) -> bool {
    match command {
        Command::Ask(arguments) => arguments.json,
        Command::Doctor(arguments) => arguments.json,
        Command::Models(arguments) => arguments.json,
        Command::Roles(arguments) => arguments.json,
        Command::Listen(arguments) => arguments.json,
        Command::Demo(arguments) => arguments.json,
        Command::Eval(arguments) => arguments.json,
        Command::Extract(arguments) => arguments.json,
        Command::Classify(arguments) => arguments.json,
        Command::Select(arguments) => arguments.json,
        Command::Stats(arguments) => arguments.json,
        Command::Config(ConfigCommand::Show { json, .. })
        | Command::Keys(KeysArgs {
            command: KeysCommand::List { json },
            ..
        })
        | Command::Sessions(
            SessionsCommand::List { json, .. } | SessionsCommand::Show { json, .. },
        )
        | Command::Tools(ToolsCommand::List { json, .. }) => *json,
        #[cfg(feature = "durable")]
        Command::Durable(command) => command.speaks_json(),
        Command::Keys(KeysArgs {
            command: KeysCommand::Add(arguments),
            ..
        }) => arguments.json,
        Command::Tools(ToolsCommand::Call(arguments)) => arguments.json,
        Command::Mcp(McpCommand::List(arguments)) => arguments.json,
        Command::Mcp(McpCommand::Test(arguments)) => arguments.json,
        _ => false,
    }
}
