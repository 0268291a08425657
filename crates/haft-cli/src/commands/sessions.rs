//! `haft sessions`: the conversations that are kept.

use haft::{SavedSession, SessionSummary};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args::{ExportFormat, KeptIn, SessionsCommand};
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::sessions::{Conversations, missing, parse};
use crate::terminal;
use crate::text::{fitted, one_line};
use crate::transcript::{Detail, Transcript, write_new};

/// The maximum length of a title in the list, in characters.
const TITLE: usize = 80;

pub(crate) async fn run(command: SessionsCommand) -> Result<Exit, Failure> {
    match command {
        SessionsCommand::List { json, kept } => {
            let sessions = Conversations::open(&kept).await?.list().await?;
            match json {
                true => print_json(&sessions)?,
                false => print_text(&table(&sessions))?,
            }
        }
        SessionsCommand::Show {
            id,
            full,
            json,
            kept,
        } => {
            let session = load(&kept, &id).await?;
            if json {
                print_json(&session)?;
            } else {
                let detail = if full { Detail::Full } else { Detail::Short };
                print_text(&transcript(&session).text(detail))?;
            }
        }
        SessionsCommand::Export {
            id,
            format,
            output,
            kept,
        } => {
            let session = load(&kept, &id).await?;
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
        SessionsCommand::Delete { ids, kept } => delete(&kept, &ids).await?,
    }
    Ok(Exit::Success)
}

/// Deletes the conversations, or none if one of them is not there.
async fn delete(kept: &KeptIn, ids: &[String]) -> Result<(), Failure> {
    let store = Conversations::open(kept).await?;
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

async fn load(kept: &KeptIn, id: &str) -> Result<SavedSession, Failure> {
    let id = parse(id)?;
    let store = Conversations::open(kept).await?;
    store.load(&id).await?.ok_or_else(|| missing(&id))
}

fn transcript(session: &SavedSession) -> Transcript<'_> {
    Transcript {
        title: &session.head.title,
        model: &session.head.model,
        messages: &session.messages,
    }
}

/// One line for each conversation that fits the terminal.
pub(crate) fn table(sessions: &[SessionSummary]) -> String {
    let lines = sessions.iter().map(|session| {
        let time = Timestamp::try_from(session.head.updated).unwrap_or_default();
        let time = time
            .to_zoned(TimeZone::system())
            .strftime("%Y-%m-%d %H:%M")
            .to_string();
        let title = one_line(&session.head.title, TITLE);
        let line = format!(
            "{}  {time}  {:>3}  {title}",
            session.head.id, session.message_count
        );
        fitted(&line, terminal::width() - 1)
    });
    let lines: Vec<_> = lines.collect();
    match lines.is_empty() {
        true => "no sessions".to_owned(),
        false => lines.join("\n"),
    }
}
