//! The arguments of `haft models`.

use clap::{Args, Subcommand};

/// The arguments of `haft models`.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  haft models\n  haft models --json\n  haft models get"
)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ModelsCommand>,

    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is done instead of listing models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Say where to get a file for `--model local:FILE`; nothing is downloaded
    Get,
}
