//! `haft sessions`: the conversations that are kept.

use haft::{SavedSession, SessionStore, SessionSummary};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args::{ExportFormat, SessionsCommand};
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::sessions::{missing, parse, store};
use crate::terminal;
use crate::text::{fitted, one_line};
use crate::transcript::{Detail, Transcript, write_new};

/// The maximum length of a title in the list, in characters.
const TITLE: usize = 80;

pub(crate) async fn run(command: SessionsCommand) -> Result<Exit, Failure> {
    let store = store()?;
    match command {
        SessionsCommand::List { json: true } => print_json(&store.list().await?)?,
        SessionsCommand::List { json: false } => print_text(&table(&store.list().await?))?,
        SessionsCommand::Show { id, full, json } => {
            let session = load(&store, &id).await?;
            if json {
                print_json(&session)?;
            } else {
                let detail = if full { Detail::Full } else { Detail::Short };
                print_text(&transcript(&session).text(detail))?;
            }
        }
        SessionsCommand::Export { id, format, output } => {
            let session = load(&store, &id).await?;
            let text = match format {
                ExportFormat::Markdown => transcript(&session).markdown(),
                ExportFormat::Json => serde_json::to_string_pretty(&session)
                    .map_err(|error| Failure::new(format!("This cannot be JSON: {error}")))?,
            };
            match output {
                Some(path) => write_new(&path, &(text + "\n"))?,
                None => print_text(&text)?,
            }
        }
        SessionsCommand::Delete { ids } => delete(&store, &ids).await?,
    }
    Ok(Exit::Success)
}

/// Deletes the conversations, or none if one of them is not there.
async fn delete(store: &SessionStore, ids: &[String]) -> Result<(), Failure> {
    let ids = ids
        .iter()
        .map(|id| parse(id))
        .collect::<Result<Vec<_>, _>>()?;
    for id in &ids {
        store.load(id).await?.ok_or_else(|| missing(id))?;
    }
    for id in &ids {
        store.delete(id).await?;
        print_text(&format!("{id} is deleted"))?;
    }
    Ok(())
}

async fn load(store: &SessionStore, id: &str) -> Result<SavedSession, Failure> {
    let id = parse(id)?;
    store.load(&id).await?.ok_or_else(|| missing(&id))
}

fn transcript(session: &SavedSession) -> Transcript<'_> {
    Transcript {
        title: &session.title,
        model: &session.model,
        messages: &session.messages,
    }
}

/// One line for each conversation that fits the terminal.
pub(crate) fn table(sessions: &[SessionSummary]) -> String {
    let lines = sessions.iter().map(|session| {
        let time = Timestamp::try_from(session.updated).unwrap_or_default();
        let time = time
            .to_zoned(TimeZone::system())
            .strftime("%Y-%m-%d %H:%M")
            .to_string();
        let title = one_line(&session.title, TITLE);
        let line = format!(
            "{}  {time}  {:>3}  {title}",
            session.id, session.message_count
        );
        fitted(&line, terminal::width() - 1)
    });
    let lines: Vec<_> = lines.collect();
    match lines.is_empty() {
        true => "no sessions".to_owned(),
        false => lines.join("\n"),
    }
}
