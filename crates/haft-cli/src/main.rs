//! The command `haft`. `args` is the command line, `commands` has one file per command,
//! `settings` what is configured, `attempts` what is recorded, `jsonl` reads many lines, `approval` asks before a call runs, `toolbox`, `model` and `agent` are what a
//! command works with, `trace` and `output` what it says. Everything that a program could use
//! stands in the library `haft`.

mod agent;
mod approval;
mod args;
#[cfg(feature = "store")]
mod attempts;
#[cfg(not(feature = "store"))]
#[path = "attempts/off.rs"]
mod attempts;
mod bounded;
mod commands;
mod failure;
mod interrupts;
mod jsonl;
mod live;
mod log;
mod model;
mod nearest;
mod output;
mod question;
mod settings;
mod text;
mod toolbox;
mod trace;

use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Parser;
use serde_json::json;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::text::plain;

/// How long the process waits for threads that are still at work, such as a name look-up.
const LAST_WAIT: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let cli = Cli::parse();
    log::start(cli.verbosity, cli.command.serves());
    let json = commands::speaks_json(&cli.command);
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            report(&failure, json);
            failure.exit.into()
        }
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    // One thread starts sooner than many, and a command waits more than it works.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(commands::run(cli.command, cli.verbosity));
    runtime.shutdown_timeout(LAST_WAIT);
    result
}

/// Says on stderr what went wrong; to a program that reads JSON also on stdout.
fn report(failure: &Failure, json: bool) {
    const BAD: Style = AnsiColor::Red.on_default().bold();
    const CAUTION: Style = AnsiColor::Yellow.on_default();
    let message = plain(&failure.message);
    match failure.exit {
        Exit::Interrupted | Exit::Terminated => anstream::eprintln!("{message}"),
        _ => anstream::eprintln!("{BAD}error:{BAD:#} {message}"),
    }
    if let Some(hint) = &failure.hint {
        anstream::eprintln!("{CAUTION}hint:{CAUTION:#} {}", plain(hint));
    }
    if json {
        // There is no way left to report that this failed too.
        let _ = output::print_json(&json!({"error": failure.message, "hint": failure.hint}));
    }
}
