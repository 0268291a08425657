//! The tables; writing an attempt, and reading many. The statements are plain SQL, fit for other
//! engines.

use std::time::{Duration, SystemTime};

use haft_core::{Outcome, RecoveryStep};
use haft_store::{Database, Schema};
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row};

use super::summary::{AttemptSummary, ReadAttempt, ReadRetry, Sums};
use crate::attempts::attempt::{Attempt, milliseconds};
use crate::attempts::metrics::SuccessCount;

/// The tables. The column `rung` holds the name of a recovery step: it keeps the name that it got in
/// version 1. Booleans are 0 and 1, times are milliseconds since 1970, which every SQL engine
/// supports.
pub(super) const SCHEMA: Schema = Schema {
    version: 1,
    tables: &[
        "CREATE TABLE attempts (
            id INTEGER PRIMARY KEY,
            model TEXT NOT NULL,
            started_at BIGINT NOT NULL,
            first_query INTEGER NOT NULL,
            first_reply_usable INTEGER NOT NULL,
            original_ms BIGINT,
            blank_replies BIGINT NOT NULL,
            outcome TEXT NOT NULL
        )",
        "CREATE INDEX attempts_by_time ON attempts (started_at)",
        "CREATE TABLE needed (
            attempt INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
            rung TEXT NOT NULL,
            times BIGINT NOT NULL,
            PRIMARY KEY (attempt, rung)
        )",
        "CREATE TABLE retries (
            attempt INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            rung TEXT NOT NULL,
            original_ms BIGINT NOT NULL,
            retry_ms BIGINT NOT NULL,
            recovered INTEGER NOT NULL,
            PRIMARY KEY (attempt, number)
        )",
    ],
};

/// The number of attempts to keep: about 20 MB, summed up in a fraction of a second. Their age is
/// ignored, because one moment with a wrong clock would make all of them too old.
const MOST_KEPT: i64 = 100_000;

/// The number of a model's latest first questions that say how it does now.
const RECENT_QUESTIONS: i64 = 100;

/// How far a time may be ahead before it counts as in the future, as clocks are adjusted.
const CLOCK_STEP: Duration = Duration::from_secs(60 * 60);

/// The maximum length of a model's name in characters. Real names are far shorter.
const MODEL_NAME: usize = 200;

/// The outcome of a question without an answer.
pub(super) const FAILED: &str = "failed";

/// The rows of an open file.
#[derive(Debug)]
pub(super) struct Rows(pub(super) Database);

