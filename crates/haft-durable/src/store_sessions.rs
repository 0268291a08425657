//! Conversations in the store: continued from any machine, one question at a time.
//!
//! A session is held by a process while it answers a question in it (`turn.rs`), or by a run from
//! its beginning to its end. What is stored is in `rows.rs`.

mod rows;
mod turn;

use std::time::SystemTime;

use haft_agent::{SavedSession, SessionId, SessionSummary};
use haft_core::Message;

pub(crate) use self::rows::Written;
pub use self::turn::StoreTurn;
use crate::database::Bound;
use crate::error::{DurableError, DurableErrorKind};
use crate::format::InSession;
use crate::leases::milliseconds as length;
use crate::store::{DurableStore, milliseconds};

/// The sessions of a store; from [`DurableStore::sessions`].
///
/// ```
/// use haft_agent::Agent;
/// use haft_durable::DurableStore;
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let address = format!("sqlite:{}", folder.path().join("runs.db").display());
/// let sessions = DurableStore::open(&address).await?.sessions();
/// let agent = Agent::builder().model("builtin").build().await?;
/// let turn = sessions.begin(None).await?;
/// let session = agent.session();
/// session.ask("What can you do?").await?;
/// let id = turn.save(&session.history(), agent.model_id()).await?;
///
/// // On another machine:
/// let turn = sessions.begin(Some(&id)).await?;
/// assert_eq!(turn.messages(), session.history());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct StoreSessions {
    store: DurableStore,
}

/// Who answers in a session.
enum Holder {
    Nobody,
    /// A process, for a few seconds more unless it renews that.
    Process,
    /// A run that has not ended.
    Run(String),
}

impl DurableStore {
    /// The sessions of the store.
    #[must_use]
    pub fn sessions(&self) -> StoreSessions {
        StoreSessions {
            store: self.clone(),
        }
    }
}

impl StoreSessions {
    /// Begins a question in the session `id`, or in a new one.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownSession`]; [`DurableErrorKind::SessionBusy`] while a question is
    /// answered in it; [`DurableErrorKind::Database`].
    pub async fn begin(&self, id: Option<&SessionId>) -> Result<StoreTurn, DurableError> {
        match id {
            Some(id) => StoreTurn::continued(&self.store, id).await,
            None => Ok(StoreTurn::new(&self.store)),
        }
    }

