//! A store of runs: questions in, states out. It runs nothing; see `worker.rs`.
//!
//! `chain` reads the stretches of runs, `change` decides, cancels, retries and copies them,
//! `upkeep` checks, saves and erases, and `sealed` knows whether the store is encrypted.

mod chain;
mod change;
mod sealed;
mod upkeep;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use durare::{Client, StateProvider, WorkflowStatus};
use haft_agent::SessionId;
use jiff::Timestamp;
use tokio::time::{Instant, sleep};

pub use self::upkeep::StoreReport;
use crate::cipher::StoreKey;
use crate::database::{Database, again};
use crate::error::{DurableError, DurableErrorKind};
use crate::format::{RUN, STRETCH, StretchInput, VERSION, engine_queue};
use crate::leases;
use crate::news::News;
use crate::replies;
use crate::run::{RunOptions, RunOwner, RunState, RunSummary};
use crate::session_tables;
use crate::tokens;

/// How often [`DurableStore::finished`] looks.
const LOOK: Duration = Duration::from_millis(200);

/// How long it waits for a database that is away.
const OUTAGE: Duration = Duration::from_secs(60);

/// The maximum length of the id of a run that its user chose.
const ID_LENGTH: usize = 100;

/// The maximum length of the name of a queue.
const QUEUE_LENGTH: usize = 64;

/// One SQLite file or a Postgres database with runs. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct DurableStore {
    pub(crate) database: Database,
    pub(crate) provider: Arc<dyn StateProvider>,
    pub(crate) client: Arc<Client>,
    pub(crate) key: Option<StoreKey>,
    pub(crate) news: News,
}

impl DurableStore {
    /// Opens `sqlite:FILE` or `postgres://USER@HOST/DATABASE`, and creates the tables in it.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Address`], [`DurableErrorKind::Database`], or [`DurableErrorKind::Key`]
    /// when the store is encrypted.
    pub async fn open(address: &str) -> Result<Self, DurableError> {
        Self::over(Database::open(address).await?, None).await
    }

    /// Opens a store whose contents are encrypted. A store that was not is from now on; what it
    /// holds already stays as it is.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Address`], [`DurableErrorKind::Database`], or [`DurableErrorKind::Key`]
    /// when the store is encrypted with another key.
    pub async fn open_encrypted(address: &str, key: StoreKey) -> Result<Self, DurableError> {
        Self::over(Database::open(address).await?, Some(key)).await
    }

    async fn over(database: Database, key: Option<StoreKey>) -> Result<Self, DurableError> {
        let form = key.as_ref().map(StoreKey::serializer);
        let provider = database.provider(form.unwrap_or_default());
        let store = Self {
            client: Arc::new(Client::new(provider.clone())),
            database,
            provider,
            key,
            news: News::default(),
        };
        again(|| store.create_tables()).await?;
        sealed::check(&store.database, store.key.as_ref()).await?;
        Ok(store)
    }

    async fn create_tables(&self) -> Result<(), DurableError> {
        self.provider.init().await?;
        self.database.create_table(leases::TABLE).await?;
        self.database.create_table(sealed::TABLE).await?;
        self.database.create_table(tokens::TABLE).await?;
        self.database.create_table(replies::TABLE).await?;
        self.create_chunk_tables().await?;
        for table in session_tables::TABLES {
            self.database.create_table(table).await?;
        }
        Ok(())
    }

