//! The text of a reply while a model writes it, for whoever watches the run, on any machine.
//!
//! A worker keeps the text in memory, and writes it in chunks into a table of its own while somebody
//! watches. Whoever watches says so in another table. The recorded step is the truth: the chunks of
//! a reply are deleted when it is recorded, and may be lost in a crash of the database.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::cipher::{read, stored};
use crate::database::{Bound, Database};
use crate::error::DurableError;
use crate::leases::milliseconds;
use crate::news::CHANNEL;
use crate::store::DurableStore;

/// How often new text is written.
const FLUSH: Duration = Duration::from_millis(75);

/// How often a worker looks whether somebody watches.
const LOOK: Duration = Duration::from_secs(1);

/// How long somebody counts as watching.
const WATCHED: Duration = Duration::from_secs(10);

/// How long chunks are kept whose worker died.
const KEPT: Duration = Duration::from_secs(3600);

/// The tables, whose contents may be lost.
pub(crate) const TABLES: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS haft_chunks (
        run TEXT NOT NULL,
        -- When the reply began, in milliseconds since 1970: a later attempt replaces an earlier one.
        attempt BIGINT NOT NULL,
        number BIGINT NOT NULL,
        -- The number of steps before the reply.
        step BIGINT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (run, attempt, number)
    )",
    "CREATE TABLE IF NOT EXISTS haft_watched (
        run TEXT PRIMARY KEY,
        ends BIGINT NOT NULL
    )",
];

/// A piece of a reply that is not recorded yet.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) id: ChunkId,
    pub(crate) text: String,
}

/// Which piece it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChunkId {
    /// When the attempt at the reply began.
    pub(crate) attempt: i64,
    /// From 1.
    pub(crate) number: i64,
}

/// Writes the text of one reply until it is dropped.
#[derive(Debug)]
pub(crate) struct ChunkWriter {
    text: Arc<Mutex<String>>,
    has_written: Arc<AtomicBool>,
    writing: JoinHandle<()>,
}

/// Which reply it is.
#[derive(Clone, Debug)]
struct Place {
    run: String,
    step: i64,
    attempt: i64,
}

impl ChunkWriter {
    /// A writer for the reply after `step` steps.
    pub(crate) fn start(store: DurableStore, run: String, step: usize) -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let place = Place {
            run,
            step: i64::try_from(step).unwrap_or(i64::MAX),
            attempt: milliseconds(now.unwrap_or_default()),
        };
        let text = Arc::<Mutex<String>>::default();
        let has_written = Arc::<AtomicBool>::default();
        let writing = write(store, place, text.clone(), has_written.clone());
        Self {
            text,
            has_written,
            writing: tokio::spawn(writing),
        }
    }

    /// Adds text.
    pub(crate) fn push(&self, text: &str) {
        locked(&self.text).push_str(text);
    }

    /// Whether there are chunks in the table.
    pub(crate) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }
}

impl Drop for ChunkWriter {
    fn drop(&mut self) {
        self.writing.abort();
    }
}

