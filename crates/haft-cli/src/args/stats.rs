//! The command line of `haft stats`.

use std::time::Duration;

use clap::Args;

use super::{StoreArgs, values};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// Only models whose name contains this text
    #[arg(short, long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Only questions of the last period, such as 30m, 12h, 7d or 4w
    #[arg(long, value_name = "TIME", value_parser = values::past)]
    pub(crate) since: Option<Duration>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  haft stats
  haft stats --model qwen3 --since 7d
  haft stats --json
  haft stats --store sqlite:shared.db

Counted are the questions of `haft ask` and `haft chat`, and those of a `haft serve` with a store:
what came of the first try, and of each recovery step. No question and no answer is kept. In
haft.toml, [store] attempts = false switches it off.";
