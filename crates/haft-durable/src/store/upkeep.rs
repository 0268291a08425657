//! The upkeep of a store: checking, saving, and erasing runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use durare::ListFilter;
use serde::Serialize;

use super::chain::Chain;
use super::{DurableStore, milliseconds};
use crate::database::{Database, make_private};
use crate::error::{DurableError, DurableErrorKind};
use crate::format::{RUN, TICK, VERSION};
use crate::leases;

/// How many runs are read at once.
const PAGE: i64 = 500;

/// What [`DurableStore::check`] found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StoreReport {
    /// The number of runs in each state.
    pub runs: BTreeMap<&'static str, usize>,
    /// The number of sessions.
    pub sessions: usize,
    /// The number of workers that are alive.
    pub workers: usize,
    /// What is wrong, one sentence each; empty if nothing is.
    pub problems: Vec<String>,
}

impl DurableStore {
    /// Reads everything, and says what is there and what is wrong.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn check(&self) -> Result<StoreReport, DurableError> {
        let mut report = StoreReport {
            workers: leases::alive(&self.database).await?.len(),
            sessions: self.session_count().await?,
            ..StoreReport::default()
        };
        if let Database::Sqlite(pool) = &self.database {
            let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check")
                .fetch_all(pool)
                .await?;
            let broken = found.into_iter().filter(|line| line != "ok");
            report
                .problems
                .extend(broken.map(|line| format!("SQLite: {line}")));
        }
        let mut offset = 0;
        loop {
            let page = self.page(offset, None).await?;
            for chain in &page {
                report.count(chain);
            }
            match i64::try_from(page.len()) {
                Ok(PAGE) => offset += PAGE,
                _ => return Ok(report),
            }
        }
    }

    /// Saves a SQLite store into a new file, also while workers use it.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Unsupported`] with Postgres, which has `pg_dump`;
    /// [`DurableErrorKind::Database`] when the file cannot be written or is there already.
    pub async fn backup(&self, file: &Path) -> Result<(), DurableError> {
        let Database::Sqlite(pool) = &self.database else {
            let message = "Only a store in SQLite is saved by haft";
            let hint = "use pg_dump for a store in Postgres";
            return Err(DurableError::new(
                DurableErrorKind::Unsupported,
                message,
                hint,
            ));
        };
        let name = file.display();
        if file.exists() {
            let message = format!("The file {name} is there already");
            return Err(DurableError::new(
                DurableErrorKind::Database,
                message,
                "name another file",
            ));
        }
        // SQLite writes into the empty file.
        make_private(file)?;
        let saving = sqlx::query("VACUUM INTO $1").bind(file.to_string_lossy());
        saving.execute(pool).await?;
        Ok(())
    }

    /// Erases a run that has ended, with all that is recorded of it.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::State`] when the run has not ended; [`DurableErrorKind::UnknownRun`] or
    /// [`DurableErrorKind::Database`].
    pub async fn erase(&self, run: &str) -> Result<(), DurableError> {
        if !self.chain(run).await?.state().has_ended() {
            let message = format!("The run {run} has not ended");
            let hint = "cancel it before you erase it";
            return Err(DurableError::new(DurableErrorKind::State, message, hint));
        }
        self.erase_all(&[run.to_owned()]).await
    }

    /// Erases the runs that ended before `time`, and returns their number.
    ///
    /// # Errors
    ///
    /// [`DurableErrorKind::Database`].
    pub async fn erase_before(&self, time: SystemTime) -> Result<usize, DurableError> {
        let before = milliseconds(time);
        let mut erased = 0;
        let mut kept = 0;
        loop {
            let page = self.page(kept, Some(before)).await?;
            let length = i64::try_from(page.len()).unwrap_or_default();
            let ended = |chain: &Chain| chain.state().has_ended() && chain.ended_ms() < before;
            let old: Vec<_> = page.into_iter().filter(ended).collect();
            let old: Vec<_> = old.into_iter().map(|chain| chain.first.id).collect();
            self.erase_all(&old).await?;
            erased += old.len();
            kept += length - i64::try_from(old.len()).unwrap_or_default();
            if length < PAGE {
                break;
            }
        }
        let ticks = ListFilter {
            name: vec![TICK.to_owned()],
            completed_before_ms: Some(before),
            ..ListFilter::default()
        };
        let ticks = self.provider.list_workflows(&ticks).await?;
        let ticks: Vec<_> = ticks.into_iter().map(|tick| tick.id).collect();
        self.erase_all(&ticks).await?;
        Ok(erased)
    }

    async fn erase_all(&self, ids: &[String]) -> Result<(), DurableError> {
        for id in ids {
            self.forget_chunks(id).await?;
        }
        for ids in ids.chunks(100) {
            self.provider.delete_workflows(ids, true).await?;
        }
        match ids.is_empty() {
            true => Ok(()),
            false => self.overwrite_erased().await,
        }
    }

    /// What was erased from SQLite also leaves the log.
    pub(crate) async fn overwrite_erased(&self) -> Result<(), DurableError> {
        if let Database::Sqlite(pool) = &self.database {
            sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
                .execute(pool)
                .await?;
        }
        Ok(())
    }

    /// Runs in the order in which they were asked, up to a time.
    async fn page(&self, offset: i64, until: Option<i64>) -> Result<Vec<Chain>, DurableError> {
        let filter = ListFilter {
            name: vec![RUN.to_owned()],
            end_time_ms: until,
            limit: Some(PAGE),
            offset: Some(offset),
            ..ListFilter::default()
        };
        self.chains(&filter).await
    }
}

impl StoreReport {
    fn count(&mut self, chain: &Chain) {
        let id = &chain.first.id;
        *self.runs.entry(chain.state().name()).or_default() += 1;
        if chain.summary().is_err() {
            self.problems.push(format!("The run {id} cannot be read"));
        }
        if chain.last.app_version != VERSION {
            let problem = format!("The run {id} is of another version of haft");
            self.problems.push(problem);
        }
    }
}
