//! A database of attempts that many processes may share.
//!
//! `haft-store` opens it, `rows.rs` has its tables and writes and reads rows, `summary.rs`
//! sums them up. Records are written in the background, so an answer never waits for the database
//! and never fails with it.

mod place;
mod rows;
mod summary;
mod tables;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use haft_store::StoreError;
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, mpsc};
use tokio::time::sleep;

use self::place::Place;
use self::rows::Rows;
pub use self::summary::{AttemptSummary, ModelSummary};
use super::attempt::Attempt;
use super::metrics::SuccessCount;
use crate::error::{AgentError, AgentErrorKind};

/// The number of records that may wait to be written; further ones are dropped. About a megabyte,
/// and far more than one process has questions at once.
const MOST_WAITING: usize = 4096;

/// How long records for a store are gathered that others use too: a gateway may have hundreds per
/// second, and a SQLite file has one writer at a time.
const GATHERING: Duration = Duration::from_millis(500);

/// How far back a model's record says something about it.
const RECENT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A store of attempts that any number of processes may share: a SQLite file, or a Postgres database
/// in builds with the feature `postgres` of `haft-store`. Cheap to clone; clones share the store.
///
/// It keeps the model's name, times, counts and outcomes, but no questions, answers or arguments
/// of tools. It keeps the 100,000 attempts that were recorded last, whatever their times, so that
/// a wrong clock deletes nothing. Only the user can read the file.
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
    place: Place,
    waiting: mpsc::Sender<Attempt>,
    work: AsyncMutex<Work>,
    warned: AtomicBool,
    /// Whether records are gathered that are written soon.
    is_due: AtomicBool,
    /// The first error since the last `flush`.
    failure: Mutex<Option<AgentError>>,
}

/// The state of the writer; one writer at a time.
struct Work {
    records: mpsc::Receiver<Attempt>,
    /// Opened at the first use, and again after an error.
    rows: Option<Rows>,
}

