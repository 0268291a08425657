//! The command `haft`.
//!
//! It adds a terminal to the library `haft`: arguments, settings, questions to the user, output
//! and exit codes. What a program could use belongs into the library.
//!
//! The way of a command: `args` reads the command line, `commands::run` hands it to the file of
//! its command, which loads `settings`, opens a `model` and a `toolbox`, puts both together in
//! `agent`, and shows what happens.
//!
//! | module | its job |
//! |---|---|
//! | `args` | the command line, from which help, completions and the man page come |
//! | `commands` | one file per subcommand |
//! | `settings` | flags before environment before `haft.toml` before defaults |
//! | `trust` | asks before a file of the current folder is acted on |
//! | `approval` | asks before a tool call runs that may do harm |
//! | `toolbox`, `model`, `agent` | what a command works with |
//! | `question`, `attachment`, `stdin`, `jsonl` | what comes in: a question, files, piped text, many lines |
//! | `trace`, `live`, `markdown`, `output` | what goes out: the trace on stderr, the answer on stdout |
//! | `sessions`, `transcript` | conversations that are kept, and how they are shown |
//! | `log`, `telemetry` | what operators see: lines on stderr, and traces and metrics for a collector |
//! | `interrupts`, `leftovers`, `watch` | Ctrl-C and signals; no process outlives the command |
//! | `attempts` | the record that `haft stats` reads |
//!
//! Two rules hold everywhere: stdout has the answer and nothing else, so that it can be piped; and
//! no text from a model, a tool or a file reaches the terminal with its control characters
//! (`text::plain`).

mod agent;
mod approval;
mod args;
mod attachment;
mod attempts;
mod bounded;
mod commands;
mod failure;
mod interrupts;
mod jsonl;
mod leftovers;
mod live;
mod log;
mod markdown;
mod model;
mod nearest;
mod output;
mod question;
mod sessions;
mod settings;
mod stdin;
#[cfg(feature = "durable")]
mod store;
mod telemetry;
mod terminal;
mod text;
mod toolbox;
mod trace;
mod transcript;
mod trust;
#[cfg(target_os = "linux")]
mod watch;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use haft::types::Secrets;
use serde_json::json;

use crate::args::{ChatArgs, Cli, Command, Verbosity};
use crate::failure::{Exit, Failure};
use crate::leftovers::Leftovers;
use crate::telemetry::Telemetry;
use crate::text::without_secrets;
use crate::trust::Trust;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long the process waits for threads that are still running, such as a DNS lookup.
const LAST_WAIT: Duration = Duration::from_millis(100);

/// Printed where `haft` is started alone and not on a terminal.
const SHORT_HELP: &str = "\
haft gives any language model reliable tools. Name a command:
  haft ask \"What time is it in Tokyo?\"   a question, an answer
  haft chat                              a conversation, one question per line of a pipe
  haft demo                              what haft does about broken replies
  haft serve                             a gateway for existing clients
  haft doctor                            what is installed, and what is missing
All commands and flags: haft --help";

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        // Checked first, because an MCP server waits for this.
        if let Some(exit) = watch::run_if_asked() {
            return exit;
        }
        watch::start_servers_watched();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let Some(command) = cli.command.or_else(chat_at_terminal) else {
        return welcome();
    };
    let telemetry = Telemetry::start();
    log::start(cli.verbosity, command.serves(), &telemetry);
    for sentence in settings::renamed::flags(std::env::args_os()) {
        settings::renamed::warn(sentence);
    }
    let json = commands::speaks_json(&command);
    let result = run(command, cli.verbosity, Trust::of_flag(cli.trust));
    telemetry.end();
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            report(&failure, json);
            failure.exit.into()
        }
    }
}

/// Prints the requested help, or the error in the arguments.
fn refuse(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // An address may be written without its scheme.
        let mut secrets = Secrets::default();
        if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
            secrets.add_url(value);
        }
        let text = secrets.mask(&error.render().ansi().to_string());
        anstream::eprint!("{}", without_secrets(&text));
    } else {
        // Writing the error failed; there is no way to report that.
        let _ = error.print();
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// What `haft` alone does where somebody sits at a terminal.
fn chat_at_terminal() -> Option<Command> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    is_terminal.then(|| Command::Chat(ChatArgs::default()))
}

/// What `haft` alone says where nobody can chat: that something is missing.
fn welcome() -> ExitCode {
    output::say(SHORT_HELP);
    Exit::Usage.into()
}

fn run(command: Command, verbosity: Verbosity, trust: Trust) -> Result<Exit, Failure> {
    let _leftovers = Leftovers::adopt();
    // One thread starts faster than several, and a command mostly waits.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(async {
        #[cfg(target_os = "linux")]
        Leftovers::reap();
        commands::run(command, verbosity, trust).await
    });
    runtime.shutdown_timeout(LAST_WAIT);
    result
}

/// Prints an error on stderr, and for a program that reads JSON also on stdout.
fn report(failure: &Failure, json: bool) {
    failure.say();
    if json {
        // Writing the error failed; there is no way to report that.
        let _ = output::print_json(&json!({"error": failure.message, "hint": failure.hint}));
    }
}
