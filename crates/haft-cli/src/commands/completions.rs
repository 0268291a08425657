//! `haft completions`: prints a shell completion script.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::output::write_raw;

pub(crate) fn run(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "haft", &mut script);
    write_raw(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
