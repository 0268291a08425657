//! The command lines of durable runs: `run`, `runs`, `approvals`, `work` and `store`.

mod moment;
mod store;

use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand, ValueEnum};
use haft::durable::{DEFAULT_QUEUE, Decision};
use haft::tools::ApprovalMode;

pub(crate) use self::store::StoreCommand;
use super::values;
use super::{ModelArgs, StoreArgs, ToolArgs};

const EXAMPLES: &str = "\
Examples:
  haft work --model ollama:qwen3:4b --mcp servers.json
  haft run --detach \"Order the parts on the list\"
  haft runs list
  haft approvals allow RUN
  haft runs watch RUN
  haft run --at 18:00 \"Water the garden\"
  haft run --every \"0 7 * * 1-5\" \"What is new?\"
  haft work --store postgres://haft@db.example/haft --slots 8";

/// The commands of durable runs.
#[derive(Debug, Subcommand)]
pub(crate) enum DurableCommand {
    /// Put a question into a store, for a worker that may outlive this process
    Run(RunArgs),
    /// List, show, watch, end and continue runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// List and decide the calls of runs that wait for a person
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// Work on the runs of a store until stopped
    Work(WorkArgs),
    /// Check and save a store of runs, and erase runs
    #[command(subcommand)]
    Store(StoreCommand),
}

impl DurableCommand {
    /// Whether stdout is JSON for a program.
    pub(crate) fn speaks_json(&self) -> bool {
        match self {
            Self::Runs(RunsCommand::List { json, .. } | RunsCommand::Show { json, .. })
            | Self::Approvals(ApprovalsCommand::List { json, .. })
            | Self::Store(StoreCommand::Check { json, .. }) => *json,
            _ => false,
        }
    }
}

/// The arguments of `haft run`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// The question; read from stdin when absent or `-`
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// Print the id of the run and do not wait for its answer
    #[arg(long)]
    pub(crate) detach: bool,

    /// Begin at this time, such as 18:00 or "2030-01-31 18:00"; prints the id of the run
    #[arg(long, value_name = "TIME", value_parser = moment::moment)]
    pub(crate) at: Option<SystemTime>,

    /// Ask again and again: minute, hour, day, month and day of the week, as in cron; prints the id
    /// of the schedule, which `haft runs cancel` ends
    #[arg(long, value_name = "CRON", conflicts_with = "at")]
    pub(crate) every: Option<String>,

    /// The queue of the workers that answer
    #[arg(long, value_name = "NAME", default_value = DEFAULT_QUEUE)]
    pub(crate) queue: String,

    /// Ask in this session of the store, which `haft sessions list` shows, or in a new one; no other
    /// question is answered in it before the run has ended
    #[arg(long, value_name = "ID|new", conflicts_with = "every")]
    pub(crate) session: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `haft work`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkArgs {
    /// How many runs are worked on at once; runs that wait for a person do not count
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=1000)
    )]
    pub(crate) slots: u16,

    /// The queue whose runs are worked on
    #[arg(long, value_name = "NAME", default_value = DEFAULT_QUEUE)]
    pub(crate) queue: String,

    /// How long calls under way may take after Ctrl-C, such as 30s or 2m
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::duration)]
    pub(crate) grace: Duration,

    /// Erase runs this long after their end, and sessions after their last question, such as 90d
    /// [default: keep them]
    #[arg(long, value_name = "TIME", value_parser = values::past)]
    pub(crate) keep: Option<Duration>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) tools: ToolArgs,

    /// Which calls need a person's approval: never, destructive or always [default: destructive]
    #[arg(long, value_name = "WHEN", help_heading = "Tools")]
    pub(crate) approve: Option<ApprovalMode>,
}

/// The subcommands of `haft runs`.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum RunsCommand {
    /// List the newest runs
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show a run: its answer, or what it waits for
    Show {
        /// The id of the run
        run: String,
        /// Show what is recorded, step by step
        #[arg(long)]
        steps: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show what a run does until it ends, and its answer
    Watch {
        /// The id of the run
        run: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// End a schedule, or cancel a run; a tool call that is under way is not taken back
    Cancel {
        /// The id of the run
        run: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Go on with a run that failed or was cancelled
    Retry {
        /// The id of the run
        run: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Ask the question of a run again, and print the id of the new run
    Fork {
        /// The id of the run
        run: String,
        /// The number of recorded steps that the new run begins with
        #[arg(long, value_name = "N", default_value_t = 0)]
        keep: usize,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Continue a run that stopped because nobody knows whether a call took effect
    Resume {
        /// The id of the run
        run: String,
        /// What became of the call: it took effect, it did not, or it is to be run again
        #[arg(long, value_name = "WHAT")]
        decide: CallFate,
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// The subcommands of `haft approvals`.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum ApprovalsCommand {
    /// List the runs that wait for a person
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Allow the call that a run waits with
    Allow {
        /// The id of the run
        run: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Deny the call that a run waits with
    Deny {
        /// The id of the run
        run: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// What a person says about a call that was cut off.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CallFate {
    /// It took effect
    Did,
    /// It had no effect
    DidNot,
    /// It is to be run again
    Repeat,
}

impl From<CallFate> for Decision {
    fn from(fate: CallFate) -> Self {
        match fate {
            CallFate::Did => Self::Did,
            CallFate::DidNot => Self::DidNot,
            CallFate::Repeat => Self::Repeat,
        }
    }
}
