//! The subcommands of `haft store`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand};

use super::{StoreArgs, values};

const EXAMPLES: &str = "\
Examples:
  haft store check
  haft store backup runs-saved.db
  haft store erase --older-than 90d
  haft store migrate --store postgres://haft@db.example/haft";

/// The subcommands of `haft store`.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum StoreCommand {
    /// Create the tables of a store, or bring them up to date; every command does so as well
    Migrate {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Read everything, and say what is there and what is wrong
    Check {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Save a SQLite store into a new file, also while workers use it
    Backup {
        /// The new file
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Make the key of an encrypted store, in a new file
    Key {
        /// The new file
        file: PathBuf,
    },
    /// Erase runs that have ended, with all that is recorded of them, and sessions
    Erase(EraseArgs),
}

/// The arguments of `haft store erase`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct EraseArgs {
    /// The id of a run
    #[arg(group = "what")]
    pub(crate) run: Option<String>,

    /// A session, with the runs that were asked in it
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) session: Option<String>,

    /// All runs that ended, and all sessions that were continued last, so long ago, such as 90d
    #[arg(long, value_name = "TIME", group = "what", value_parser = values::past)]
    pub(crate) older_than: Option<Duration>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