    /// Puts a question into the queue and returns the id of its run.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn submit(&self, question: impl Into<String>) -> Result<String, DurableError> {
        self.submit_with(question, RunOptions::default()).await
    }

    /// Puts a question into a queue, to be answered at once or later.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Argument`] or [`DurableErrorKind::Database`].
    pub async fn submit_with(
        &self,
        question: impl Into<String>,
        options: RunOptions,
    ) -> Result<String, DurableError> {
        check_queue(&options.queue)?;
        let run = match options.id {
            Some(id) => checked_id(id)?,
            None => new_id(),
        };
        let mut input = StretchInput::new(run.clone(), question.into(), options.queue);
        input.owner = options.owner;
        input.messages = options.messages;
        input.model = options.model;
        input.note = options.note;
        if let Some(session) = &options.session {
            self.check_owner(session, input.owner.as_ref()).await?;
            input.session = Some(self.sessions().enter(session, &run).await?);
        }
        self.begin(&input, options.at).await?;
        Ok(run)
    }

    /// A key begins runs only in its own sessions.
    async fn check_owner(
        &self,
        session: &SessionId,
        owner: Option<&RunOwner>,
    ) -> Result<(), DurableError> {
        match owner {
            Some(owner) if !self.sessions().belongs_to(session, &owner.name).await? => {
                Err(DurableError::no_session(session))
            }
            _ => Ok(()),
        }
    }

    /// Puts a stretch into its queue. False if it is there already.
    pub(crate) async fn begin(
        &self,
        input: &StretchInput,
        at: Option<SystemTime>,
    ) -> Result<bool, DurableError> {
        let mut row = self.row(input, durare::STATUS_ENQUEUED)?;
        row.queue_name = Some(engine_queue(&input.queue));
        if let Some(at) = at.filter(|at| *at > SystemTime::now()) {
            durare::STATUS_DELAYED.clone_into(&mut row.status);
            row.delay_until_ms = Some(milliseconds(at));
        }
        let (_, created) = self.provider.insert_workflow_status(row).await?;
        Ok(created)
    }

    /// The engine's row of a stretch that has not begun.
    fn row(&self, input: &StretchInput, status: &str) -> Result<WorkflowStatus, DurableError> {
        let is_first = input.earlier.is_empty();
        let name = if is_first { RUN } else { STRETCH };
        let value = serde_json::to_value(input).map_err(durare::Error::from)?;
        let mut row = WorkflowStatus::new(input.id(), name, value, status, "", VERSION);
        row.parent_workflow_id = Some(input.run.clone()).filter(|_| !is_first);
        row.authenticated_user = input.owner.as_ref().map(|owner| owner.name.clone());
        Ok(row)
    }

    /// The state of a run or schedule.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn show(&self, run: &str) -> Result<RunSummary, DurableError> {
        if let Some(schedule) = self.schedule(run).await? {
            return Ok(schedule);
        }
        self.chain(run).await?.summary()
    }

    /// Waits until a run has ended, and returns its state. An outage of the database of less than a
    /// minute is waited for.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn finished(&self, run: &str) -> Result<RunState, DurableError> {
        let mut last_seen = Instant::now();
        loop {
            match self.show(run).await {
                Ok(run) if run.state.has_ended() => return Ok(run.state),
                Ok(_) => last_seen = Instant::now(),
                Err(error) if error.kind() != DurableErrorKind::Database => return Err(error),
                Err(error) if last_seen.elapsed() > OUTAGE => return Err(error),
                Err(error) => {
                    tracing::warn!(error = error.detail(), "the store of runs is away");
                }
            }
            sleep(LOOK).await;
        }
    }
}

/// An id that no other run of any store has.
pub(crate) fn new_id() -> String {
    format!("{:016x}", fastrand::u64(..))
}

/// Milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time as text: RFC 3339, in UTC.
pub(crate) fn time_text(milliseconds: i64) -> String {
    Timestamp::from_millisecond(milliseconds)
        .map_or_else(|_| String::new(), |time| time.to_string())
}

fn checked_id(id: String) -> Result<String, DurableError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !id.is_empty() && id.len() <= ID_LENGTH && id.chars().all(is_plain) {
        return Ok(id);
    }
    let message = format!("\"{id}\" is no id of a run");
    let hint = "use up to 100 letters, digits, -, _ and .";
    Err(DurableError::new(DurableErrorKind::Argument, message, hint))
}

/// Checks the name of a queue.
pub(crate) fn check_queue(queue: &str) -> Result<(), DurableError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !queue.is_empty() && queue.len() <= QUEUE_LENGTH && queue.chars().all(is_plain) {
        return Ok(());
    }
    let message = format!("\"{queue}\" is no name of a queue");
    let hint = "use up to 64 letters, digits, - and _";
    Err(DurableError::new(DurableErrorKind::Argument, message, hint))
}

impl std::fmt::Debug for DurableStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DurableStore")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}
