//! The arguments of `haft models`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  haft models
  haft models --json
  haft models get

Asked are the configured servers, the [[upstream]] sections, and this machine at ports 8080
(llama.cpp), 1234 (LM Studio) and 8000 (vLLM), or those in HAFT_LOCAL_PORTS. No model is run.";

/// The arguments of `haft models`.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
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
