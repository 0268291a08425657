//! Writes attempts, and reads many.

use std::path::Path;
use std::time::{Duration, SystemTime};

use haft_core::{Outcome, RecoveryStep};
use haft_store::{Store, StoreAddress, StoreError, StoreRow, Value};

use super::summary::{AttemptSummary, ReadAttempt, ReadRetry, Sums};
use super::tables::{SCHEMA, SHARED};
use crate::attempts::attempt::{Attempt, milliseconds};
use crate::attempts::metrics::SuccessCount;

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

/// The rows of an open store.
#[derive(Debug)]
pub(super) struct Rows {
    store: Store,
    /// What the names of the tables begin with.
    prefix: &'static str,
}

impl Rows {
    /// Opens a file of its own, which is created.
    pub(super) async fn of_file(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            store: Store::open_file(path, SCHEMA).await?,
            prefix: "",
        })
    }

    /// Opens a store that other parts of haft use too.
    pub(super) async fn of_store(address: &StoreAddress) -> Result<Self, StoreError> {
        Ok(Self {
            store: Store::open(address, SHARED).await?,
            prefix: "haft_",
        })
    }

    /// A statement with the names of the tables, which are in brackets.
    fn sql(&self, statement: &str) -> String {
        ["attempts", "needed", "retries"]
            .iter()
            .fold(statement.to_owned(), |statement, table| {
                statement.replace(&format!("[{table}]"), &format!("{}{table}", self.prefix))
            })
    }

    /// Writes attempts and deletes the oldest beyond the limit, in one transaction.
    pub(super) async fn insert(&mut self, attempts: &[Attempt]) -> Result<(), StoreError> {
        self.store.begin().await?;
        let mut last = 0;
        for attempt in attempts {
            last = self.insert_one(attempt).await?;
        }
        let delete = self.sql("DELETE FROM [attempts] WHERE id <= $1");
        let values = [Value::Number(last - MOST_KEPT)];
        self.store.run(&delete, &values).await?;
        self.store.commit().await
    }

    /// Writes an attempt and returns its id.
    async fn insert_one(&mut self, attempt: &Attempt) -> Result<i64, StoreError> {
        let id = self.insert_attempt(attempt).await?;
        let insert = self.sql("INSERT INTO [needed] (attempt, rung, times) VALUES ($1, $2, $3)");
        for (step, times) in &attempt.needed {
            let values = [
                Value::Number(id),
                Value::Text(step.name()),
                Value::Number(signed(*times)),
            ];
            self.store.run(&insert, &values).await?;
        }
        let insert = self.sql(
            "INSERT INTO [retries] (attempt, number, rung, original_ms, retry_ms, recovered) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        );
        for retry in &attempt.retries {
            let values = [
                Value::Number(id),
                Value::Number(retry.attempt.into()),
                Value::Text(retry.step.name()),
                Value::Number(in_milliseconds(retry.original)),
                Value::Number(in_milliseconds(retry.retry)),
                Value::Number(retry.recovered.into()),
            ];
            self.store.run(&insert, &values).await?;
        }
        Ok(id)
    }

    /// Writes the row of an attempt and returns its id, the next number.
    async fn insert_attempt(&mut self, attempt: &Attempt) -> Result<i64, StoreError> {
        let model: String = attempt.model.chars().take(MODEL_NAME).collect();
        let outcome = outcome_name(attempt.outcome);
        let insert = self.sql(
            "INSERT INTO [attempts] (id, model, started_at, first_query, first_reply_usable, \
             original_ms, blank_replies, outcome) \
             VALUES ((SELECT COALESCE(MAX(id), 0) + 1 FROM [attempts]), $1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (id) DO NOTHING RETURNING id",
        );
        let values = [
            Value::Text(&model),
            Value::Number(since_1970(attempt.started_at)),
            Value::Number(attempt.is_first_query.into()),
            Value::Number(attempt.first_reply_usable.into()),
            Value::MaybeNumber(attempt.original.map(in_milliseconds)),
            Value::Number(signed(attempt.blank_replies)),
            Value::Text(&outcome),
        ];
        loop {
            let rows = self.store.rows(&insert, &values).await?;
            // Another process may have taken the number.
            if let Some(id) = rows.first().and_then(|row| row.number(0)) {
                return Ok(id);
            }
        }
    }

    /// How many of the model's last first questions since then there are, and how many of their
    /// first replies were usable.
    pub(super) async fn first_replies(
        &mut self,
        model: &str,
        since: SystemTime,
    ) -> Result<SuccessCount, StoreError> {
        let select = self.sql(
            "SELECT COUNT(*), CAST(COALESCE(SUM(first_reply_usable), 0) AS BIGINT) FROM (\
             SELECT first_reply_usable FROM [attempts] \
             WHERE model = $1 AND first_query = 1 AND started_at >= $2 \
             ORDER BY started_at DESC LIMIT $3) AS recent",
        );
        let values = [
            Value::Text(model),
            Value::Number(since_1970(since)),
            Value::Number(RECENT_QUESTIONS),
        ];
        let rows = self.store.rows(&select, &values).await?;
        let count = |column| rows.first().and_then(|row| row.number(column));
        let [tries, usable] = [0, 1].map(|column| unsigned(count(column).unwrap_or_default()));
        Ok(SuccessCount::new(tries, usable))
    }

    /// Sums up all attempts, or those that started between `since` and `now`. One transaction reads
    /// all rows, so that a concurrent writer cannot make the counts disagree.
    pub(super) async fn summary(
        &mut self,
        since: Option<SystemTime>,
        now: SystemTime,
    ) -> Result<AttemptSummary, StoreError> {
        let now = since_1970(now + CLOCK_STEP);
        let (since, until) = since.map_or((i64::MIN, i64::MAX), |since| (since_1970(since), now));
        let between = [Value::Number(since), Value::Number(until)];
        self.store.begin_reading().await?;
        let mut sums = Sums::default();
        let select = self.sql(
            "SELECT model, first_query, first_reply_usable, original_ms, blank_replies, outcome, \
             CAST(CASE WHEN started_at > $3 THEN 1 ELSE 0 END AS BIGINT) \
             FROM [attempts] WHERE started_at BETWEEN $1 AND $2",
        );
        let values = [between.as_slice(), &[Value::Number(now)]].concat();
        for row in self.store.rows(&select, &values).await? {
            sums.add(read_attempt(&row));
        }
        let select = self.sql(
            "SELECT model, rung, times FROM [needed] \
             JOIN [attempts] ON [attempts].id = [needed].attempt \
             WHERE started_at BETWEEN $1 AND $2",
        );
        for row in self.store.rows(&select, &between).await? {
            // A step of a later version is skipped.
            if let Some(step) = step_in(&row) {
                sums.add_needed(&text(&row, 0), step, count(&row, 2));
            }
        }
        let select = self.sql(
            "SELECT model, rung, retry_ms, recovered FROM [retries] \
             JOIN [attempts] ON [attempts].id = [retries].attempt \
             WHERE started_at BETWEEN $1 AND $2",
        );
        for row in self.store.rows(&select, &between).await? {
            if let Some(step) = step_in(&row) {
                let retry = ReadRetry {
                    step,
                    took: Duration::from_millis(count(&row, 2)),
                    recovered: count(&row, 3) != 0,
                };
                sums.add_retry(&text(&row, 0), &retry);
            }
        }
        self.store.commit().await?;
        Ok(sums.finish())
    }
}

fn read_attempt(row: &StoreRow) -> ReadAttempt {
    let original = row.number(3);
    ReadAttempt {
        model: text(row, 0),
        is_first_query: count(row, 1) != 0,
        first_reply_usable: count(row, 2) != 0,
        original: original.map(|original| Duration::from_millis(unsigned(original))),
        blank_replies: count(row, 4),
        outcome: text(row, 5),
        is_future: count(row, 6) != 0,
    }
}

fn step_in(row: &StoreRow) -> Option<RecoveryStep> {
    row.text(1)?.parse().ok()
}

fn text(row: &StoreRow, column: usize) -> String {
    row.text(column).unwrap_or_default()
}

fn count(row: &StoreRow, column: usize) -> u64 {
    unsigned(row.number(column).unwrap_or_default())
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
