//! The command line of `haft sessions`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

const EXAMPLES: &str = "\
Examples:
  haft sessions list
  haft sessions show k7m2x
  haft sessions export k7m2x > talk.md
  haft sessions export k7m2x --format json --output talk.json
  haft sessions delete k7m2x
  haft chat --continue k7m2x

The ids are those of `haft sessions list`. `haft ask` and `haft chat` keep their conversations,
unless [store] sessions = false in haft.toml.";

/// Where conversations are kept: in the state folder, or in a store that several machines use.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct KeptIn {
    #[cfg(feature = "durable")]
    #[command(flatten)]
    pub(crate) store: super::store::StoreArgs,
}

impl KeptIn {
    /// The address of the store that was named.
    pub(crate) fn address(&self) -> Option<&str> {
        #[cfg(feature = "durable")]
        return self.store.store.as_deref();
        #[cfg(not(feature = "durable"))]
        None
    }
}

/// The subcommands of `haft sessions`.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum SessionsCommand {
    /// List the conversations, the latest first
    #[command(after_help = EXAMPLES)]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        kept: KeptIn,
    },
    /// Show a conversation: questions, calls and answers
    #[command(after_help = EXAMPLES)]
    Show {
        /// The id of the conversation
        id: String,
        /// Also show long results of tools whole, and the reasoning of the model
        #[arg(long)]
        full: bool,
        /// Print one JSON object with all messages
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        kept: KeptIn,
    },
    /// Write a conversation as Markdown or JSON
    #[command(after_help = EXAMPLES)]
    Export {
        /// The id of the conversation
        id: String,
        /// The format
        #[arg(long, value_name = "FORMAT", default_value = "markdown")]
        format: ExportFormat,
        /// The file to write, which must not exist [default: stdout]
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
        #[command(flatten)]
        kept: KeptIn,
    },
    /// Delete conversations for good
    #[command(after_help = EXAMPLES)]
    Delete {
        /// The ids of the conversations
        #[arg(required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        kept: KeptIn,
    },
}

/// The format of an exported conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// For people, with everything that was said and done
    Markdown,
    /// One object with the messages in their standard form
    Json,
}
