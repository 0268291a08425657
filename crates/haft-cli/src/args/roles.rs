//! The command line of `haft roles`.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  haft roles
  haft roles translator
  haft ask --role translator \"Good morning\"
  haft chat --role translator

A role is a section of haft.toml:
  [[role]]
  name = \"translator\"
  system = \"Translate what you are given into French.\"
  model = \"ollama:qwen3:4b\"   # optional
  tools = []                  # optional: the names of the tools it gets; all if empty";

/// The arguments of `haft roles`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RolesArgs {
    /// The role to show; without it all are listed
    pub(crate) name: Option<String>,

    /// Print JSON: an array, or the object of one role
    #[arg(long)]
    pub(crate) json: bool,
}
