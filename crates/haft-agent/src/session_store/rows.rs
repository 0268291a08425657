//! The tables; writing a conversation, and reading one or the list of them. The statements are
//! plain SQL, fit for other engines.

use std::time::SystemTime;

use haft_core::Message;
use haft_store::{Database, Schema};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Connection, Row};

use super::id::SessionId;
use super::saved::{SavedSession, SessionHead, SessionSummary, since_1970, time_of};

/// The tables. Times are milliseconds since 1970. A message is the JSON of its standard form.
pub(super) const SCHEMA: Schema = Schema {
    version: 1,
    tables: &[
        "CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            model TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL
        )",
        "CREATE INDEX sessions_by_time ON sessions (updated_at)",
        "CREATE TABLE messages (
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY (session, number)
        )",
    ],
};

/// The number of conversations to keep: more than a person looks through.
const MOST_KEPT: i64 = 1000;

/// How often an id that is taken is drawn anew. With all places taken that may be, the fifth draw
/// fails once in 10^13 times.
const DRAWS: usize = 5;

/// The rows of an open file.
#[derive(Debug)]
pub(super) struct Rows(pub(super) Database);

/// The next state of a conversation.
pub(super) struct Change<'a> {
    /// All messages.
    pub(super) messages: &'a [Message],
    /// How many of them, from the first, are kept already.
    pub(super) unchanged: usize,
    pub(super) model: &'a str,
    pub(super) now: SystemTime,
}

impl Rows {
    /// Keeps a new conversation, and deletes the oldest ones beyond the limit.
    pub(super) async fn add(&mut self, change: &Change<'_>) -> Result<SessionId, sqlx::Error> {
        // Takes the write lock at once: SQLite does not wait for it when a reader becomes a writer.
        let mut transaction = self.0.connection.begin_with("BEGIN IMMEDIATE").await?;
        let mut id = SessionId::random();
        for _ in 0..DRAWS {
            let taken = sqlx::query("SELECT 1 FROM sessions WHERE id = $1").bind(id.as_str());
            if taken.fetch_optional(&mut *transaction).await?.is_none() {
                break;
            }
            id = SessionId::random();
        }
        sqlx::query(
            "INSERT INTO sessions (id, title, model, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $4)",
        )
        .bind(id.as_str())
        .bind(SessionHead::title_of(change.messages))
        .bind(change.model)
        .bind(since_1970(change.now))
        .execute(&mut *transaction)
        .await?;
        write_messages(&mut transaction, &id, change).await?;
        sqlx::query(
            "DELETE FROM sessions WHERE id IN \
             (SELECT id FROM sessions ORDER BY updated_at DESC LIMIT -1 OFFSET $1)",
        )
        .bind(MOST_KEPT)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Keeps what is new in a conversation.
    pub(super) async fn continue_session(
        &mut self,
        id: SessionId,
        change: &Change<'_>,
    ) -> Result<SessionId, sqlx::Error> {
        let mut transaction = self.0.connection.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("UPDATE sessions SET model = $2, updated_at = $3 WHERE id = $1")
            .bind(id.as_str())
            .bind(change.model)
            .bind(since_1970(change.now))
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM messages WHERE session = $1 AND number >= $2")
            .bind(id.as_str())
            .bind(number(change.unchanged))
            .execute(&mut *transaction)
            .await?;
        write_messages(&mut transaction, &id, change).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// The conversations, the latest first.
    pub(super) async fn list(&mut self) -> Result<Vec<SessionSummary>, sqlx::Error> {
        let rows = sqlx::query(
            "SELECT id, title, model, created_at, updated_at, \
             (SELECT COUNT(*) FROM messages WHERE session = sessions.id) \
             FROM sessions ORDER BY updated_at DESC, id",
        )
        .fetch_all(&mut self.0.connection)
        .await?;
        let summary = |row: &SqliteRow| {
            let count = u64::try_from(row.try_get::<i64, _>(5)?).unwrap_or_default();
            Ok(SessionSummary::new(head(row)?, count))
        };
        rows.iter().map(summary).collect()
    }

    /// A conversation with its messages.
    pub(super) async fn load(
        &mut self,
        id: &SessionId,
    ) -> Result<Option<SavedSession>, sqlx::Error> {
        let row = sqlx::query(
            "SELECT id, title, model, created_at, updated_at FROM sessions WHERE id = $1",
        )
        .bind(id.as_str())
        .fetch_optional(&mut self.0.connection)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let messages =
            sqlx::query("SELECT message FROM messages WHERE session = $1 ORDER BY number")
                .bind(id.as_str())
                .fetch_all(&mut self.0.connection)
                .await?;
        let message = |row: &SqliteRow| {
            let text: String = row.try_get(0)?;
            serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))
        };
        let messages = messages.iter().map(message).collect::<Result<_, _>>()?;
        Ok(Some(SavedSession::new(head(&row)?, messages)))
    }

    /// Deletes a conversation; false if there is none.
    pub(super) async fn delete(&mut self, id: &SessionId) -> Result<bool, sqlx::Error> {
        let deleted = sqlx::query("DELETE FROM sessions WHERE id = $1")
            .bind(id.as_str())
            .execute(&mut self.0.connection)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }
}

/// Writes the messages that are new.
async fn write_messages(
    connection: &mut SqliteConnection,
    id: &SessionId,
    change: &Change<'_>,
) -> Result<(), sqlx::Error> {
    let new = change.messages.iter().enumerate().skip(change.unchanged);
    for (index, message) in new {
        let text = serde_json::to_string(message);
        let text = text.map_err(|error| sqlx::Error::Encode(error.into()))?;
        sqlx::query("INSERT INTO messages (session, number, message) VALUES ($1, $2, $3)")
            .bind(id.as_str())
            .bind(number(index))
            .bind(text)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// A conversation without its messages, in the first five columns of a row.
fn head(row: &SqliteRow) -> Result<SessionHead, sqlx::Error> {
    let id: String = row.try_get(0)?;
    let id = id.parse();
    let id = id.map_err(|error: crate::AgentError| sqlx::Error::Decode(error.into()))?;
    let mut head = SessionHead::new(id, row.try_get(1)?, row.try_get(2)?);
    head.created = time_of(row.try_get(3)?);
    head.updated = time_of(row.try_get(4)?);
    Ok(head)
}

fn number(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
