//! The command line of `haft config`.

use clap::{Args, Subcommand};

use super::{McpArgs, ModelArgs};

/// The subcommands of `haft config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting in force and where it comes from
    #[command(
        after_help = "Examples:\n  haft config show\n  haft config show --model builtin --json"
    )]
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        model: ModelArgs,
        #[command(flatten)]
        mcp: McpArgs,
    },
    /// Write a settings file in which every setting is explained
    Init(ConfigInitArgs),
    /// Change one setting, and keep the comments of the file
    Set(ConfigSetArgs),
    /// Print the path of your settings file, whether it is there or not
    #[command(after_help = "Examples:\n  haft config path\n  $EDITOR \"$(haft config path)\"")]
    Path,
}

/// The arguments of `haft config init`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  haft config init\n  haft config init --here")]
pub(crate) struct ConfigInitArgs {
    /// Write haft.toml in this folder instead of the one in your configuration folder
    #[arg(long)]
    pub(crate) here: bool,

    /// Replace a file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

/// The arguments of `haft config set`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  haft config set model.name ollama:qwen3:0.6b\n  haft config set tools.timeout 60\n  haft config set --here store.sessions false"
)]
pub(crate) struct ConfigSetArgs {
    /// The setting, as `haft config show` names it
    pub(crate) key: String,

    /// The value: a number, true, false, a text, or a list as in TOML
    #[arg(allow_negative_numbers = true)]
    pub(crate) value: String,

    /// Change haft.toml in this folder instead of the one in your configuration folder
    #[arg(long)]
    pub(crate) here: bool,
}
