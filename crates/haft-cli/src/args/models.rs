//! The arguments of `haft models`.

use clap::Args;

/// The arguments of `haft models`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft models\n  haft models --json")]
pub(crate) struct ModelsArgs {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}
