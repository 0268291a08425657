//! The command line of `haft eval`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use haft::RecoveryStep;

use super::ModelArgs;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvalArgs {
    /// The dataset: `home-50`, a folder with cases.jsonl and tools.jsonl, or a file of cases
    #[arg(
        value_name = "DATASET",
        value_hint = ValueHint::AnyPath,
        required_unless_present_any = ["compare", "list"]
    )]
    pub(crate) dataset: Option<String>,

    /// Say what got better and what worse between two runs: what `--json` printed, or run files
    #[arg(
        long,
        num_args = 2,
        value_names = ["BEFORE", "AFTER"],
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["dataset", "list"]
    )]
    pub(crate) compare: Option<Vec<PathBuf>>,

    /// List datasets, and where to get them
    #[arg(long, conflicts_with = "dataset")]
    pub(crate) list: bool,

    /// At most N cases, taken from every category in turn
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<NonZeroUsize>,

    /// Only this category; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) category: Vec<String>,

    /// The number of cases that run at once
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) jobs: NonZeroUsize,

    /// Leave out a recovery step, such as without_tools; several with commas
    #[arg(long, value_name = "RUNG", value_delimiter = ',')]
    pub(crate) without: Vec<RecoveryStep>,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write the results as an HTML page
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Store the results in this file, and resume from it; without it a file in the state
    /// folder is used
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) run: Option<PathBuf>,

    /// Forget earlier results of this run
    #[arg(long, help_heading = "Output")]
    pub(crate) restart: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

const EXAMPLES: &str = "\
Examples:
  haft eval home-50 --model ollama:qwen3:0.6b
  haft eval home-50 --model builtin --report report.html
  haft eval home-50 --model ollama:qwen3:0.6b --without constrained_call,without_tools
  haft eval home-50 --model builtin -v
  haft eval ./my-questions --model openai:qwen3@http://localhost:8080/v1 --limit 200 --jobs 4
  haft eval home-50 --model flaky:qwen3-0.6b+pessimistic@7
  haft eval --compare before.json after.json
  haft eval --list

`-v` shows the wrong cases. A run that was cut goes on when it is started again in the same way.
`flaky[:PROFILE][+BEHAVIOUR][@SEED]` is no model but a simulation of one.";
