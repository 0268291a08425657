//! A store of runs: questions in, decisions in, states out. It runs nothing; see `worker.rs`.

use std::sync::Arc;
use std::time::Duration;

use durare::{Client, ListFilter, StateProvider, WorkflowOptions, WorkflowStatus};
use tokio::time::sleep;

use crate::database::Database;
use crate::error::{DurableError, DurableErrorKind};
use crate::leases;
use crate::run::{Decision, Pending, RunState, RunSummary};
use crate::workflow::{PENDING, RUN, RUNS, RunEnd, RunInput, decision_topic};

/// How often [`DurableStore::finished`] looks.
const LOOK: Duration = Duration::from_millis(200);

/// How often opening is tried again.
const OPENINGS: usize = 4;

/// The number of runs that [`DurableStore::list`] returns.
const LISTED: i64 = 1000;

/// One SQLite file or a Postgres database with runs. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct DurableStore {
    pub(crate) database: Database,
    pub(crate) provider: Arc<dyn StateProvider>,
    client: Arc<Client>,
}

impl DurableStore {
    /// Opens `sqlite:FILE` or `postgres://USER@HOST/DATABASE`, and creates the tables in it.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Address`] or [`DurableErrorKind::Database`].
    pub async fn open(address: &str) -> Result<Self, DurableError> {
        // Processes that create the tables of a new database at once collide.
        for _ in 0..OPENINGS {
            match Self::try_open(address).await {
                Err(error) if error.kind() == DurableErrorKind::Database => sleep(LOOK).await,
                opened => return opened,
            }
        }
        Self::try_open(address).await
    }

    async fn try_open(address: &str) -> Result<Self, DurableError> {
        let database = Database::open(address).await?;
        let provider = database.provider();
        provider.init().await?;
        leases::create_table(&database).await?;
        Ok(Self {
            database,
            client: Arc::new(Client::new(provider.clone())),
            provider,
        })
    }

    /// Puts a question into the queue and returns the id of its run.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn submit(&self, question: impl Into<String>) -> Result<String, DurableError> {
        let input = RunInput {
            question: question.into(),
        };
        let options = WorkflowOptions::default();
        let queued = self.client.enqueue::<_, RunEnd>(RUNS, RUN, input, options);
        Ok(queued.await?.id().to_owned())
    }

    /// The state of a run.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn show(&self, run: &str) -> Result<RunSummary, DurableError> {
        let status = self.provider.get_workflow_status(run).await?;
        let status = status.filter(|status| status.name == RUN);
        self.summary(status.ok_or_else(|| DurableError::unknown_run(run))?)
            .await
    }

    /// The newest runs, at most 1,000.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn list(&self) -> Result<Vec<RunSummary>, DurableError> {
        let filter = ListFilter {
            name: vec![RUN.to_owned()],
            limit: Some(LISTED),
            sort_desc: true,
            ..ListFilter::default()
        };
        let mut runs = Vec::new();
        for status in self.provider.list_workflows(&filter).await? {
            runs.push(self.summary(status).await?);
        }
        Ok(runs)
    }

    /// Waits until a run has ended, and returns its state.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn finished(&self, run: &str) -> Result<RunState, DurableError> {
        loop {
            match self.show(run).await?.state {
                RunState::Queued | RunState::Working | RunState::Waiting(_) => sleep(LOOK).await,
                ended => return Ok(ended),
            }
        }
    }

    /// Decides what a run waits for. The first decision counts.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::NotWaiting`] when the run does not wait, or not for such a decision;
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn decide(&self, run: &str, decision: Decision) -> Result<(), DurableError> {
        let not_waiting = |message| {
            let hint = "show the run to see what it waits for";
            DurableError::new(DurableErrorKind::NotWaiting, message, hint)
        };
        let RunState::Waiting(pending) = self.show(run).await?.state else {
            return Err(not_waiting(format!("The run {run} does not wait")));
        };
        if !decision.answers(pending.reason) {
            let message = format!("The run {run} waits for another kind of decision");
            return Err(not_waiting(message));
        }
        let topic = decision_topic(pending.number);
        let key = format!("{run}:{topic}");
        self.client
            .send_with_idempotency_key(run, decision, &topic, &key)
            .await?;
        Ok(())
    }

    /// Cancels a run. A tool call that is under way is not taken back.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::UnknownRun`] or [`DurableErrorKind::Database`].
    pub async fn cancel(&self, run: &str) -> Result<(), DurableError> {
        self.show(run).await?;
        let filter = ListFilter {
            parent_workflow_ids: vec![run.to_owned()],
            ..ListFilter::default()
        };
        let stretches = self.provider.list_workflows(&filter).await?;
        let stretches = stretches.into_iter().map(|stretch| stretch.id);
        let all: Vec<_> = [run.to_owned()].into_iter().chain(stretches).collect();
        Ok(self.client.cancel_workflows(&all).await?)
    }

    async fn summary(&self, status: WorkflowStatus) -> Result<RunSummary, DurableError> {
        let input: RunInput = serde_json::from_value(status.input).unwrap_or_default();
        let state = match status.status.as_str() {
            durare::STATUS_SUCCESS => match status.output.map(serde_json::from_value) {
                Some(Ok(RunEnd::Answered { text })) => RunState::Answered { text },
                Some(Ok(RunEnd::Failed { error })) => RunState::Failed { error },
                _ => RunState::Failed {
                    error: "The end of the run cannot be read".to_owned(),
                },
            },
            durare::STATUS_CANCELLED => RunState::Cancelled,
            durare::STATUS_ENQUEUED | durare::STATUS_DELAYED => RunState::Queued,
            durare::STATUS_PENDING => self.working_state(&status.id).await?,
            _ => RunState::Failed {
                error: status.error.unwrap_or(status.status),
            },
        };
        Ok(RunSummary {
            id: status.id,
            question: input.question,
            state,
        })
    }

    /// Whether a run that is under way waits for a person.
    async fn working_state(&self, run: &str) -> Result<RunState, DurableError> {
        let event = self.provider.get_event_value(run, PENDING).await?;
        let pending: Option<Pending> = event
            .and_then(|value| serde_json::from_value(value).ok())
            .flatten();
        Ok(pending.map_or(RunState::Working, RunState::Waiting))
    }
}

impl std::fmt::Debug for DurableStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DurableStore")
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}
