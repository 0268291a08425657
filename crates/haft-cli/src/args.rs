//! The command line: one definition from which the parser, the help, the completions and the
//! man page come. Larger commands have their flags in separate files, `values` parses single
//! values; `settings` and `commands` apply the flags.

mod chat;
mod classify;
mod config;
#[cfg(feature = "durable")]
mod durable;
mod eval;
mod extract;
mod keys;
mod listen;
mod mcp;
mod mcp_servers;
mod models;
mod mqtt;
mod roles;
mod select;
mod serve;
mod sessions;
mod stats;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use haft::models::{BareCalls, ToolMode};
use haft::tools::ApprovalMode;
use haft::{RecoveryStep, Routing};

pub(crate) use self::chat::ChatArgs;
pub(crate) use self::classify::ClassifyArgs;
pub(crate) use self::config::{ConfigCommand, ConfigInitArgs, ConfigSetArgs};
#[cfg(feature = "durable")]
pub(crate) use self::durable::{
    ApprovalsCommand, DurableCommand, RunArgs, RunsCommand, StoreArgs, StoreCommand, WorkArgs,
};
pub(crate) use self::eval::EvalArgs;
pub(crate) use self::extract::ExtractArgs;
pub(crate) use self::keys::{KeysAddArgs, KeysCommand};
pub(crate) use self::listen::ListenArgs;
pub(crate) use self::mcp::{McpCommand, McpServeArgs, ServedTools};
pub(crate) use self::mcp_servers::{
    McpAddArgs, McpFileArgs, McpListArgs, McpRemoveArgs, McpTestArgs,
};
pub(crate) use self::models::{ModelsArgs, ModelsCommand};
pub(crate) use self::mqtt::MqttArgs;
pub(crate) use self::roles::RolesArgs;
pub(crate) use self::select::SelectArgs;
pub(crate) use self::serve::ServeArgs;
pub(crate) use self::sessions::{ExportFormat, KeptIn, SessionsCommand};
pub(crate) use self::stats::StatsArgs;
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
    #[command(subcommand)]
    Keys(KeysCommand),
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

/// The flags for the model.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// ollama:NAME, openai:NAME[@BASE_URL], anthropic:NAME, local:FILE, builtin or replay:FILE;
    /// without it a local model is chosen [env: HAFT_MODEL]
    #[arg(short, long)]
    pub(crate) model: Option<String>,

    /// The sampling temperature, from 0 to 2
    #[arg(long, value_name = "NUMBER", value_parser = values::temperature)]
    pub(crate) temperature: Option<f64>,

    /// The system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    /// How tools are passed to the model: native, text (for models without tools) or auto
    #[arg(long, value_name = "MODE")]
    pub(crate) tool_mode: Option<ToolMode>,

    /// The format in which the model writes calls into its text, if it is not detected
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,

    /// Whether calls in the text without a marker count: always, never, or judged by the words
    /// around them [default: judged]
    #[arg(long, value_name = "WHEN")]
    pub(crate) bare_calls: Option<BareCalls>,

    /// Whether the local command engine reads a question before the model: auto (for very small
    /// models), always or never; without a value, always
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) route: Option<Routing>,

    /// How long the whole question may take: seconds, or like 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) timeout: Option<Duration>,
}

impl ModelArgs {
    /// True when a flag is set that a gateway cannot use, because its clients choose the model.
    pub(crate) fn is_given(&self) -> bool {
        let Self {
            model,
            temperature,
            system,
            tool_mode,
            format,
            bare_calls: _,
            route: _,
            timeout,
        } = self;
        let texts = [model, system, format];
        texts.into_iter().any(Option::is_some)
            || temperature.is_some()
            || tool_mode.is_some()
            || timeout.is_some()
    }
}

/// The flags for the tools.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Tools")]
pub(crate) struct ToolArgs {
    /// The smart-home backend: `demo` (simulated), `demo:FILE` to keep its state in a file, or a
    /// Z-Wave JS server such as ws://127.0.0.1:3000
    #[arg(long, value_name = "HOME", value_parser = values::home)]
    pub(crate) home: Option<HomeSpec>,

    #[command(flatten)]
    pub(crate) mcp: McpArgs,

    /// Only these tools, separated by commas
    #[arg(long = "tool", value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
}

/// The flag for MCP servers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Tools")]
pub(crate) struct McpArgs {
    /// A file with MCP servers; without it `.mcp.json` in the current folder, if there
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) mcp: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft demo\n  haft demo --json")]
pub(crate) struct DemoArgs {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = ASK_EXAMPLES)]
pub(crate) struct AskArgs {
    /// The question; read from stdin when absent or `-`. Text piped in beside a question goes with
    /// it, as data to work on
    #[arg(value_name = "QUERY", allow_negative_numbers = true)]
    pub(crate) query: Vec<String>,

    /// Print one JSON object instead of the answer alone
    #[arg(long)]
    pub(crate) json: bool,

    /// A text file for the model, up to 1 MiB; may be repeated
    #[arg(short, long = "file", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<String>,

