//! `haft run`, `runs`, `approvals` and `work`: runs that survive the process that works on them.

mod page;
mod work;

use haft::durable::{Decision, DurableStore, RunState};

pub(crate) use self::work::work;
use crate::args::{ApprovalsCommand, RunArgs, RunsCommand, StoreArgs, Verbosity};
use crate::attempts::state_file;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text, say};
use crate::question::{self, Asked};
use crate::stdin::Stdin;
use crate::trace::Trace;

/// Puts a question into the store, and waits for the answer unless it is detached.
pub(crate) async fn run(arguments: RunArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
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
    let run = store.submit(question).await?;
    if arguments.detach {
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

/// Lists, shows, cancels and continues runs.
pub(crate) async fn runs(command: RunsCommand) -> Result<Exit, Failure> {
    match command {
        RunsCommand::List { json, store } => {
            let runs = open(&store).await?.list().await?;
            match json {
                true => print_json(&runs)?,
                false => print_text(&page::table(&runs))?,
            }
        }
        RunsCommand::Show { run, json, store } => {
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
        RunsCommand::Resume { run, decide, store } => {
            open(&store).await?.decide(&run, decide.into()).await?;
            print_text(&format!("{run} goes on"))?;
        }
    }
    Ok(Exit::Success)
}

/// Lists what waits for a person, and decides it.
pub(crate) async fn approvals(command: ApprovalsCommand) -> Result<Exit, Failure> {
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

/// Opens the store that was named, or the file in the state folder.
async fn open(arguments: &StoreArgs) -> Result<DurableStore, Failure> {
    if let Some(address) = &arguments.store {
        return Ok(DurableStore::open(address).await?);
    }
    let file = state_file("runs.db")?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let address = format!("sqlite:{}", file.display());
    Ok(DurableStore::open(&address).await?)
}
