//! A worker: takes runs out of a store, answers them, and takes over those of dead workers.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use durare::{DurableEngine, ListFilter, WorkflowQueue};
use haft_agent::Agent;
use haft_tools::ApprovalMode;
use tokio::time::{interval, sleep, timeout};

use crate::error::DurableError;
use crate::leases::{BEAT, Lease, TIME_TO_LIVE, alive};
use crate::store::DurableStore;
use crate::workflow::{RUN, RUNS, STRETCH, STRETCHES, Workshop, run};

/// The version of the recorded steps. Workers take up only runs of their own version. The engine
/// would take the hash of the program, with which each new build strands the runs of the last.
const VERSION: &str = "haft-1";

/// How often queues are asked for work.
const POLL: Duration = Duration::from_millis(200);

/// How long a worker waits before it tries to reach the database again.
const PAUSE: Duration = Duration::from_secs(1);

/// The settings of a [`Worker`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WorkerOptions {
    /// How many runs are worked on at once; 4 by default. Runs that wait for a person do not count.
    pub slots: usize,
    /// Which calls need a person's approval; destructive ones by default.
    pub approval: ApprovalMode,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self {
            slots: 4,
            approval: ApprovalMode::default(),
        }
    }
}

/// Works on the runs of a store with an agent.
#[derive(Debug)]
pub struct Worker {
    agent: Agent,
    store: DurableStore,
    options: WorkerOptions,
}

/// Why a worker stopped working under one name.
enum Stopped {
    /// It was asked to.
    Asked,
    /// Others may believe it to be dead.
    LeaseLost,
}

impl Worker {
    /// A worker for the runs of `store`. The approval of the agent itself is not asked; see
    /// [`WorkerOptions::approval`].
    #[must_use]
    pub fn new(agent: Agent, store: DurableStore, options: WorkerOptions) -> Self {
        Self {
            agent,
            store,
            options,
        }
    }

    /// Works until `stop` ends. What is unfinished then is taken over by another worker. While the
    /// database is away, nothing new begins; afterwards the worker goes on under a new name.
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
        let lease = Arc::new(Lease::new(name.clone(), self.store.database.clone()));
        lease.renew().await?;
        let engine = self.engine(name, lease.clone()).await?;
        engine.launch().await?;
        let stopped = tokio::select! {
            () = stop => Stopped::Asked,
            () = hold(&lease) => Stopped::LeaseLost,
            () = self.take_over_the_dead(&engine) => Stopped::LeaseLost,
        };
        // Stops taking work. Runs under way do nothing more once the lease is lost.
        engine.shutdown(Duration::ZERO).await?;
        Ok(stopped)
    }

    async fn engine(&self, name: String, lease: Arc<Lease>) -> Result<DurableEngine, DurableError> {
        let workshop = Arc::new(Workshop {
            agent: self.agent.clone(),
            approval: self.options.approval,
            provider: self.store.provider.clone(),
            lease,
        });
        let mut engine = DurableEngine::builder(self.store.provider.clone());
        engine.app_version(VERSION).executor_id(name);
        engine.register(RUN, run);
        engine.register(STRETCH, move |context, input| {
            let workshop = workshop.clone();
            async move { workshop.stretch(context, input).await }
        });
        let slots = self.options.slots.max(1);
        let polled = |name| WorkflowQueue::new(name).base_polling_interval(POLL);
        engine.register_queue(polled(RUNS));
        engine.register_queue(polled(STRETCHES).worker_concurrency(slots));
        Ok(engine.build().await?)
    }

    /// Takes over the runs whose worker is not alive, again and again.
    async fn take_over_the_dead(&self, engine: &DurableEngine) {
        // After an outage of the database all leases have ended, so others get time to renew theirs.
        let mut looks = interval(TIME_TO_LIVE / 2);
        looks.tick().await;
        sleep(TIME_TO_LIVE / 2).await;
        loop {
            looks.tick().await;
            match self.take_over(engine).await {
                Ok(taken) if taken > 0 => tracing::info!(taken, "took over runs of dead workers"),
                Ok(_) => {}
                Err(error) => tracing::warn!(error = error.detail(), "the store of runs is away"),
            }
        }
    }

    async fn take_over(&self, engine: &DurableEngine) -> Result<usize, DurableError> {
        let filter = ListFilter {
            status: vec![durare::STATUS_PENDING.to_owned()],
            ..ListFilter::default()
        };
        // Those under way first: a worker that begins after that is not taken for dead.
        let under_way = self.store.provider.list_workflows(&filter).await?;
        let alive = alive(&self.store.database).await?;
        let mut dead: Vec<_> = under_way.into_iter().map(|run| run.executor_id).collect();
        dead.sort();
        dead.dedup();
        dead.retain(|worker| !alive.contains(worker));
        if dead.is_empty() {
            return Ok(0);
        }
        Ok(engine.recover_pending_for(&dead).await?.len())
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
