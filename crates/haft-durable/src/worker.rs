//! A worker: takes runs out of a store, answers them, and takes over those of dead workers.

mod upkeep;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use durare::{DurableEngine, WorkflowQueue};
use futures_util::FutureExt;
use haft_agent::Agent;
use haft_tools::ApprovalMode;
use tokio::time::{interval, sleep, timeout};

use crate::error::DurableError;
use crate::faults::Faults;
use crate::format::{RUN, STRETCH, TICK, TICKS, VERSION, engine_queue};
use crate::leases::{BEAT, Lease};
use crate::run::DEFAULT_QUEUE;
use crate::schedule::tick;
use crate::store::{DurableStore, check_queue};
use crate::stretch_runner::StretchRunner;
use crate::worker_state::WorkerState;

/// How often the queue of runs is asked for work.
const POLL: Duration = Duration::from_millis(200);

/// How long a worker waits before it tries to reach the database again.
const PAUSE: Duration = Duration::from_secs(1);

/// How often a worker erases what is older than it is kept.
const ERASING: Duration = Duration::from_secs(3600);

/// How many workers may die with a run, before it counts as the cause.
const DEATHS: i32 = 100;

/// The settings of a [`Worker`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkerOptions {
    /// The queue whose runs are worked on; [`DEFAULT_QUEUE`] by default.
    pub queue: String,
    /// How many runs are worked on at once; 4 by default. Runs that wait for a person do not count.
    pub slots: usize,
    /// Which calls need a person's approval; destructive ones by default.
    pub approval: ApprovalMode,
    /// How long a worker that is to stop waits for calls under way; 30 s by default.
    pub grace: Duration,
    /// How long runs are kept after their end, and sessions after their last question; for ever by
    /// default.
    pub keep: Option<Duration>,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self {
            queue: DEFAULT_QUEUE.to_owned(),
            slots: 4,
            approval: ApprovalMode::default(),
            grace: Duration::from_secs(30),
            keep: None,
        }
    }
}

/// Works on the runs of a store with an agent.
#[derive(Debug)]
pub struct Worker {
    agent: Agent,
    store: DurableStore,
    options: WorkerOptions,
    faults: Faults,
}

/// Why a worker stopped working under its name.
enum Stopped {
    /// The worker was asked to stop.
    Asked,
    /// Others may believe the worker to be dead.
    LeaseLost,
}

impl Worker {
    /// A worker for the runs of `store`. The approval of the agent itself is not asked; see
    /// [`WorkerOptions::approval`]. The limits of calls are those of the agent.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Argument`](crate::DurableErrorKind::Argument) when the queue has no
    /// proper name.
    pub fn new(
        agent: Agent,
        store: DurableStore,
        options: WorkerOptions,
    ) -> Result<Self, DurableError> {
        check_queue(&options.queue)?;
        Ok(Self {
            options,
            ..Self::with_default_options(agent, store)
        })
    }

    pub(crate) fn with_default_options(agent: Agent, store: DurableStore) -> Self {
        Self {
            agent,
            store,
            options: WorkerOptions::default(),
            faults: Faults::default(),
        }
    }

    /// A worker that dies at a place.
    #[cfg(test)]
    pub(crate) fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// Works until `stop` ends, and then until the calls under way have ended. What is unfinished
    /// then goes back into its queue. While the database is away, nothing new begins; afterwards
    /// the worker goes on under a new name.
    pub async fn work(self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        loop {
            match self.work_under_a_name(&mut stop).await {
                Ok(Stopped::Asked) => return,
                Ok(Stopped::LeaseLost) => tracing::warn!("the lease was lost; starting again"),
                Err(error) => tracing::warn!(error = error.detail(), "the store of runs is away"),
            }
            tokio::select! {
                () = &mut stop => return,
                () = sleep(PAUSE) => {}
            }
        }
    }

    async fn work_under_a_name(
        &self,
        stop: impl Future<Output = ()>,
    ) -> Result<Stopped, DurableError> {
        let name = format!("{:016x}", fastrand::u64(..));
        let lease = Lease::new(name.clone(), self.store.database.clone());
        lease.renew().await?;
        let state = Arc::new(WorkerState::new(lease, self.faults.clone()));
        let engine = self.engine(&name, state.clone()).await?;
        engine.launch().await?;
        let _stopping = Leaving {
            engine: &engine,
            state: &state,
        };
        let work = async {
            let stopped = tokio::select! {
                () = stop => Stopped::Asked,
                () = state.lease.lost() => Stopped::LeaseLost,
                () = self.look_after_the_store(&engine) => Stopped::LeaseLost,
            };
            engine.deactivate();
            state.stop();
            // Without the lease, others already go on. Calls under way end by themselves.
            let grace = match stopped {
                Stopped::Asked => self.options.grace,
                Stopped::LeaseLost => Duration::ZERO,
            };
            engine.shutdown(grace).await?;
            Ok::<_, DurableError>(stopped)
        };
        let stopped = tokio::select! {
            stopped = work => stopped?,
            () = hold(&state.lease) => Stopped::LeaseLost,
        };
        if let Stopped::Asked = stopped {
            self.hand_over(&name).await?;
        }
        Ok(stopped)
    }

    async fn engine(
        &self,
        name: &str,
        state: Arc<WorkerState>,
    ) -> Result<DurableEngine, DurableError> {
        let stretch_runner = Arc::new(StretchRunner {
            agent: self.agent.clone(),
            approval: self.options.approval,
            store: self.store.clone(),
            worker: state,
        });
        let mut engine = DurableEngine::builder(self.store.provider.clone());
        engine.app_version(VERSION).executor_id(name);
        engine.max_recovery_attempts(DEATHS);
        for workflow in [RUN, STRETCH] {
            let stretch_runner = stretch_runner.clone();
            engine.register(workflow, move |context, input| {
                let stretch_runner = stretch_runner.clone();
                async move { stretch_runner.stretch(context, input).await }
            });
        }
        let store = self.store.clone();
        engine.register(TICK, move |context, input| {
            tick(store.clone(), context, input)
        });
        let slots = self.options.slots.max(1);
        let queue = WorkflowQueue::new(engine_queue(&self.options.queue));
        let queue = queue.base_polling_interval(POLL);
        engine.register_queue(queue.worker_concurrency(slots));
        engine.register_queue(WorkflowQueue::new(TICKS));
        Ok(engine.build().await?)
    }
}

/// Ends the work of an engine when it is dropped, also when nobody waits for the worker any more.
struct Leaving<'a> {
    engine: &'a DurableEngine,
    state: &'a WorkerState,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.engine.deactivate();
        self.state.stop();
        // The engine has been told to stop before it waits for anything.
        let _ = self.engine.shutdown(Duration::ZERO).now_or_never();
    }
}

/// Renews the lease until it is lost.
async fn hold(lease: &Lease) {
    let mut beats = interval(BEAT);
    loop {
        beats.tick().await;
        let renewal = timeout(BEAT, lease.renew()).await;
        if let Ok(Err(error)) = renewal {
            tracing::warn!(error = error.detail(), "the lease was not renewed");
        }
        if !lease.is_held() {
            return;
        }
    }
}