impl Rows {
    /// Writes an attempt and deletes the oldest beyond the limit, in one transaction.
    pub(super) async fn insert(&mut self, attempt: &Attempt) -> Result<(), sqlx::Error> {
        let model: String = attempt.model.chars().take(MODEL_NAME).collect();
        // Takes the write lock at once: SQLite does not wait for it when a reader becomes a writer.
        let mut transaction = self.0.connection.begin_with("BEGIN IMMEDIATE").await?;
        let id: i64 = sqlx::query_scalar(
            "INSERT INTO attempts (model, started_at, first_query, first_reply_usable, \
             original_ms, blank_replies, outcome) VALUES ($1, $2, $3, $4, $5, $6, $7) \
             RETURNING id",
        )
        .bind(model)
        .bind(since_1970(attempt.started_at))
        .bind(i64::from(attempt.is_first_query))
        .bind(i64::from(attempt.first_reply_usable))
        .bind(attempt.original.map(in_milliseconds))
        .bind(signed(attempt.blank_replies))
        .bind(outcome_name(attempt.outcome))
        .fetch_one(&mut *transaction)
        .await?;
        for (step, times) in &attempt.needed {
            sqlx::query("INSERT INTO needed (attempt, rung, times) VALUES ($1, $2, $3)")
                .bind(id)
                .bind(step.name())
                .bind(signed(*times))
                .execute(&mut *transaction)
                .await?;
        }
        for retry in &attempt.retries {
            sqlx::query(
                "INSERT INTO retries (attempt, number, rung, original_ms, retry_ms, recovered) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(id)
            .bind(i64::from(retry.attempt))
            .bind(retry.step.name())
            .bind(in_milliseconds(retry.original))
            .bind(in_milliseconds(retry.retry))
            .bind(i64::from(retry.recovered))
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query("DELETE FROM attempts WHERE id <= $1")
            .bind(id - MOST_KEPT)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// How many of the model's last first questions since then there are, and how many of their
    /// first replies were usable.
    pub(super) async fn first_replies(
        &mut self,
        model: &str,
        since: SystemTime,
    ) -> Result<SuccessCount, sqlx::Error> {
        let row = sqlx::query(
            "SELECT COUNT(*), COALESCE(SUM(first_reply_usable), 0) FROM (\
             SELECT first_reply_usable FROM attempts \
             WHERE model = $1 AND first_query = 1 AND started_at >= $2 \
             ORDER BY started_at DESC LIMIT $3) AS recent",
        )
        .bind(model)
        .bind(since_1970(since))
        .bind(RECENT_QUESTIONS)
        .fetch_one(&mut self.0.connection)
        .await?;
        let (tries, usable) = (unsigned(row.try_get(0)?), unsigned(row.try_get(1)?));
        Ok(SuccessCount::new(tries, usable))
    }

    /// Sums up all attempts, or those that started between `since` and `now`. One transaction reads
    /// all rows, so that a concurrent writer cannot make the counts disagree.
    pub(super) async fn summary(
        &mut self,
        since: Option<SystemTime>,
        now: SystemTime,
    ) -> Result<AttemptSummary, sqlx::Error> {
        let now = since_1970(now + CLOCK_STEP);
        let (since, until) = since.map_or((i64::MIN, i64::MAX), |since| (since_1970(since), now));
        let mut transaction = self.0.connection.begin().await?;
        let mut sums = Sums::default();
        let attempts = sqlx::query(
            "SELECT model, first_query, first_reply_usable, original_ms, blank_replies, outcome, \
             started_at > $3 FROM attempts WHERE started_at BETWEEN $1 AND $2",
        )
        .bind(since)
        .bind(until)
        .bind(now)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &attempts {
            sums.add(&read_attempt(row)?);
        }
        let needed = sqlx::query(
            "SELECT model, rung, times FROM needed \
             JOIN attempts ON attempts.id = needed.attempt WHERE started_at BETWEEN $1 AND $2",
        )
        .bind(since)
        .bind(until)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &needed {
            // A step of a later version is skipped.
            if let Ok(step) = row.try_get::<&str, _>(1)?.parse::<RecoveryStep>() {
                sums.add_needed(row.try_get(0)?, step, unsigned(row.try_get(2)?));
            }
        }
        let retries = sqlx::query(
            "SELECT model, rung, retry_ms, recovered FROM retries \
             JOIN attempts ON attempts.id = retries.attempt WHERE started_at BETWEEN $1 AND $2",
        )
        .bind(since)
        .bind(until)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &retries {
            if let Ok(step) = row.try_get::<&str, _>(1)?.parse::<RecoveryStep>() {
                let retry = ReadRetry {
                    step,
                    took: Duration::from_millis(unsigned(row.try_get(2)?)),
                    recovered: row.try_get::<i64, _>(3)? != 0,
                };
                sums.add_retry(row.try_get(0)?, &retry);
            }
        }
        transaction.rollback().await?;
        Ok(sums.finish())
    }
}

fn read_attempt(row: &SqliteRow) -> Result<ReadAttempt<'_>, sqlx::Error> {
    let original: Option<i64> = row.try_get(3)?;
    Ok(ReadAttempt {
        model: row.try_get(0)?,
        is_first_query: row.try_get::<i64, _>(1)? != 0,
        first_reply_usable: row.try_get::<i64, _>(2)? != 0,
        original: original.map(|original| Duration::from_millis(unsigned(original))),
        blank_replies: unsigned(row.try_get(4)?),
        outcome: row.try_get(5)?,
        is_future: row.try_get::<i64, _>(6)? != 0,
    })
}

/// The name that the outcome has in JSON.
fn outcome_name(outcome: Option<Outcome>) -> String {
    let json = outcome.and_then(|outcome| serde_json::to_value(outcome).ok());
    let name = json.as_ref().and_then(|json| json.get("outcome")?.as_str());
    name.unwrap_or(FAILED).to_owned()
}

fn since_1970(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, in_milliseconds)
}

fn in_milliseconds(duration: Duration) -> i64 {
    signed(milliseconds(duration))
}

/// SQL has no unsigned integers; no count here is larger than an `i64`.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
