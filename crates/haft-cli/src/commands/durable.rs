//! `haft run`, `runs`, `approvals`, `work` and `store`: runs that survive the process that works on
//! them.

mod page;
mod store;
mod watch;
mod work;

use haft::SessionId;
use haft::durable::{Decision, DurableStore, Repetition, RunOptions, RunState};

use crate::args::{ApprovalsCommand, DurableCommand, RunArgs, RunsCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::{print_json, print_text, say};
use crate::question::{self, Asked};
use crate::sessions;
use crate::stdin::Stdin;
use crate::store::open;
use crate::trace::Trace;
use crate::trust::Trust;

pub(crate) async fn run(
    command: DurableCommand,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    match command {
        DurableCommand::Run(arguments) => until_interrupted(submit(arguments, verbosity)).await,
        DurableCommand::Runs(command) => until_interrupted(runs(command)).await,
        DurableCommand::Approvals(command) => until_interrupted(approvals(command)).await,
        DurableCommand::Store(command) => until_interrupted(store::store(command)).await,
        DurableCommand::Work(arguments) => work::work(arguments, verbosity, trust).await,
    }
}

async fn until_interrupted(
    work: impl Future<Output = Result<Exit, Failure>>,
) -> Result<Exit, Failure> {
    Interrupts::listen()?.unless(work).await?
}

/// Puts a question into the store, and waits for the answer unless it is detached.
async fn submit(arguments: RunArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let trace = Trace::new(verbosity);
    let stdin = Stdin {
        trace: &trace,
        timeout: None,
    };
    let asked = Asked {
        words: &arguments.query,
        files: &[],
        images: &[],
    };
    let question = question::read(asked, stdin)?.text();
    let store = open(&arguments.store).await?;
    if let Some(every) = arguments.every {
        let time_zone = time_zone();
        say(format_args!(
            "asked at {every} in the time zone {time_zone}"
        ));
        let repetition = Repetition {
            queue: arguments.queue,
            every,
            time_zone,
        };
        print_text(&store.repeat(question, repetition).await?)?;
        return Ok(Exit::Success);
    }
    let mut options = RunOptions::default();
    options.queue = arguments.queue;
    options.at = arguments.at;
    options.session = match &arguments.session {
        Some(wanted) => Some(session(&store, wanted).await?),
        None => None,
    };
    let run = store.submit_with(question, options).await?;
    if arguments.detach || arguments.at.is_some() {
        print_text(&run)?;
        return Ok(Exit::Success);
    }
    say(format_args!(
        "run {run}; `haft work` answers it, also after Ctrl-C here"
    ));
    match store.finished(&run).await? {
        RunState::Answered { text } => print_text(&text)?,
        state => return Err(Failure::new(page::sentence(&state))),
    }
    Ok(Exit::Success)
}

/// The session of a run: one of the store, or a new one, whose id is printed.
async fn session(store: &DurableStore, wanted: &str) -> Result<SessionId, Failure> {
    if wanted != "new" {
        return sessions::parse(wanted);
    }
    let id = store.sessions().create(None).await?;
    say(format_args!("session {id}"));
    Ok(id)
}

/// The IANA name of this machine's time zone.
fn time_zone() -> String {
    let zone = jiff::tz::TimeZone::system();
    zone.iana_name().unwrap_or("UTC").to_owned()
}

/// Lists, shows, watches, ends and continues runs.
async fn runs(command: RunsCommand) -> Result<Exit, Failure> {
    match command {
        RunsCommand::List { json, store } => {
            let runs = open(&store).await?.list().await?;
            match json {
                true => print_json(&runs)?,
                false => print_text(&page::table(&runs))?,
            }
        }
        RunsCommand::Show {
            run,
            steps: true,
            json,
            store,
        } => {
            let steps = open(&store).await?.steps(&run).await?;
            match json {
                true => print_json(&steps)?,
                false => print_text(&page::steps(&steps))?,
            }
        }
        RunsCommand::Show {
            run, json, store, ..
        } => {
            let run = open(&store).await?.show(&run).await?;
            match json {
                true => print_json(&run)?,
                false => print_text(&page::page(&run))?,
            }
        }
        RunsCommand::Cancel { run, store } => {
            open(&store).await?.cancel(&run).await?;
            print_text(&format!("{run} is cancelled"))?;
        }
        RunsCommand::Watch { run, store } => watch::watch(&open(&store).await?, &run).await?,
        RunsCommand::Retry { run, store } => {
            open(&store).await?.retry(&run).await?;
            print_text(&format!("{run} goes on"))?;
        }
        RunsCommand::Fork { run, keep, store } => {
            print_text(&open(&store).await?.fork(&run, keep).await?)?;
        }
        RunsCommand::Resume { run, decide, store } => {
            open(&store).await?.decide(&run, decide.into()).await?;
            print_text(&format!("{run} goes on"))?;
        }
    }
    Ok(Exit::Success)
}

/// Lists what waits for a person, and decides it.
async fn approvals(command: ApprovalsCommand) -> Result<Exit, Failure> {
    match command {
        ApprovalsCommand::List { json, store } => {
            let mut runs = open(&store).await?.list().await?;
            runs.retain(|run| matches!(run.state, RunState::Waiting(_)));
            match json {
                true => print_json(&runs)?,
                false => print_text(&page::table(&runs))?,
            }
        }
        ApprovalsCommand::Allow { run, store } => {
            open(&store).await?.decide(&run, Decision::Allow).await?;
            print_text(&format!("{run} is allowed"))?;
        }
        ApprovalsCommand::Deny { run, store } => {
            open(&store).await?.decide(&run, Decision::Deny).await?;
            print_text(&format!("{run} is denied"))?;
        }
    }
    Ok(Exit::Success)
}