    /// Continue the latest conversation, or the one with this id
    #[arg(long = "continue", value_name = "ID", num_args = 0..=1, require_equals = true)]
    pub(crate) continued: Option<Option<String>>,

    /// Answer in this role of the settings, see `haft roles`
    #[arg(long, value_name = "NAME")]
    pub(crate) role: Option<String>,

    /// A picture for the model (png, jpeg, gif or webp); may be repeated
    #[arg(long = "image", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) images: Vec<PathBuf>,

    /// JSON Schema that the final answer must follow
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) schema: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// The maximum number of rounds; the last one gets no tools
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=1000),
        help_heading = "Model"
    )]
    pub(crate) max_rounds: u32,

    /// Leave out a recovery step, such as without_tools; several with commas
    #[arg(
        long,
        value_name = "STEP",
        value_delimiter = ',',
        help_heading = "Model"
    )]
    pub(crate) without: Vec<RecoveryStep>,

    /// Record the traffic with the model server, for `--model replay:FILE`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Model")]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,

    /// Which calls need your approval: never, destructive or always; without a terminal they
    /// are refused [default: destructive]
    #[arg(long, value_name = "WHEN", help_heading = "Tools")]
    pub(crate) approve: Option<ApprovalMode>,

    /// Offer every tool, whatever the question
    #[arg(long, help_heading = "Tools")]
    pub(crate) all_tools: bool,

    /// Offer the tool search_tools, with which a capable model finds tools that are not offered
    #[arg(long, conflicts_with = "all_tools", help_heading = "Tools")]
    pub(crate) search_tools: bool,

    /// Offer no tools
    #[arg(long, conflicts_with_all = ["only", "mcp", "home", "web_search"], help_heading = "Tools")]
    pub(crate) no_tools: bool,

    /// Add the tool search_web, and search the web when the model does not know
    #[arg(long, conflicts_with = "no_web_search", help_heading = "Tools")]
    pub(crate) web_search: bool,

    /// Never answer with a web search instead of the model
    #[arg(long, help_heading = "Tools")]
    pub(crate) no_web_search: bool,

    #[command(flatten)]
    pub(crate) kept: KeptIn,
}

const ASK_EXAMPLES: &str = "\
Examples:
  haft ask \"What time is it in Tokyo?\"
  haft ask --home demo \"Dim the bedroom lamp to 30 percent\"
  haft ask --home demo --approve always \"Lock the front door\"
  haft ask --model ollama:qwen3:0.6b --mcp servers.json \"What is on my calendar?\"
  haft ask --model openai:gpt-5 --image receipt.jpg --schema receipt.schema.json \"Read this\"
  git diff | haft ask --model anthropic:claude-haiku-4-5 --no-tools \"Review this\"
  haft ask -f notes.txt -f plan.md \"What is still open?\"
  haft ask --continue \"And in Lima?\"

Flags may follow the question, and a number may be negative; other words that begin with a
hyphen follow --, as in: haft ask -- what does -rf mean
A pipe is read to its end: where stdin is open and nothing comes, ask with < /dev/null.
The answer goes to stdout, everything else to stderr.";

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List the tools
    #[command(
        after_help = "Examples:\n  haft tools list --home demo\n  haft tools list --mcp servers.json --json"
    )]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        tools: ToolArgs,
    },
    /// Show what a tool does and which arguments it takes
    #[command(after_help = "Example:\n  haft tools show get_current_datetime")]
    Show {
        /// The tool
        name: String,
        #[command(flatten)]
        tools: ToolArgs,
    },
    /// Run a tool as a model would: arguments are repaired and validated
    Call(CallArgs),
    /// Print the tool definitions as a provider receives them
    #[command(after_help = "Example:\n  haft tools convert --home demo --to ollama")]
    Convert {
        /// The format
        #[arg(long, value_name = "PROVIDER")]
        to: Provider,
        #[command(flatten)]
        tools: ToolArgs,
    },
}

#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(crate) struct CallArgs {
    /// The tool
    pub(crate) name: String,

    /// A JSON object, or key=value for each argument
    #[arg(value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,

    /// Print one JSON object with the result, its artifact and what was repaired
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,
}

const CALL_EXAMPLES: &str = "\
Examples:
  haft tools call get_current_datetime timezone=Asia/Tokyo
  haft tools call --home demo control_zwave_device '{\"deviceName\": \"kitchen light\", \"action\": \"on\"}'";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Provider {
    Ollama,
    Openai,
    Anthropic,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  haft doctor\n  haft doctor --model openai:any@http://127.0.0.1:8080/v1\n  haft doctor --home ws://127.0.0.1:3000\n  haft doctor --mcp servers.json --json"
)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// The model to check: its server is asked whether it has the model and gives it tools
    /// [env: HAFT_MODEL]
    #[arg(short, long)]
    pub(crate) model: Option<String>,

    /// Also check this smart-home backend: `demo`, `demo:FILE`, or a Z-Wave JS server such as
    /// ws://127.0.0.1:3000
    #[arg(long, value_name = "HOME", value_parser = values::home)]
    pub(crate) home: Option<HomeSpec>,

    #[command(flatten)]
    pub(crate) mcp: McpArgs,
}

#[cfg(test)]
mod tests;
