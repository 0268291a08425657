//! Who is alive: each worker renews a lease in the database, and the runs of a worker whose lease
//! has expired are taken over.
//!
//! A worker measures its own lease from before it last renewed it, by its own clock, and gives up
//! [`MARGIN`] earlier than the others believe it to be dead. So two workers never both act on a run,
//! even after one of them was stopped for a while or could not reach the database.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::database::{Bound, Database};
use crate::error::DurableError;

/// How long a lease lasts after it was renewed.
pub(crate) const TIME_TO_LIVE: Duration = Duration::from_secs(6);

/// How often it is renewed.
pub(crate) const BEAT: Duration = Duration::from_secs(1);

/// How much earlier a worker gives up than the others take over.
const MARGIN: Duration = Duration::from_secs(2);

/// How long the ended lease of a dead worker is kept.
const KEPT: Duration = Duration::from_secs(3600);

/// The table of leases.
pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS haft_workers (
    id TEXT PRIMARY KEY,
    -- When the lease ends, in milliseconds since 1970 by the clock of the database.
    ends BIGINT NOT NULL
)";

/// The lease of one worker.
#[derive(Debug)]
pub(crate) struct Lease {
    worker: String,
    database: Database,
    /// When it was last renewed; `None` before the first time.
    renewed: Mutex<Option<Instant>>,
}

impl Lease {
    /// A lease for `worker`, not taken yet.
    pub(crate) fn new(worker: String, database: Database) -> Self {
        Self {
            worker,
            database,
            renewed: Mutex::default(),
        }
    }

    /// Takes or renews the lease. A lease that was lost stays lost, also when the process was
    /// stopped for a while and goes on.
    pub(crate) async fn renew(&self) -> Result<(), DurableError> {
        let asked = Instant::now();
        if self.renewed().is_some() && !self.is_held() {
            return Ok(());
        }
        let upsert = "INSERT INTO haft_workers (id, ends) VALUES ($1, {now} + $2)
             ON CONFLICT (id) DO UPDATE SET ends = excluded.ends";
        let values = [
            Bound::Text(&self.worker),
            Bound::Number(milliseconds(TIME_TO_LIVE)),
        ];
        self.database.execute(upsert, &values).await?;
        *self.renewed() = Some(asked);
        Ok(())
    }

    /// Whether the worker may act.
    pub(crate) fn is_held(&self) -> bool {
        Instant::now() < self.end()
    }

    /// Waits until the worker may not act any more.
    pub(crate) async fn lost(&self) {
        while self.is_held() {
            sleep_until(self.end()).await;
        }
    }

    /// When the worker gives up, unless it renews the lease until then.
    fn end(&self) -> Instant {
        let renewed = *self.renewed();
        renewed.map_or_else(Instant::now, |renewed| renewed + TIME_TO_LIVE - MARGIN)
    }

    fn renewed(&self) -> MutexGuard<'_, Option<Instant>> {
        self.renewed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The workers whose lease has not ended. Forgets those that ended long ago.
pub(crate) async fn alive(database: &Database) -> Result<Vec<String>, DurableError> {
    let forget = "DELETE FROM haft_workers WHERE ends < {now} - $1";
    let kept = [Bound::Number(milliseconds(KEPT))];
    database.execute(forget, &kept).await?;
    let alive = "SELECT id FROM haft_workers WHERE ends > {now}";
    let alive: Vec<(String,)> = database.rows(alive, &[]).await?;
    Ok(alive.into_iter().map(|(id,)| id).collect())
}
