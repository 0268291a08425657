//! Looks after the store while a worker works: runs of dead workers, missed times, and what is too
//! old.

use std::time::SystemTime;

use durare::{DurableEngine, ListFilter, RecoveryClaimRequest};
use tokio::time::{interval, sleep};

use super::{DEATHS, ERASING, Worker};
use crate::error::DurableError;
use crate::leases::{TIME_TO_LIVE, alive};
use crate::schedule::catch_up;

impl Worker {
    /// Takes over the runs whose worker is not alive, makes up for missed times of schedules, and
    /// erases what is too old, again and again.
    pub(super) async fn look_after_the_store(&self, engine: &DurableEngine) {
        if let Err(error) = catch_up(&self.store).await {
            tracing::warn!(error = error.detail(), "schedules were not looked through");
        }
        // After an outage of the database all leases have ended, so others get time to renew theirs.
        let mut looks = interval(TIME_TO_LIVE / 2);
        looks.tick().await;
        sleep(TIME_TO_LIVE / 2).await;
        let mut erasing = interval(ERASING);
        loop {
            tokio::select! {
                _ = looks.tick() => match self.take_over(engine).await {
                    Ok(taken) if taken > 0 => tracing::info!(taken, "took over runs of dead workers"),
                    Ok(_) => {}
                    Err(error) => tracing::warn!(error = error.detail(), "the store of runs is away"),
                },
                _ = erasing.tick() => self.erase_the_old().await,
            }
        }
    }

    async fn erase_the_old(&self) {
        let erasing = async {
            self.store.forget_old_chunks().await?;
            self.store.erase_old_replies().await
        };
        if let Err(error) = erasing.await {
            tracing::warn!(error = error.detail(), "old replies were not erased");
        }
        let now = SystemTime::now();
        let Some(before) = self.options.keep.and_then(|keep| now.checked_sub(keep)) else {
            return;
        };
        let erasing = async {
            let runs = self.store.erase_before(before).await?;
            let sessions = self.store.sessions().delete_before(before).await?;
            Ok::<_, DurableError>(runs + sessions)
        };
        match erasing.await {
            Ok(0) => {}
            Ok(erased) => tracing::info!(erased, "erased old runs and sessions"),
            Err(error) => tracing::warn!(error = error.detail(), "old runs were not erased"),
        }
    }

    /// Puts what this worker has begun and not ended back into its queue, so that others need not
    /// wait for the end of the lease.
    pub(super) async fn hand_over(&self, name: &str) -> Result<(), DurableError> {
        let filter = ListFilter {
            status: vec![durare::STATUS_PENDING.to_owned()],
            executor_ids: vec![name.to_owned()],
            load_input: false,
            ..ListFilter::default()
        };
        for row in self.store.provider.list_workflows(&filter).await? {
            let claim = RecoveryClaimRequest {
                workflow_id: &row.id,
                expected_executor: name,
                expected_attempts: row.recovery_attempts,
                new_executor: "",
                max_attempts: DEATHS,
                requeue: true,
            };
            self.store.provider.claim_for_recovery(&claim).await?;
        }
        Ok(())
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
