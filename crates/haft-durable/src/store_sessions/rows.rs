//! The tables of sessions: writing a conversation, reading one or the list of them.

use std::time::{Duration, SystemTime};

use haft_agent::{SavedSession, SessionHead, SessionId, SessionSummary};
use haft_core::Message;

use crate::cipher::{read, stored};
use crate::database::{Bound, Transaction};
use crate::error::{DurableError, DurableErrorKind};
use crate::store::{DurableStore, milliseconds};

/// How often an id that is taken is drawn anew.
const DRAWS: usize = 50;

/// The number of sessions in a list.
const LISTED: i64 = 1000;

/// The next state of a session.
pub(crate) struct Written<'a> {
    pub(crate) model: &'a str,
    /// The whole conversation. System messages are left out.
    pub(crate) messages: &'a [Message],
    pub(crate) now: SystemTime,
}

/// Who may write a session.
pub(super) enum Guard<'a> {
    /// The process that holds it.
    Holder(&'a str),
    /// The run that is answered in it.
    Run(&'a str),
}

/// A row of a session without its messages: id, title, model, times, and a count.
type HeadRow = (String, String, String, i64, i64, i64);

const HEAD: &str = "SELECT id, title, model, created_at, updated_at,
     (SELECT COUNT(*) FROM haft_messages WHERE session = haft_sessions.id) FROM haft_sessions";

impl DurableStore {
    /// Keeps a new session.
    pub(super) async fn add_session(
        &self,
        owner: Option<&str>,
        written: &Written<'_>,
    ) -> Result<SessionId, DurableError> {
        let insert = "INSERT INTO haft_sessions (id, owner, title, model, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (id) DO NOTHING";
        let messages = written.kept();
        let title = stored(self.key.as_ref(), &SessionHead::title_of(&messages))?;
        for _ in 0..DRAWS {
            let id = SessionId::random();
            let values = [
                Bound::Text(id.as_str()),
                Bound::MaybeText(owner),
                Bound::Text(&title),
                Bound::Text(written.model),
                Bound::Number(milliseconds(written.now)),
            ];
            let mut transaction = self.database.begin().await?;
            if transaction.execute(insert, &values).await? == 0 {
                continue;
            }
            let new = Messages {
                session: id.as_str(),
                all: &messages,
                unchanged: 0,
            };
            self.write_messages(&mut transaction, new).await?;
            transaction.commit().await?;
            return Ok(id);
        }
        let message = "No id is free for a new session";
        let hint = "delete sessions that nobody needs";
        Err(DurableError::new(DurableErrorKind::State, message, hint))
    }

    /// Writes what is new in a session, and gives it back. False if it is not the writer's any
    /// more.
    pub(super) async fn write_session(
        &self,
        id: &str,
        guard: &Guard<'_>,
        written: &Written<'_>,
    ) -> Result<bool, DurableError> {
        let messages = written.kept();
        let kept = self.messages_of(id, i64::MAX).await?;
        let same = kept.iter().zip(&messages).take_while(|(a, b)| a == b);
        let unchanged = same.count();
        let title = stored(self.key.as_ref(), &SessionHead::title_of(&messages))?;
        // A run gives its session back by its end, which is recorded later.
        let (update, writer) = match guard {
            Guard::Holder(holder) => (
                "UPDATE haft_sessions SET title = $3, model = $4, updated_at = $5,
                     written_by = NULL, holder = NULL, held_until = 0 WHERE id = $1 AND holder = $2",
                holder,
            ),
            Guard::Run(run) => (
                "UPDATE haft_sessions SET title = $3, model = $4, updated_at = $5,
                     written_by = $2 WHERE id = $1 AND run = $2",
                run,
            ),
        };
        let values = [
            Bound::Text(id),
            Bound::Text(writer),
            Bound::Text(&title),
            Bound::Text(written.model),
            Bound::Number(milliseconds(written.now)),
        ];
        let mut transaction = self.database.begin().await?;
        if transaction.execute(update, &values).await? == 0 {
            return Ok(false);
        }
        let delete = "DELETE FROM haft_messages WHERE session = $1 AND number >= $2";
        let values = [Bound::Text(id), Bound::Number(number(unchanged))];
        transaction.execute(delete, &values).await?;
        let new = Messages {
            session: id,
            all: &messages,
            unchanged,
        };
        self.write_messages(&mut transaction, new).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn write_messages(
        &self,
        transaction: &mut Transaction,
        new: Messages<'_>,
    ) -> Result<(), DurableError> {
        let insert = "INSERT INTO haft_messages (session, number, message) VALUES ($1, $2, $3)";
        for (index, message) in new.all.iter().enumerate().skip(new.unchanged) {
            let text = stored(self.key.as_ref(), message)?;
            let values = [
                Bound::Text(new.session),
                Bound::Number(number(index)),
                Bound::Text(&text),
            ];
            transaction.execute(insert, &values).await?;
        }
        Ok(())
    }

    pub(super) async fn session_list(&self) -> Result<Vec<SessionSummary>, DurableError> {
        let select = format!("{HEAD} ORDER BY updated_at DESC, id LIMIT {LISTED}");
        let rows: Vec<HeadRow> = self.database.rows(&select, &[]).await?;
        let summary = |row: HeadRow| {
            let count = u64::try_from(row.5).unwrap_or_default();
            Ok(SessionSummary::new(self.head(row)?, count))
        };
        rows.into_iter().map(summary).collect()
    }

    pub(super) async fn load_session(
        &self,
        id: &SessionId,
    ) -> Result<Option<SavedSession>, DurableError> {
        let select = format!("{HEAD} WHERE id = $1");
        let values = [Bound::Text(id.as_str())];
        let rows: Vec<HeadRow> = self.database.rows(&select, &values).await?;
        let Some(row) = rows.into_iter().next() else {
            return Ok(None);
        };
        let messages = self.messages_of(id.as_str(), i64::MAX).await?;
        Ok(Some(SavedSession::new(self.head(row)?, messages)))
    }

    /// The first messages of a session, at most so many.
    pub(super) async fn messages_of(
        &self,
        id: &str,
        most: i64,
    ) -> Result<Vec<Message>, DurableError> {
        let select = "SELECT message FROM haft_messages WHERE session = $1 AND number < $2
             ORDER BY number";
        let values = [Bound::Text(id), Bound::Number(most)];
        let rows: Vec<(String,)> = self.database.rows(select, &values).await?;
        let message = |(text,): (String,)| read(self.key.as_ref(), &text);
        rows.into_iter().map(message).collect()
    }

    fn head(&self, row: HeadRow) -> Result<SessionHead, DurableError> {
        let (id, title, model, created, updated, _) = row;
        let id = id.parse().map_err(|_| {
            let message = format!("\"{id}\" is not the id of a session");
            let hint = "check the store with `haft store check`";
            DurableError::new(DurableErrorKind::Database, message, hint)
        })?;
        let mut head = SessionHead::new(id, read(self.key.as_ref(), &title)?, model);
        head.created = time(created);
        head.updated = time(updated);
        Ok(head)
    }

    /// The number of sessions.
    pub(crate) async fn session_count(&self) -> Result<usize, DurableError> {
        let count = "SELECT COUNT(*) FROM haft_sessions";
        let count: Vec<(i64,)> = self.database.rows(count, &[]).await?;
        let count = count.first().map(|(count,)| usize::try_from(*count));
        Ok(count.transpose().unwrap_or_default().unwrap_or_default())
    }

    /// Erases the runs that were asked in a session.
    pub(super) async fn erase_runs_in(&self, id: &SessionId) -> Result<(), DurableError> {
        let select = "SELECT run FROM haft_session_runs WHERE session = $1";
        let values = [Bound::Text(id.as_str())];
        let runs: Vec<(String,)> = self.database.rows(select, &values).await?;
        for (run,) in runs {
            match self.erase(&run).await {
                Err(error) if error.kind() != DurableErrorKind::UnknownRun => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) async fn delete_session(&self, id: &SessionId) -> Result<bool, DurableError> {
        let values = [Bound::Text(id.as_str())];
        let mut transaction = self.database.begin().await?;
        for delete in [
            "DELETE FROM haft_messages WHERE session = $1",
            "DELETE FROM haft_session_runs WHERE session = $1",
        ] {
            transaction.execute(delete, &values).await?;
        }
        let delete = "DELETE FROM haft_sessions WHERE id = $1";
        let deleted = transaction.execute(delete, &values).await?;
        transaction.commit().await?;
        self.overwrite_erased().await?;
        Ok(deleted > 0)
    }

    /// The sessions that were last continued before a time.
    pub(super) async fn sessions_before(&self, time: i64) -> Result<Vec<SessionId>, DurableError> {
        let select = "SELECT id FROM haft_sessions WHERE updated_at < $1";
        let rows: Vec<(String,)> = self.database.rows(select, &[Bound::Number(time)]).await?;
        Ok(rows.iter().filter_map(|(id,)| id.parse().ok()).collect())
    }
}

/// The messages of a session, of which the first are written already.
#[derive(Clone, Copy)]
struct Messages<'a> {
    session: &'a str,
    all: &'a [Message],
    unchanged: usize,
}

impl Written<'_> {
    /// The messages that are kept.
    fn kept(&self) -> Vec<Message> {
        let is_kept = |message: &&Message| !matches!(message, Message::System(_));
        self.messages.iter().filter(is_kept).cloned().collect()
    }
}

fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

fn time(milliseconds: i64) -> SystemTime {
    let since = Duration::from_millis(u64::try_from(milliseconds).unwrap_or_default());
    let time = SystemTime::UNIX_EPOCH.checked_add(since);
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}