fn locked(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what is new, again and again. Text that comes while nobody watches waits.
async fn write(
    store: DurableStore,
    place: Place,
    text: Arc<Mutex<String>>,
    has_written: Arc<AtomicBool>,
) {
    let mut pause = FLUSH;
    let mut number = 1;
    loop {
        sleep(pause).await;
        let new = mem::take(&mut *locked(&text));
        if new.is_empty() {
            continue;
        }
        let chunk = store.write_chunk(&place, number, &new).await;
        match chunk {
            Ok(true) => {
                has_written.store(true, Ordering::Relaxed);
                number += 1;
                pause = FLUSH;
            }
            Ok(false) => {
                locked(&text).insert_str(0, &new);
                pause = LOOK;
            }
            // It may be written or not, and a gap or the text twice would be worse than none: the
            // whole reply comes with its step.
            Err(error) => {
                has_written.store(true, Ordering::Relaxed);
                tracing::debug!(error = error.detail(), "the text of a reply is not written");
                return;
            }
        }
    }
}

impl DurableStore {
    pub(crate) async fn create_chunk_tables(&self) -> Result<(), DurableError> {
        for table in TABLES {
            self.database.create_volatile_table(table).await?;
        }
        Ok(())
    }

    /// Writes a chunk; false if nobody watches.
    async fn write_chunk(
        &self,
        place: &Place,
        number: i64,
        text: &str,
    ) -> Result<bool, DurableError> {
        let text = stored(self.key.as_ref(), &text)?;
        let insert = "INSERT INTO haft_chunks (run, attempt, number, step, text)
             SELECT $1, $2, $3, $4, $5
             WHERE EXISTS (SELECT 1 FROM haft_watched WHERE run = $1 AND ends > {now})";
        let values = [
            Bound::Text(&place.run),
            Bound::Number(place.attempt),
            Bound::Number(number),
            Bound::Number(place.step),
            Bound::Text(&text),
        ];
        self.announcing(insert, &values).await
    }

    /// Deletes the chunks of a run.
    pub(crate) async fn forget_chunks(&self, run: &str) -> Result<(), DurableError> {
        let delete = "DELETE FROM haft_chunks WHERE run = $1";
        self.announcing(delete, &[Bound::Text(run)]).await?;
        Ok(())
    }

    /// Changes chunks of one run, and tells those who watch it. False if nothing was changed.
    async fn announcing(
        &self,
        statement: &str,
        values: &[Bound<'_>],
    ) -> Result<bool, DurableError> {
        if let Database::Sqlite(_) = self.database {
            return Ok(self.database.execute(statement, values).await? > 0);
        }
        let statement = format!(
            "WITH changed AS ({statement} RETURNING run)
             SELECT pg_notify('{CHANNEL}', run)::TEXT FROM changed"
        );
        Ok(self.database.execute(&statement, values).await? > 0)
    }

    /// Says that somebody watches a run.
    pub(crate) async fn watch(&self, run: &str) -> Result<(), DurableError> {
        let watch = "INSERT INTO haft_watched (run, ends) VALUES ($1, {now} + $2)
             ON CONFLICT (run) DO UPDATE SET ends = excluded.ends";
        let values = [Bound::Text(run), Bound::Number(milliseconds(WATCHED))];
        self.database.execute(watch, &values).await?;
        Ok(())
    }

    /// The chunks of the reply after `step` steps that follow `last`: those of the latest attempt.
    pub(crate) async fn chunks(
        &self,
        run: &str,
        step: usize,
        last: ChunkId,
    ) -> Result<Vec<Chunk>, DurableError> {
        let select = "SELECT attempt, number, text FROM haft_chunks
             WHERE run = $1 AND step = $2
             AND (attempt > $3 OR attempt = $3 AND number > $4)
             ORDER BY attempt, number";
        let values = [
            Bound::Text(run),
            Bound::Number(i64::try_from(step).unwrap_or(i64::MAX)),
            Bound::Number(last.attempt),
            Bound::Number(last.number),
        ];
        let rows: Vec<(i64, i64, String)> = self.database.rows(select, &values).await?;
        let latest = rows.last().map_or(0, |(attempt, ..)| *attempt);
        let rows = rows.into_iter().filter(|(attempt, ..)| *attempt == latest);
        let chunk = |(attempt, number, text): (i64, i64, String)| {
            Ok(Chunk {
                id: ChunkId { attempt, number },
                text: read(self.key.as_ref(), &text)?,
            })
        };
        rows.map(chunk).collect()
    }

    /// Deletes the chunks of workers that died, and forgets who watched.
    pub(crate) async fn forget_old_chunks(&self) -> Result<(), DurableError> {
        let kept = [Bound::Number(milliseconds(KEPT))];
        let chunks = "DELETE FROM haft_chunks WHERE attempt < {now} - $1";
        self.database.execute(chunks, &kept).await?;
        let watched = "DELETE FROM haft_watched WHERE ends < {now}";
        self.database.execute(watched, &[]).await?;
        Ok(())
    }
}
