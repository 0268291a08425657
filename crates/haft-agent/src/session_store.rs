//! A database of conversations that can be continued, by any process of the user.
//!
//! `id.rs` has the short ids, `rows.rs` the tables, `lock.rs` keeps two processes from answering in
//! one conversation at the same time, `saved.rs` has a conversation as it is kept.

mod id;
mod lock;
mod rows;
mod saved;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use haft_core::Message;
use haft_store::Database;
use tokio::sync::Mutex;

pub use self::id::SessionId;
use self::lock::SessionLock;
use self::rows::{Rows, SCHEMA};
pub use self::saved::{SavedSession, SessionHead, SessionSummary};
use crate::error::{AgentError, AgentErrorKind};

/// A store of conversations: a SQLite file that any number of processes may share. Cheap to clone;
/// clones share the store.
///
/// It keeps the 1,000 conversations that were continued last, with all of their messages except
/// the system prompt. Only the user can read the file.
///
/// ```
/// use haft_agent::{Agent, SessionStore};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("sessions.db");
/// let agent = Agent::builder()
///     .model("builtin")
///     .tool(haft_tools::get_current_datetime())
///     .build()
///     .await?;
/// let store = SessionStore::open(path);
/// let turn = store.begin(None).await?;
/// let session = agent.session();
/// session.ask("What time is it in Oslo?").await?;
/// let id = turn.save(&session.history(), agent.model_id()).await?;
///
/// // The next day, perhaps in another process:
/// let turn = store.begin(Some(&id)).await?;
/// let session = agent.session().with_history(turn.messages().to_vec());
/// session.ask("And in Lima?").await?;
/// turn.save(&session.history(), agent.model_id()).await?;
/// assert_eq!(store.list().await?[0].head.title, "What time is it in Oslo?");
/// # Ok::<_, haft_agent::AgentError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct SessionStore(Arc<Inner>);

struct Inner {
    path: PathBuf,
    /// Opened at the first use, and again after an error.
    rows: Mutex<Option<Rows>>,
}

/// One question in a kept conversation. While it lives, no other process can ask in that
/// conversation; dropped without [`save`](Self::save), it changes nothing.
#[derive(Debug)]
pub struct SessionTurn {
    store: SessionStore,
    /// `None` for a conversation that is not kept yet.
    session: Option<SavedSession>,
    _lock: Option<SessionLock>,
}

impl SessionStore {
    /// A store in this file. The file and its folders are created when the first conversation is
    /// saved.
    #[must_use]
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Inner {
            path: path.into(),
            rows: Mutex::default(),
        }))
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Begins a question in the conversation `id`, or in a new one.
    ///
    /// # Errors
    ///
    /// [`AgentErrorKind::Store`] if there is no such conversation, another process is answering in
    /// it, or the file cannot be read.
    pub async fn begin(&self, id: Option<&SessionId>) -> Result<SessionTurn, AgentError> {
        let Some(id) = id else {
            return Ok(SessionTurn {
                store: self.clone(),
                session: None,
                _lock: None,
            });
        };
        // Before the lock, which would create a file for a conversation that is not there.
        self.load(id).await?.ok_or_else(|| missing(id))?;
        let lock = SessionLock::take(&self.0.path, id)?;
        let session = self.load(id).await?.ok_or_else(|| missing(id))?;
        Ok(SessionTurn {
            store: self.clone(),
            session: Some(session),
            _lock: Some(lock),
        })
    }

    /// The conversations, the one that was continued last first.
    ///
    /// # Errors
    ///
    /// When the file cannot be read. A missing file gives an empty list.
    pub async fn list(&self) -> Result<Vec<SessionSummary>, AgentError> {
        let listed = self.read(async |rows| rows.list().await).await?;
        Ok(listed.unwrap_or_default())
    }

    /// The conversation `id`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub async fn load(&self, id: &SessionId) -> Result<Option<SavedSession>, AgentError> {
        let loaded = self.read(async |rows| rows.load(id).await).await?;
        Ok(loaded.flatten())
    }

    /// Deletes the conversation `id`; false if there is none.
    ///
    /// # Errors
    ///
    /// When another process is answering in it, or the file cannot be written.
    pub async fn delete(&self, id: &SessionId) -> Result<bool, AgentError> {
        if self.load(id).await?.is_none() {
            return Ok(false);
        }
        let lock = SessionLock::take(&self.0.path, id)?;
        let deleted = self.read(async |rows| rows.delete(id).await).await?;
        lock.remove();
        Ok(deleted.unwrap_or_default())
    }

    /// Runs `work` on the open file; `None` if there is no file yet.
    async fn read<T>(
        &self,
        work: impl AsyncFnOnce(&mut Rows) -> Result<T, sqlx::Error>,
    ) -> Result<Option<T>, AgentError> {
        let is_missing = self.0.rows.lock().await.is_none() && !self.0.path.exists();
        if is_missing {
            return Ok(None);
        }
        self.with_rows(work).await.map(Some)
    }

    /// Runs `work` on the file, which is created if it is missing. After an error the connection
    /// is not used again.
    async fn with_rows<T>(
        &self,
        work: impl AsyncFnOnce(&mut Rows) -> Result<T, sqlx::Error>,
    ) -> Result<T, AgentError> {
        let mut open = self.0.rows.lock().await;
        let mut rows = match open.take() {
            Some(rows) => rows,
            None => Rows(Database::open(&self.0.path, SCHEMA).await?),
        };
        let done = work(&mut rows).await;
        let done = done.map_err(|error| rows.0.error(error))?;
        *open = Some(rows);
        Ok(done)
    }
}

impl SessionTurn {
    /// The conversation so far, for [`Session::with_history`](crate::Session::with_history).
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        match &self.session {
            Some(session) => &session.messages,
            None => &[],
        }
    }

    /// The conversation as it is kept; `None` for a new one.
    #[must_use]
    pub fn session(&self) -> Option<&SavedSession> {
        self.session.as_ref()
    }

    /// Keeps `messages`, the whole conversation, as answered by `model`, and returns its id. System
    /// messages are left out.
    ///
    /// # Errors
    ///
    /// [`AgentErrorKind::Store`] if the file cannot be written.
    pub async fn save(self, messages: &[Message], model: &str) -> Result<SessionId, AgentError> {
        let is_kept = |message: &&Message| !matches!(message, Message::System(_));
        let messages: Vec<Message> = messages.iter().filter(is_kept).cloned().collect();
        let now = SystemTime::now();
        let known = self.messages().iter();
        let unchanged = known.zip(&messages).take_while(|(a, b)| a == b).count();
        let id = self.session.as_ref().map(|session| session.head.id.clone());
        let work = async |rows: &mut Rows| {
            let change = rows::Change {
                messages: &messages,
                unchanged,
                model,
                now,
            };
            match id {
                Some(id) => rows.continue_session(id, &change).await,
                None => rows.add(&change).await,
            }
        };
        self.store.with_rows(work).await
    }
}

fn missing(id: &SessionId) -> AgentError {
    AgentError::new(AgentErrorKind::Store, format!("There is no session {id}"))
        .with_hint("`haft sessions list` shows the ones that are kept")
}

impl fmt::Debug for SessionStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionStore")
            .field("path", &self.0.path)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
