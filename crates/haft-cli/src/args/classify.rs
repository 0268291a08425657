//! The command line of `haft classify`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClassifyArgs {
    /// The query, in English; read from stdin when absent or `-`. With --jsonl the file instead
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Read many queries, one JSON object a line, and print one object a line in the same order
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) jsonl: bool,
}

const EXAMPLES: &str = "\
Examples:
  haft classify turn on the kitchen light
  haft classify --json \"What time is it, and is the hall lamp on?\"
  haft classify --jsonl queries.jsonl > intents.jsonl

A line for --jsonl is {\"id\", \"text\"}; the answer to it {\"id\", \"label\", \"scores\", \"tool_groups\"}, or
{\"id\", \"error\"} for a line that cannot be read. \"tool_groups\" is null when nothing is withheld:
the text is not English, or no intent is likely enough.";
