//! The command line: one definition from which the parser, the help, the completions and the
//! man page come. The flags of larger commands are in separate files, as are those that several
//! commands have (`model`, `tools`); `values` parses single values; `settings` and `commands` apply
//! the flags.

mod ask;
mod chat;
mod classify;
mod config;
mod doctor;
#[cfg(feature = "durable")]
mod durable;
mod eval;
mod extract;
mod keys;
mod listen;
mod mcp;
mod mcp_servers;
mod model;
mod models;
mod mqtt;
mod roles;
mod select;
mod serve;
mod sessions;
mod stats;
mod store;
mod tools;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

pub(crate) use self::ask::AskArgs;
pub(crate) use self::chat::ChatArgs;
pub(crate) use self::classify::ClassifyArgs;
pub(crate) use self::config::{ConfigCommand, ConfigInitArgs, ConfigSetArgs};
pub(crate) use self::doctor::DoctorArgs;
#[cfg(feature = "durable")]
pub(crate) use self::durable::{
    ApprovalsCommand, DurableCommand, RunArgs, RunsCommand, StoreCommand, WorkArgs,
};
pub(crate) use self::eval::EvalArgs;
pub(crate) use self::extract::ExtractArgs;
pub(crate) use self::keys::{KeysAddArgs, KeysArgs, KeysCommand};
pub(crate) use self::listen::ListenArgs;
pub(crate) use self::mcp::{McpCommand, McpServeArgs, ServedTools};
pub(crate) use self::mcp_servers::{
    McpAddArgs, McpFileArgs, McpListArgs, McpRemoveArgs, McpTestArgs,
};
pub(crate) use self::model::ModelArgs;
pub(crate) use self::models::{ModelsArgs, ModelsCommand};
pub(crate) use self::mqtt::MqttArgs;
pub(crate) use self::roles::RolesArgs;
pub(crate) use self::select::SelectArgs;
pub(crate) use self::serve::ServeArgs;
pub(crate) use self::sessions::{ExportFormat, KeptIn, SessionsCommand};
pub(crate) use self::stats::StatsArgs;
pub(crate) use self::store::StoreArgs;
pub(crate) use self::tools::{CallArgs, McpArgs, Provider, ToolArgs, ToolsCommand};
pub(crate) use self::values::{HomeSpec, duration, seconds};

/// Tool calling that works with any language model, above all with small local ones.
#[derive(Debug, Parser)]
#[command(name = "haft", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Without one, a chat begins on a terminal
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) verbosity: Verbosity,

    /// Trust this folder's haft.toml and .mcp.json for this run only
    #[arg(long, global = true)]
    pub(crate) trust: bool,
}

const EXAMPLES: &str = "\
Examples:
  haft
  haft ask --home demo \"Turn on the kitchen light and tell me the time in Tokyo\"
  haft ask --model ollama:qwen3:0.6b \"What time is it in Lima?\"
  haft doctor

Environment:
  HAFT_MODEL         the model, such as ollama:qwen3:0.6b
  OLLAMA_HOST        where Ollama listens
  OPENAI_API_KEY     key and address of an OpenAI-compatible server
  OPENAI_BASE_URL
  ANTHROPIC_API_KEY  key for Anthropic models
  HAFT_LOG           what to log on stderr, such as debug or haft_models=debug
  HAFT_LOG_FORMAT    text, or json for one JSON object per line
  NO_COLOR           no colours

Flags go before the environment, and that before haft.toml (here, then in the
configuration folder); `haft config show` prints what is in force.

Exit codes: 0 answer, 1 failure, 2 wrong usage, 3 answer cut off at the token limit,
4 nothing found out or done, 130 interrupted.";

/// How much is printed on stderr.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Verbosity {
    /// Print no trace on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more on stderr: rounds, tokens, prompts, reasoning, warnings
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a question that a model answers with tools
    Ask(AskArgs),
    /// Converse with a model that has tools; begins too when haft is started alone
    Chat(ChatArgs),
    /// List, show, export and delete the conversations that are kept
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// List the roles of the settings, or show one
    Roles(RolesArgs),
    /// Answer spoken questions: recordings or transcripts
    Listen(ListenArgs),
    /// Give clients of Ollama, OpenAI and Anthropic reliable tool calls from a model server
    Serve(ServeArgs),
    /// Add, list and revoke the keys of the gateway's users
    Keys(KeysArgs),
    #[cfg(feature = "durable")]
    #[command(flatten)]
    Durable(DurableCommand),
    /// Show six broken replies of models, without haft and with it
    Demo(DemoArgs),
    /// Find the tool calls in the reply of a model
    Extract(ExtractArgs),
    /// Classify a query and show which tools it needs
    Classify(ClassifyArgs),
    /// Find the tools that a query needs
    Select(SelectArgs),
    /// Show how often each model succeeded at the first try, and what recovery gained
    Stats(StatsArgs),
    /// Measure how well a model calls tools, at the first try and after recovery
    Eval(EvalArgs),
    /// List tools and run them without a model
    #[command(subcommand)]
    Tools(ToolsCommand),
    /// Configure and test MCP servers, or run haft as one
    #[command(subcommand)]
    Mcp(McpCommand),
    /// List the models of all servers that answer, and what they can do
    Models(ModelsArgs),
    /// Show the settings, or change the settings file
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Check the installation, and report how to fix problems
    Doctor(DoctorArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  haft completions bash > ~/.local/share/bash-completion/completions/haft"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page
    #[command(
        after_help = "Examples:\n  haft man > haft.1\n  haft man tools call > haft-tools-call.1\n  haft man --all ./man1"
    )]
    Man {
        /// The command to print the page of, such as `ask` or `tools call`
        command: Vec<String>,

        /// Write the pages of all commands into this folder instead
        #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "command")]
        all: Option<PathBuf>,
    },
}

impl Command {
    /// True for commands that run until they are stopped.
    pub(crate) fn serves(&self) -> bool {
        match self {
            Self::Serve(_) | Self::Mcp(McpCommand::Serve(_)) => true,
            #[cfg(feature = "durable")]
            Self::Durable(DurableCommand::Work(_)) => true,
            _ => false,
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft demo\n  haft demo --json")]
pub(crate) struct DemoArgs {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests;
