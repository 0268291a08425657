//! An agent whose answers survive its process.

use haft_agent::Agent;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::error::{DurableError, DurableErrorKind};
use crate::run::{RunOptions, RunState};
use crate::store::DurableStore;
use crate::worker::Worker;

/// Makes an [`Agent`] durable. A trait, because agents know nothing of stores.
pub trait Durable {
    /// This agent as a worker of `store` and as the one who asks it. Within a Tokio runtime.
    fn durable(&self, store: &DurableStore) -> DurableAgent;
}

impl Durable for Agent {
    fn durable(&self, store: &DurableStore) -> DurableAgent {
        let worker = Worker::with_default_options(self.clone(), store.clone());
        let (stop, stopped) = oneshot::channel();
        DurableAgent {
            store: store.clone(),
            working: tokio::spawn(worker.work(async {
                let _ = stopped.await;
            })),
            stop,
        }
    }
}

/// An agent with a worker in this process. See [`Durable::durable`].
///
/// ```
/// use haft_agent::Agent;
/// use haft_durable::{Durable, DurableStore};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let address = format!("sqlite:{}", folder.path().join("runs.db").display());
/// let store = DurableStore::open(&address).await?;
/// let agent = Agent::builder().model("builtin").build().await?;
/// let agent = agent.durable(&store);
/// // If the process dies meanwhile, the same line in the next one goes on with the same run.
/// let answer = agent.ask_once("morning-2030-01-31", "What can you do?").await?;
/// assert!(!answer.is_empty());
/// agent.stop().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DurableAgent {
    store: DurableStore,
    working: JoinHandle<()>,
    /// The worker stops when it is dropped.
    stop: oneshot::Sender<()>,
}

impl DurableAgent {
    /// Asks a question and waits for the answer, also while the run waits for a person. If the
    /// process dies meanwhile, another worker of the store answers it.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Failed`] when there is no answer, or [`DurableErrorKind::Database`].
    pub async fn ask(&self, question: impl Into<String>) -> Result<String, DurableError> {
        let run = self.store.submit(question).await?;
        self.answer(&run).await
    }

    /// Asks a question once: whoever asks with the same id, also in a later process, gets the
    /// answer of the same run. See [`RunOptions::id`].
    ///
    /// # Errors
    ///
    /// As [`Self::ask`], and [`DurableErrorKind::Argument`] when the id has another form.
    pub async fn ask_once(
        &self,
        id: &str,
        question: impl Into<String>,
    ) -> Result<String, DurableError> {
        let options = RunOptions {
            id: Some(id.to_owned()),
            ..RunOptions::default()
        };
        let run = self.store.submit_with(question, options).await?;
        self.answer(&run).await
    }

    async fn answer(&self, run: &str) -> Result<String, DurableError> {
        let hint = "retry the run, or ask again";
        let failed = |message: String| DurableError::new(DurableErrorKind::Failed, message, hint);
        match self.store.finished(run).await? {
            RunState::Answered { text } => Ok(text),
            RunState::Failed { error } => Err(failed(error)),
            _ => Err(failed(format!("The run {run} was cancelled"))),
        }
    }

    /// Stops the worker: waits for calls under way, and puts what is unfinished back into the
    /// queue.
    pub async fn stop(self) {
        drop(self.stop);
        let _ = self.working.await;
    }
}
