//! The command line of `haft select`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SelectArgs {
    /// The query, or with --jsonl a file of lines; read from stdin when absent or `-`
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// The available tools, as JSON: definitions in the form of haft, OpenAI, Anthropic or
    /// MCP; `examples` in one may list questions for which it is right
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tools: PathBuf,

    /// Exactly the N best tools; without it those that would be offered
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Read many queries, one JSON object a line, and print one object a line in the same order
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) jsonl: bool,
}

const EXAMPLES: &str = "\
Examples:
  haft tools list --home demo --json > tools.json
  haft select --tools tools.json \"Is the front door locked?\"
  haft select --tools tools.json --top 5 --json \"Make it warmer\"
  haft select --tools tools.json --top 10 --jsonl queries.jsonl > tools.jsonl

A line for --jsonl is {\"id\", \"query\"}; the answer to it {\"id\", \"tools\": [name...]}, best
first, or {\"id\", \"error\"} for a line that cannot be read.";