impl AttemptStore {
    /// A store in this file. The file and its folders are opened or created when the first record
    /// is written.
    #[must_use]
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::of(Place::File(path.into()))
    }

    /// The attempts in a store that other parts of haft use too: `sqlite:FILE` or
    /// `postgres://USER@HOST/DATABASE`. It is opened when the first record is written.
    ///
    /// # Errors
    ///
    /// [`AgentErrorKind::Store`] if the address is not understood.
    pub fn connect(address: &str) -> Result<Self, AgentError> {
        Ok(Self::of(Place::Store(address.parse()?)))
    }

    fn of(place: Place) -> Self {
        let (waiting, records) = mpsc::channel(MOST_WAITING);
        Self(Arc::new(Inner {
            place,
            waiting,
            work: AsyncMutex::new(Work {
                records,
                rows: None,
            }),
            warned: AtomicBool::new(false),
            is_due: AtomicBool::new(false),
            failure: Mutex::default(),
        }))
    }

    /// Where it is, for people: the path of the file, or that it is Postgres.
    #[must_use]
    pub fn place(&self) -> String {
        self.0.place.to_string()
    }

    /// Writes a record in the background; outside of a runtime at the next [`flush`](Self::flush).
    /// Errors are returned by `flush`; the first one is also logged as a warning.
    pub fn record(&self, attempt: Attempt) {
        if self.0.waiting.try_send(attempt).is_err() {
            let place = &self.0.place;
            let message = format!("Too many attempts wait to be written to {place}");
            self.0
                .failed(AgentError::new(AgentErrorKind::Store, message));
        }
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        match self.0.place {
            Place::File(_) => {
                runtime.spawn(self.clone().write());
            }
            Place::Store(_) if self.0.is_due.swap(true, Ordering::Relaxed) => {}
            Place::Store(_) => {
                let store = self.clone();
                runtime.spawn(async move {
                    sleep(GATHERING).await;
                    store.0.is_due.store(false, Ordering::Relaxed);
                    store.write().await;
                });
            }
        }
    }

    /// Waits until all records so far are written.
    ///
    /// # Errors
    ///
    /// The error of a record since the last `flush`, such as a damaged file or one of a newer
    /// version.
    pub async fn flush(&self) -> Result<(), AgentError> {
        // A task of its own, so that dropping this future loses no record.
        tokio::spawn(self.clone().write()).await.ok();
        let failure = self.0.failure.lock();
        let failure = failure.unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }

    /// A summary of all attempts; those with a time in the future are also counted separately.
    ///
    /// # Errors
    ///
    /// When the file cannot be read. A missing file gives an empty summary.
    pub async fn summary(&self) -> Result<AttemptSummary, AgentError> {
        self.summary_of(None).await
    }

    /// A summary of the attempts from this time until now.
    ///
    /// # Errors
    ///
    /// As [`summary`](Self::summary).
    pub async fn summary_since(&self, since: SystemTime) -> Result<AttemptSummary, AgentError> {
        self.summary_of(Some(since)).await
    }

    /// How often the model's recent first replies were usable: of its last 100 first questions
    /// within 30 days.
    pub(crate) async fn recent_first_replies(
        &self,
        model: &str,
    ) -> Result<SuccessCount, AgentError> {
        let since = SystemTime::now().checked_sub(RECENT);
        let since = since.unwrap_or(SystemTime::UNIX_EPOCH);
        let mut work = self.0.work.lock().await;
        if work.rows.is_none() && !self.0.place.is_there() {
            return Ok(SuccessCount::default());
        }
        let read = match self.0.opened(&mut work).await {
            Ok(rows) => rows.first_replies(model, since).await,
            Err(error) => Err(error),
        };
        self.0.kept(&mut work, read)
    }

    async fn summary_of(&self, since: Option<SystemTime>) -> Result<AttemptSummary, AgentError> {
        // The waiting records of this process count too.
        tokio::spawn(self.clone().write()).await.ok();
        let mut work = self.0.work.lock().await;
        if work.rows.is_none() && !self.0.place.is_there() {
            return Ok(AttemptSummary::default());
        }
        let read = match self.0.opened(&mut work).await {
            Ok(rows) => rows.summary(since, SystemTime::now()).await,
            Err(error) => Err(error),
        };
        self.0.kept(&mut work, read)
    }

    /// Writes the records that wait now; later ones start a writer of their own.
    async fn write(self) {
        let mut work = self.0.work.lock().await;
        let waiting = work.records.len();
        let attempts: Vec<Attempt> = (0..waiting)
            .map_while(|_| work.records.try_recv().ok())
            .collect();
        if attempts.is_empty() {
            return;
        }
        let written = match self.0.opened(&mut work).await {
            Ok(rows) => rows.insert(&attempts).await,
            Err(error) => Err(error),
        };
        if let Err(error) = self.0.kept(&mut work, written) {
            self.0.failed(error);
        }
    }
}

impl Inner {
    async fn opened<'a>(&self, work: &'a mut Work) -> Result<&'a mut Rows, StoreError> {
        Ok(match &mut work.rows {
            Some(open) => open,
            none => none.insert(match &self.place {
                Place::File(path) => Rows::of_file(path).await?,
                Place::Store(address) => Rows::of_store(address).await?,
            }),
        })
    }

    /// Closes the connection after an error, so that it is not used again.
    fn kept<T>(&self, work: &mut Work, result: Result<T, StoreError>) -> Result<T, AgentError> {
        result.map_err(|error| {
            work.rows = None;
            error.into()
        })
    }

    fn failed(&self, error: AgentError) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            let detail = error.detail();
            tracing::warn!(%error, detail, "attempts are not recorded");
        }
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl From<StoreError> for AgentError {
    fn from(error: StoreError) -> Self {
        let agent_error = Self::new(AgentErrorKind::Store, error.to_string());
        let agent_error = agent_error.with_hint(error.hint());
        match error.detail() {
            Some(detail) => agent_error.with_detail(detail),
            None => agent_error,
        }
    }
}

impl fmt::Debug for AttemptStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AttemptStore")
            .field("place", &self.place())
            .finish_non_exhaustive()
    }
}
