//! The command line of `haft keys`.

use clap::{Args, Subcommand};
use haft::gateway::Priority;

const EXAMPLES: &str = "\
Examples:
  haft keys add alice
  haft keys add kitchen --models qwen3:0.6b,llama3.2 --requests-per-minute 30
  haft keys add class-7b --tokens-per-day 2000000 --priority low
  haft keys list
  haft keys revoke alice
  haft keys list --store postgres://haft@db.example/haft

As soon as there is a key, every request to `haft serve` needs one, or the operator's --token.
Gateways that are running notice within a second or so.";

/// The arguments of `haft keys`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct KeysArgs {
    /// Where the keys are: sqlite:FILE or postgres://USER@HOST/DATABASE, as for `haft serve`
    /// [default: keys.db in the state folder]
    #[arg(
        long,
        global = true,
        value_name = "ADDRESS",
        env = "HAFT_STORE",
        hide_env_values = true
    )]
    pub(crate) store: Option<String>,

    #[command(subcommand)]
    pub(crate) command: KeysCommand,
}

/// The subcommands of `haft keys`.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Add a key for a user or an application, and print its secret
    #[command(after_help = EXAMPLES)]
    Add(KeysAddArgs),
    /// List the keys, their limits, and what was used today
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key
    Revoke {
        /// The name of the key
        name: String,
    },
}

/// The arguments of `haft keys add`.
#[derive(Args, Debug)]
pub(crate) struct KeysAddArgs {
    /// The name of the user or the application: letters, digits, -, _, . and @
    pub(crate) name: String,

    /// The models that may be used, separated by commas [default: all]
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    pub(crate) models: Vec<String>,

    /// The maximum number of requests per minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) requests_per_minute: Option<u32>,

    /// The maximum number of tokens per minute, prompts and replies together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tokens_per_minute: Option<u64>,

    /// The maximum number of tokens per day (UTC), prompts and replies together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tokens_per_day: Option<u64>,

    /// The share in busy model servers: low, normal or high; 1, 4 and 16 requests in turn
    #[arg(long, value_name = "PRIORITY", default_value = "normal")]
    pub(crate) priority: Priority,

    /// Do not offer models the tools of the gateway for this key
    #[arg(long)]
    pub(crate) no_server_tools: bool,

    /// Print one JSON object with the name and the secret
    #[arg(long)]
    pub(crate) json: bool,
}
