//! The flags for the tools, which several commands have, and the flags of `haft tools`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::values::{self, HomeSpec};

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
    /// Print a grammar of calls, as a structural tag for vLLM and others with XGrammar
    #[command(after_help = "Example:\n  haft tools grammar hermes --home demo")]
    Grammar {
        /// The format in which the model writes calls
        format: String,
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
