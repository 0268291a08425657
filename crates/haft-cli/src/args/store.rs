//! The flags for a store that several processes or machines share.

#[cfg(feature = "durable")]
use std::path::PathBuf;

use clap::Args;

/// Where keys, limits, runs and shared sessions are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StoreArgs {
    /// The store that several processes or machines share: sqlite:FILE or
    /// postgres://USER@HOST/DATABASE [default: files in the state folder]
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "HAFT_STORE",
        hide_env_values = true,
        help_heading = "Store"
    )]
    pub(crate) store: Option<String>,

    /// The file with the key of an encrypted store; `haft store key` makes one
    #[cfg(feature = "durable")]
    #[arg(
        long,
        value_name = "FILE",
        env = "HAFT_STORE_KEY",
        help_heading = "Store"
    )]
    pub(crate) store_key: Option<PathBuf>,
}
