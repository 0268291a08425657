//! The flags of `haft ask`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use haft::RecoveryStep;
use haft::tools::ApprovalMode;

use super::model::ModelArgs;
use super::sessions::KeptIn;
use super::tools::ToolArgs;

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
