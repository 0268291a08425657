//! The flags of `haft doctor`.

use clap::Args;

use super::tools::McpArgs;
use super::values::{self, HomeSpec};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  haft doctor\n  haft doctor --model openai:any@http://127.0.0.1:8080/v1\n  haft doctor --home ws://127.0.0.1:3000\n  haft doctor --mcp servers.json --json"
)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// The model to check: its server is asked whether it has the model and gives it tools
    /// [env: HAFT_MODEL]
    #[arg(short, long)]
    pub(crate) model: Option<String>,

    /// Also check this smart-home backend: `demo`, `demo:FILE`, or a Z-Wave JS server such as
    /// ws://127.0.0.1:3000
    #[arg(long, value_name = "HOME", value_parser = values::home)]
    pub(crate) home: Option<HomeSpec>,

    #[command(flatten)]
    pub(crate) mcp: McpArgs,
}