    /// Makes an empty session for runs of the key with this name, or of nobody in particular.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn create(&self, owner: Option<&str>) -> Result<SessionId, DurableError> {
        let written = Written {
            model: "",
            messages: &[],
            now: SystemTime::now(),
        };
        self.store.add_session(owner, &written).await
    }

    /// The sessions, the one that was continued last first; at most 1,000.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn list(&self) -> Result<Vec<SessionSummary>, DurableError> {
        self.store.session_list().await
    }

    /// The session `id`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn load(&self, id: &SessionId) -> Result<Option<SavedSession>, DurableError> {
        self.store.load_session(id).await
    }

    /// Whether the key with this name made the session.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn belongs_to(&self, id: &SessionId, owner: &str) -> Result<bool, DurableError> {
        let select = "SELECT id FROM haft_sessions WHERE id = $1 AND owner = $2";
        let values = [Bound::Text(id.as_str()), Bound::Text(owner)];
        let found: Vec<(String,)> = self.store.database.rows(select, &values).await?;
        Ok(!found.is_empty())
    }

    /// Deletes a session with the runs that were asked in it; false if there is none.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::SessionBusy`] while a question is answered in it, or
    /// [`DurableErrorKind::Database`].
    pub async fn delete(&self, id: &SessionId) -> Result<bool, DurableError> {
        match self.holder(id).await {
            Ok(Holder::Nobody) => {}
            Ok(holder) => return Err(busy(id, &holder)),
            Err(error) if error.kind() == DurableErrorKind::UnknownSession => return Ok(false),
            Err(error) => return Err(error),
        }
        self.store.erase_runs_in(id).await?;
        self.store.delete_session(id).await
    }

    /// Deletes the sessions that were last continued before `time`, and returns their number.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn delete_before(&self, time: SystemTime) -> Result<usize, DurableError> {
        let mut deleted = 0;
        for id in self.store.sessions_before(milliseconds(time)).await? {
            match self.delete(&id).await {
                Ok(true) => deleted += 1,
                Ok(false) => {}
                Err(error) if error.kind() == DurableErrorKind::SessionBusy => {}
                Err(error) => return Err(error),
            }
        }
        Ok(deleted)
    }

    /// Gives the session to a run, until the run has ended.
    pub(crate) async fn enter(&self, id: &SessionId, run: &str) -> Result<InSession, DurableError> {
        let take = "UPDATE haft_sessions SET run = $2, holder = NULL, held_until = {now} + $3
             WHERE id = $1 AND (run = $2 OR run IS NULL AND held_until < {now})";
        let values = [
            Bound::Text(id.as_str()),
            Bound::Text(run),
            Bound::Number(length(turn::TIME_TO_LIVE)),
        ];
        self.take(id, take, &values).await?;
        let note = "INSERT INTO haft_session_runs (session, run) VALUES ($1, $2)
             ON CONFLICT (session, run) DO NOTHING";
        let values = [Bound::Text(id.as_str()), Bound::Text(run)];
        self.store.database.execute(note, &values).await?;
        let count = "SELECT COUNT(*) FROM haft_messages WHERE session = $1";
        let values = [Bound::Text(id.as_str())];
        let count: Vec<(i64,)> = self.store.database.rows(count, &values).await?;
        Ok(InSession {
            id: id.to_string(),
            messages: count.first().map_or(0, |(count,)| *count),
        })
    }

    /// Gives the session back to a run that goes on. False if somebody else has gone on with it.
    pub(crate) async fn enter_again(
        &self,
        place: &InSession,
        run: &str,
    ) -> Result<bool, DurableError> {
        let id = place.id.parse();
        let id: SessionId = id.map_err(|_| DurableError::unknown_run(run))?;
        if self.enter(&id, run).await?.messages == place.messages {
            return Ok(true);
        }
        // Its worker may have died between writing the answer and recording the end.
        let select = "SELECT id FROM haft_sessions WHERE id = $1 AND written_by = $2";
        let values = [Bound::Text(id.as_str()), Bound::Text(run)];
        let own: Vec<(String,)> = self.store.database.rows(select, &values).await?;
        Ok(!own.is_empty())
    }

    /// Takes a session that nobody holds.
    async fn take(
        &self,
        id: &SessionId,
        statement: &str,
        values: &[Bound<'_>],
    ) -> Result<(), DurableError> {
        if self.store.database.execute(statement, values).await? > 0 {
            return Ok(());
        }
        // Also gives back what a run that has ended still holds.
        match self.holder(id).await? {
            Holder::Nobody if self.store.database.execute(statement, values).await? > 0 => Ok(()),
            holder => Err(busy(id, &holder)),
        }
    }

    async fn holder(&self, id: &SessionId) -> Result<Holder, DurableError> {
        let select = "SELECT run, CAST(CASE WHEN held_until > {now} THEN 1 ELSE 0 END AS BIGINT)
             FROM haft_sessions WHERE id = $1";
        let values = [Bound::Text(id.as_str())];
        let rows: Vec<(Option<String>, i64)> = self.store.database.rows(select, &values).await?;
        let Some((run, held)) = rows.into_iter().next() else {
            return Err(DurableError::no_session(id));
        };
        let is_held = held != 0;
        let Some(run) = run else {
            return Ok(match is_held {
                true => Holder::Process,
                false => Holder::Nobody,
            });
        };
        match self.store.chain(&run).await {
            Ok(chain) if !chain.state().has_ended() => return Ok(Holder::Run(run)),
            // It is about to be put into its queue.
            Err(error) if error.kind() == DurableErrorKind::UnknownRun && is_held => {
                return Ok(Holder::Run(run));
            }
            Err(error) if error.kind() != DurableErrorKind::UnknownRun => return Err(error),
            _ => {}
        }
        let free = "UPDATE haft_sessions SET run = NULL, held_until = 0 WHERE id = $1 AND run = $2";
        let values = [Bound::Text(id.as_str()), Bound::Text(&run)];
        self.store.database.execute(free, &values).await?;
        Ok(Holder::Nobody)
    }

    /// The conversation before the question of a run.
    pub(crate) async fn history(&self, place: &InSession) -> Result<Vec<Message>, DurableError> {
        self.store.messages_of(&place.id, place.messages).await
    }

    /// Writes the conversation of a run: after a step, and before its end is recorded. A worker that
    /// goes on after a crash in between writes it again.
    pub(crate) async fn write_run(
        &self,
        place: &InSession,
        run: &str,
        written: &Written<'_>,
    ) -> Result<(), DurableError> {
        let guard = rows::Guard::Run(run);
        match self.store.write_session(&place.id, &guard, written).await? {
            true => Ok(()),
            false => {
                tracing::warn!(
                    session = place.id,
                    run,
                    "the session has gone on without the run"
                );
                Ok(())
            }
        }
    }
}

fn busy(id: &SessionId, holder: &Holder) -> DurableError {
    let (message, hint) = match holder {
        Holder::Run(run) => (
            format!("The run {run} is being answered in session {id}"),
            "wait for that run, cancel it, or begin a new session",
        ),
        _ => (
            format!("A question is being answered in session {id}"),
            "wait for that answer, or begin a new session",
        ),
    };
    DurableError::new(DurableErrorKind::SessionBusy, message, hint)
}
