//! The file with the keys and what was used with them, which any number of gateways may share.
//!
//! Limits are JSON in one column, so that a new limit needs no new table. The statements are plain
//! SQL, fit for other engines.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use haft_store::{Database, Schema, StoreError};
use sqlx::{Connection, Row};
use tokio::sync::{Mutex, MutexGuard};

use super::key::{Key, KeyLimits, KeyUsage};
use super::secret::{SecretHash, new_secret};
use crate::error::{GatewayError, GatewayErrorKind};

/// The maximum length of a name in bytes.
const LONGEST_NAME: usize = 64;

/// How many days usage is kept.
const DAYS_KEPT: i64 = 400;

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// The tables. Times are milliseconds since 1970, days are counted since then in UTC.
const SCHEMA: Schema = Schema {
    version: 1,
    tables: &[
        "CREATE TABLE keys (
            name TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            limits TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            revoked_at BIGINT
        )",
        "CREATE TABLE usage (
            name TEXT NOT NULL,
            day BIGINT NOT NULL,
            requests BIGINT NOT NULL,
            input_tokens BIGINT NOT NULL,
            output_tokens BIGINT NOT NULL,
            PRIMARY KEY (name, day)
        )",
    ],
};

/// A store of keys: a SQLite file that any number of processes may share. Cheap to clone; clones
/// share the connection. Only the user can read the file, which has no secret, only hashes.
///
/// ```
/// use haft_gateway::{KeyLimits, KeyStore};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("keys.db");
/// let keys = KeyStore::open(path);
/// let mut limits = KeyLimits::default();
/// limits.requests_per_minute = Some(60);
/// let secret = keys.add("alice", &limits).await?;
/// assert!(secret.starts_with("haft_"));
/// assert_eq!(keys.list().await?[0].name, "alice");
/// keys.revoke("alice").await?;
/// assert!(keys.list().await?[0].is_revoked);
/// # Ok::<_, haft_gateway::GatewayError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct KeyStore(Arc<Inner>);

struct Inner {
    path: PathBuf,
    /// Opened at the first use, and again after an error.
    database: Mutex<Option<Database>>,
}

/// A key with the hash of its secret.
#[derive(Debug)]
pub(super) struct StoredKey {
    pub(super) key: Key,
    pub(super) hash: SecretHash,
}

impl fmt::Debug for KeyStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_tuple("KeyStore");
        shown.field(&self.0.path).finish()
    }
}

impl From<StoreError> for GatewayError {
    fn from(error: StoreError) -> Self {
        if let Some(detail) = error.detail() {
            tracing::warn!(detail, "the store of keys failed");
        }
        Self::new(GatewayErrorKind::Keys, error.to_string()).with_hint(error.hint())
    }
}

impl KeyStore {
    /// A store in this file, which is created with the first key.
    #[must_use]
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Inner {
            path: path.into(),
            database: Mutex::new(None),
        }))
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Adds a key, and returns the secret that its clients send. The name of a revoked key may be
    /// used again; the old secret stays invalid.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the name is taken or is not 1 to 64 letters, digits, `-`, `_`,
    /// `.` and `@`, or if the file cannot be written.
    pub async fn add(&self, name: &str, limits: &KeyLimits) -> Result<String, GatewayError> {
        let wrong = |message| GatewayError::new(GatewayErrorKind::Keys, message);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
            let message = format!("\"{name}\" cannot be the name of a key");
            let hint = "use 1 to 64 letters, digits, -, _, . and @";
            return Err(wrong(message).with_hint(hint));
        }
        let no_random = || wrong("The system gives no random numbers".to_owned());
        let secret = new_secret().ok_or_else(no_random)?;
        let limits = serde_json::to_string(limits)
            .map_err(|error| wrong(format!("The limits cannot be stored: {error}")))?;
        let mut guard = self.0.database.lock().await;
        let database = self.opened(&mut guard).await?;
        let insert = sqlx::query(
            "INSERT INTO keys (name, hash, limits, created_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, limits = excluded.limits, \
             created_at = excluded.created_at, revoked_at = NULL WHERE revoked_at IS NOT NULL",
        )
        .bind(name.to_owned())
        .bind(SecretHash::of(&secret).encoded())
        .bind(limits)
        .bind(milliseconds(SystemTime::now()));
        let inserted = insert.execute(&mut database.connection).await;
        let inserted = inserted.map_err(|error| self.failed(&mut guard, error))?;
        if inserted.rows_affected() == 0 {
            return Err(wrong(format!("There is a key \"{name}\" already"))
                .with_hint(format!("revoke it first: haft keys revoke {name}")));
        }
        Ok(secret)
    }

    /// All keys in the order of their names, the revoked ones too.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the file cannot be read. A missing file has no keys.
    pub async fn list(&self) -> Result<Vec<Key>, GatewayError> {
        let stored = self.stored(today()).await?;
        Ok(stored.into_iter().map(|stored| stored.key).collect())
    }

    /// Revokes a key: gateways refuse it within seconds. Returns false if there is no such key, or
    /// it was revoked before.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the file cannot be written.
    pub async fn revoke(&self, name: &str) -> Result<bool, GatewayError> {
        if !self.0.path.exists() {
            return Ok(false);
        }
        let mut guard = self.0.database.lock().await;
        let database = self.opened(&mut guard).await?;
        let update = "UPDATE keys SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL";
        let update = sqlx::query(update)
            .bind(milliseconds(SystemTime::now()))
            .bind(name.to_owned());
        let updated = update.execute(&mut database.connection).await;
        let updated = updated.map_err(|error| self.failed(&mut guard, error))?;
        Ok(updated.rows_affected() > 0)
    }

    /// All keys with their hashes, and what was used with them on this day.
    pub(super) async fn stored(&self, day: i64) -> Result<Vec<StoredKey>, GatewayError> {
        let mut guard = self.0.database.lock().await;
        if !self.0.path.exists() {
            // The file was moved away; another one may take its place.
            *guard = None;
            return Ok(Vec::new());
        }
        let database = self.opened(&mut guard).await?;
        let select = sqlx::query(
            "SELECT keys.name, hash, limits, created_at, revoked_at, requests, input_tokens, \
             output_tokens FROM keys LEFT JOIN usage ON usage.name = keys.name AND day = $1 \
             ORDER BY keys.name",
        );
        let rows = select.bind(day).fetch_all(&mut database.connection).await;
        let keys = rows.and_then(|rows| rows.iter().map(read).collect::<Result<Vec<_>, _>>());
        let keys = keys.map_err(|error| self.failed(&mut guard, error))?;
        Ok(keys.into_iter().flatten().collect())
    }

    /// Adds what was used with some keys on this day, and deletes what is older than 400 days.
    pub(super) async fn add_usage(
        &self,
        day: i64,
        used: &HashMap<Arc<str>, KeyUsage>,
    ) -> Result<(), GatewayError> {
        let mut guard = self.0.database.lock().await;
        let database = self.opened(&mut guard).await?;
        let written = write_usage(database, day, used).await;
        written.map_err(|error| self.failed(&mut guard, error))
    }

    /// The error of a statement, after which the next use opens the file again.
    fn failed(&self, database: &mut Option<Database>, error: sqlx::Error) -> GatewayError {
        *database = None;
        StoreError::of_statement(error, &self.0.path).into()
    }

    /// The open file.
    async fn opened<'a>(
        &self,
        guard: &'a mut MutexGuard<'_, Option<Database>>,
    ) -> Result<&'a mut Database, StoreError> {
        Ok(match &mut **guard {
            Some(open) => open,
            none => none.insert(Database::open(&self.0.path, SCHEMA).await?),
        })
    }
}

