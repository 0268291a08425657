//! Attempts in a database, from many processes at once.
//!
//! `database.rs` opens the file and knows its form, `rows.rs` writes and reads it, `summary.rs`
//! adds up what was read. A record waits in the background until it is written, so that an answer
//! never waits for it and never fails with it.

mod database;
mod rows;
mod summary;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use self::database::Database;
pub use self::summary::{AttemptSummary, ModelSummary};
use super::Attempt;
use crate::error::{AgentError, AgentErrorKind};

/// How many records may wait to be written; what comes on top is dropped. Far more than one
/// process asks at once, and about a megabyte.
const MOST_WAITING: u32 = 4096;

/// Where attempts are kept: a SQLite file that any number of processes may share. Cheap to clone;
/// all clones are the same store.
///
/// It holds the model's name, times, counts and outcomes; no question, no answer, no argument of
/// a tool. Attempts older than 400 days go, and of more than 100,000 the oldest.
///
/// ```
/// use haft_agent::{Agent, AttemptStore};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("attempts.db");
/// let store = AttemptStore::open(path);
/// let agent = Agent::builder().model("builtin").attempts(store.clone()).build().await?;
/// agent.ask("Hello").await?;
///
/// let summary = store.summary().await?;
/// assert_eq!(summary.models[0].model, "builtin");
/// assert_eq!(summary.models[0].metrics.first_queries().rate(), Some(1.0));
/// # Ok::<_, haft_agent::AgentError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct AttemptStore(Arc<Inner>);

struct Inner {
    path: PathBuf,
    /// Opened at the first use, and again after an error.
    database: tokio::sync::Mutex<Option<Database>>,
    /// A permit for every record that may wait.
    waiting: Arc<Semaphore>,
    warned: AtomicBool,
    /// What went wrong since somebody looked.
    failure: Mutex<Option<AgentError>>,
}

impl AttemptStore {
    /// The store in this file. The file is looked at, or made with the folders above it, when the
    /// first record is written; until then this costs nothing.
    #[must_use]
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Inner {
            path: path.into(),
            database: tokio::sync::Mutex::default(),
            waiting: Arc::new(Semaphore::new(MOST_WAITING as usize)),
            warned: AtomicBool::new(false),
            failure: Mutex::default(),
        }))
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Writes a record in the background. What goes wrong is told by [`flush`](Self::flush), and
    /// the first time by a warning in the log.
    pub fn record(&self, attempt: Attempt) {
        let inner = self.0.clone();
        let Ok(runtime) = Handle::try_current() else {
            return inner.failed(inner.error("An attempt was not recorded: no runtime is there"));
        };
        let Ok(permit) = inner.waiting.clone().try_acquire_owned() else {
            return inner.failed(inner.error("An attempt was not recorded: too many are waiting"));
        };
        runtime.spawn(async move {
            if let Err(error) = inner.write(&attempt).await {
                inner.failed(error);
            }
            drop(permit);
        });
    }

    /// Waits until everything so far is written.
    ///
    /// # Errors
    ///
    /// What went wrong with a record since the last look, such as a damaged file or one of a
    /// newer version.
    pub async fn flush(&self) -> Result<(), AgentError> {
        // An error would mean that the semaphore is closed, which nobody does.
        let _all = self.0.waiting.acquire_many(MOST_WAITING).await;
        let mut failure = self
            .0
            .failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        failure.take().map_or(Ok(()), Err)
    }

    /// All attempts, added up.
    ///
    /// # Errors
    ///
    /// When the file cannot be read. No file is an empty summary.
    pub async fn summary(&self) -> Result<AttemptSummary, AgentError> {
        self.summary_since(SystemTime::UNIX_EPOCH).await
    }

    /// The attempts from this time on, added up.
    ///
    /// # Errors
    ///
    /// As [`summary`](Self::summary).
    pub async fn summary_since(&self, since: SystemTime) -> Result<AttemptSummary, AgentError> {
        // Records of this process count too, if they could be written.
        let _ = self.0.waiting.acquire_many(MOST_WAITING).await;
        let mut database = self.0.database.lock().await;
        if database.is_none() && !self.0.path.exists() {
            return Ok(AttemptSummary::default());
        }
        let read = match self.0.opened(&mut database).await {
            Ok(open) => open.summary(since).await,
            Err(error) => Err(error),
        };
        self.0.kept(&mut database, read)
    }
}

impl Inner {
    async fn write(&self, attempt: &Attempt) -> Result<(), AgentError> {
        let mut database = self.database.lock().await;
        let written = match self.opened(&mut database).await {
            Ok(open) => open.insert(attempt).await,
            Err(error) => Err(error),
        };
        self.kept(&mut database, written)
    }

    async fn opened<'a>(
        &self,
        database: &'a mut Option<Database>,
    ) -> Result<&'a mut Database, database::Problem> {
        Ok(match database {
            Some(open) => open,
            none => none.insert(Database::open(&self.path).await?),
        })
    }

    /// A connection with which something went wrong is not used again.
    fn kept<T>(
        &self,
        database: &mut Option<Database>,
        result: Result<T, database::Problem>,
    ) -> Result<T, AgentError> {
        result.map_err(|problem| {
            *database = None;
            problem.about(&self.path)
        })
    }

    fn failed(&self, error: AgentError) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            let detail = error.detail();
            tracing::warn!(%error, detail, "attempts are not recorded");
        }
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    fn error(&self, message: &str) -> AgentError {
        AgentError::new(AgentErrorKind::Store, message)
            .with_detail(format!("{message} ({})", self.path.display()))
    }
}

impl fmt::Debug for AttemptStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AttemptStore")
            .field("path", &self.0.path)
            .finish_non_exhaustive()
    }
}
