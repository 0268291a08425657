//! The command line of `haft chat`.

use clap::Args;
use haft::tools::ApprovalMode;

use super::{KeptIn, ModelArgs, ToolArgs};

const EXAMPLES: &str = "\
Examples:
  haft chat
  haft chat --home demo
  haft chat --model ollama:qwen3:0.6b --mcp servers.json
  haft chat --continue
  printf 'What time is it in Oslo?\\nAnd in Lima?\\n' | haft chat

In the chat, /help shows the commands, @FILE attaches a text file, Alt-Enter begins a new line,
Ctrl-C stops an answer, and Ctrl-D leaves. From a pipe each line is a question.";

/// The arguments of `haft chat`.
#[derive(Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChatArgs {
    /// Continue the latest conversation, or the one with this id
    #[arg(long = "continue", value_name = "ID", num_args = 0..=1)]
    pub(crate) continued: Option<Option<String>>,

    /// Answer in this role of the settings, see `haft roles`
    #[arg(long, value_name = "NAME")]
    pub(crate) role: Option<String>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,

    /// Which calls need your approval: never, destructive or always [default: destructive]
    #[arg(long, value_name = "WHEN", help_heading = "Tools")]
    pub(crate) approve: Option<ApprovalMode>,

    /// Offer every tool, whatever the question
    #[arg(long, help_heading = "Tools")]
    pub(crate) all_tools: bool,

    /// Offer no tools
    #[arg(long, conflicts_with_all = ["only", "mcp", "home"], help_heading = "Tools")]
    pub(crate) no_tools: bool,

    #[command(flatten)]
    pub(crate) kept: KeptIn,
}
