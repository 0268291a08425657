//! The command line of `haft extract`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use haft::extract::BareCalls;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExtractArgs {
    /// The reply of a model; read from stdin when absent or `-`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    /// The available tools, as JSON: definitions in the form of haft, OpenAI, Anthropic or
    /// MCP; without it every name is accepted
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tools: Option<PathBuf>,

    /// The format in which calls are expected, such as hermes; without it all are recognised
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,

    /// The model's chat template, in Jinja or Go: a hint at the format, and at whether the reply
    /// starts inside thinking
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "format")]
    pub(crate) template: Option<PathBuf>,

    /// The model was trained to write calls as text: a bare call counts anywhere in a line
    #[arg(long)]
    pub(crate) text_mode: bool,

    /// Whether bare calls next to other text count: always, never, or judged by the
    /// words around them [default: judged]
    #[arg(long, value_name = "WHEN")]
    pub(crate) bare_calls: Option<BareCalls>,

    /// A reply of nothing but reasoning makes the calls that end it, if their tools only read
    #[arg(long)]
    pub(crate) thought_calls: bool,

    /// The reply starts inside reasoning: its opening tag was in the prompt
    #[arg(long)]
    pub(crate) starts_thinking: bool,

    /// Feed the reply in pieces of N bytes, as a stream would
    #[arg(long, value_name = "N")]
    pub(crate) split: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show how the reply was read, piece by piece
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) explain: bool,

    /// Read many replies, one JSON object a line, and print one object a line in the same order
    #[arg(long, conflicts_with_all = ["json", "explain"], help_heading = "Output")]
    pub(crate) jsonl: bool,
}

const EXAMPLES: &str = "\
Examples:
  haft extract reply.txt
  haft tools list --home demo --json > tools.json
  haft extract --tools tools.json --explain reply.txt
  ollama run gemma3 \"...\" | haft extract --tools tools.json --json
  haft extract --jsonl replies.jsonl > calls.jsonl

A line for --jsonl is {\"id\", \"reply\", \"tools\"?, \"format\"?, \"text_mode\"?, \"bare_calls\"?,
\"thought_calls\"?, \"starts_thinking\"?};
the answer to it {\"id\", \"calls\", \"content\", \"reasoning\", \"invalid\", \"repairs\", \"format\"},
or {\"id\", \"error\"} for a line that cannot be read.";