async fn write_usage(
    database: &mut Database,
    day: i64,
    used: &HashMap<Arc<str>, KeyUsage>,
) -> Result<(), sqlx::Error> {
    let mut transaction = database.connection.begin_with("BEGIN IMMEDIATE").await?;
    for (name, used) in used {
        let upsert = sqlx::query(
            "INSERT INTO usage (name, day, requests, input_tokens, output_tokens) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name, day) DO UPDATE SET \
             requests = usage.requests + excluded.requests, \
             input_tokens = usage.input_tokens + excluded.input_tokens, \
             output_tokens = usage.output_tokens + excluded.output_tokens",
        )
        .bind(name.to_string())
        .bind(day)
        .bind(signed(used.requests))
        .bind(signed(used.input_tokens))
        .bind(signed(used.output_tokens));
        upsert.execute(&mut *transaction).await?;
    }
    let delete = sqlx::query("DELETE FROM usage WHERE day < $1").bind(day - DAYS_KEPT);
    delete.execute(&mut *transaction).await?;
    transaction.commit().await
}

/// A row of a key. `None` if its hash is unreadable, so that nobody can have such a key.
fn read(row: &sqlx::sqlite::SqliteRow) -> Result<Option<StoredKey>, sqlx::Error> {
    let Some(hash) = SecretHash::decoded(row.try_get(1)?) else {
        return Ok(None);
    };
    let Ok(limits) = serde_json::from_str(row.try_get(2)?) else {
        let name: &str = row.try_get(0)?;
        tracing::warn!(
            key = name,
            "the limits of a key cannot be read; it is refused"
        );
        return Ok(None);
    };
    let number = |column: usize| {
        let number: Option<i64> = row.try_get(column)?;
        Ok::<_, sqlx::Error>(u64::try_from(number.unwrap_or_default()).unwrap_or_default())
    };
    let revoked_at: Option<i64> = row.try_get(4)?;
    let key = Key {
        name: row.try_get(0)?,
        limits,
        created_at: SystemTime::UNIX_EPOCH + Duration::from_millis(number(3)?),
        is_revoked: revoked_at.is_some(),
        used_today: KeyUsage {
            requests: number(5)?,
            input_tokens: number(6)?,
            output_tokens: number(7)?,
        },
    };
    Ok(Some(StoredKey { key, hash }))
}

/// Today's number, counted since 1970 in UTC.
pub(super) fn today() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    signed(since.unwrap_or_default().as_secs() / SECONDS_PER_DAY)
}

/// The time until the next day begins in UTC.
pub(super) fn until_tomorrow() -> Duration {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.unwrap_or_default().as_secs() % SECONDS_PER_DAY;
    Duration::from_secs(SECONDS_PER_DAY - seconds)
}

fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// SQL has no unsigned integers; no count here is larger than an `i64`.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
