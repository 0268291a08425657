//! `haft store`: creates, checks, saves and erases.

use std::time::SystemTime;

use haft::durable::{StoreKey, StoreReport};

use crate::args::StoreCommand;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::sessions;
use crate::store::open;

/// Looks after a store.
pub(super) async fn store(command: StoreCommand) -> Result<Exit, Failure> {
    match command {
        StoreCommand::Migrate { store } => {
            open(&store).await?;
            print_text("the tables are up to date")?;
        }
        StoreCommand::Check { json, store } => {
            let report = open(&store).await?.check().await?;
            match json {
                true => print_json(&report)?,
                false => print_text(&page(&report))?,
            }
            if !report.problems.is_empty() {
                return Err(Failure::new("The store has problems"));
            }
        }
        StoreCommand::Backup { file, store } => {
            open(&store).await?.backup(&file).await?;
            print_text(&format!("saved as {}", file.display()))?;
        }
        StoreCommand::Key { file } => {
            StoreKey::create(&file)?;
            let file = file.display();
            print_text(&format!(
                "the key is in {file}; without it, nobody can read the store"
            ))?;
        }
        StoreCommand::Erase(arguments) => {
            let store = open(&arguments.store).await?;
            if let Some(run) = &arguments.run {
                store.erase(run).await?;
                print_text(&format!("{run} is erased"))?;
            } else if let Some(id) = &arguments.session {
                let id = sessions::parse(id)?;
                if !store.sessions().delete(&id).await? {
                    return Err(sessions::missing(&id));
                }
                print_text(&format!("{id} is erased"))?;
            } else if let Some(age) = arguments.older_than {
                let before = SystemTime::now() - age;
                let runs = store.erase_before(before).await?;
                let sessions = store.sessions().delete_before(before).await?;
                print_text(&format!("erased: {runs} runs, {sessions} sessions"))?;
            }
        }
    }
    Ok(Exit::Success)
}

fn page(report: &StoreReport) -> String {
    let runs = report.runs.iter();
    let runs = runs.map(|(state, count)| format!("{state}: {count}"));
    let sessions = format!("sessions: {}", report.sessions);
    let workers = format!("workers: {}", report.workers);
    let problems = report.problems.iter().cloned();
    let lines = runs.chain([sessions, workers]).chain(problems);
    lines.collect::<Vec<_>>().join("\n")
}
