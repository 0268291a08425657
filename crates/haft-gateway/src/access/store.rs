//! The store of keys and of what was used with them, which any number of gateways may share.
//!
//! Limits are JSON in one column, so that a new limit needs no new table. `connection` opens the
//! store and keeps it open, `tables` are its tables, `limits` are the buckets of the limits per
//! minute and the gateways that share them, and `cool_downs` are the upstreams that they leave alone.

mod connection;
mod cool_downs;
mod limits;
mod tables;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use haft_store::{Changes, Store, StoreAddress, StoreError, StoreRow, Value};

use self::connection::Connection;
pub(super) use self::cool_downs::ReadCoolDown;
use super::key::{Key, KeyLimits, KeyUsage};
use super::secret::{SecretHash, new_secret};
use crate::error::{GatewayError, GatewayErrorKind};

/// The maximum length of a name in bytes.
const LONGEST_NAME: usize = 64;

/// How many days usage is kept.
const DAYS_KEPT: i64 = 400;

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// A store of keys: a SQLite file, or a Postgres database in builds with the feature `postgres`,
/// which any number of gateways may share, with all limits. Cheap to clone; clones share the
/// connection. It has no secret, only hashes, and only the user can read a new file.
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
pub struct KeyStore(Arc<Connection>);

/// A key with the hash of its secret.
#[derive(Debug)]
pub(super) struct StoredKey {
    pub(super) key: Key,
    pub(super) hash: SecretHash,
}

impl fmt::Debug for KeyStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_tuple("KeyStore");
        shown.field(&self.0.address()).finish()
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
        Self::of(StoreAddress::File(path.into()))
    }

    /// The store at `sqlite:FILE` or `postgres://USER@HOST/DATABASE`, which is created.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the address is not understood, or the store cannot be used.
    pub async fn connect(address: &str) -> Result<Self, GatewayError> {
        let store = Self::of(address.parse()?);
        store.0.take().await?.give_back();
        Ok(store)
    }

    fn of(address: StoreAddress) -> Self {
        Self(Arc::new(Connection::new(address)))
    }

    /// This store with a connection of its own.
    pub(super) fn beside(&self) -> Self {
        Self::of(self.0.address().clone())
    }

    /// When others have changed the store.
    pub(super) fn changes(&self) -> Changes {
        Changes::of(self.0.address().clone())
    }

    /// Adds a key, and returns the secret that its clients send. The name of a revoked key may be
    /// used again; the old secret stays invalid.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the name is taken or is not 1 to 64 letters, digits, `-`, `_`,
    /// `.` and `@`, or if the store cannot be written.
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
        let mut held = self.0.take().await?;
        let insert = "INSERT INTO haft_keys (name, hash, limits, created_at) \
             VALUES ($1, $2, $3, $4) \
             ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, limits = excluded.limits, \
             created_at = excluded.created_at, revoked_at = NULL \
             WHERE haft_keys.revoked_at IS NOT NULL";
        let values = [
            Value::Text(name),
            Value::Text(&SecretHash::of(&secret).encoded()),
            Value::Text(&limits),
            Value::Number(milliseconds(SystemTime::now())),
        ];
        let inserted = held.store.run(insert, &values).await?;
        held.store.notify().await?;
        held.give_back();
        if inserted == 0 {
            return Err(wrong(format!("There is a key \"{name}\" already"))
                .with_hint(format!("revoke it first: haft keys revoke {name}")));
        }
        Ok(secret)
    }

    /// All keys in the order of their names, the revoked ones too.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the store cannot be read. A missing file has no keys.
    pub async fn list(&self) -> Result<Vec<Key>, GatewayError> {
        let stored = self.stored(today()).await?;
        Ok(stored.into_iter().map(|stored| stored.key).collect())
    }

    /// Revokes a key: gateways refuse it within seconds. Returns false if there is no such key, or
    /// it was revoked before.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Keys`] if the store cannot be written.
    pub async fn revoke(&self, name: &str) -> Result<bool, GatewayError> {
        if !self.0.is_there() {
            return Ok(false);
        }
        let mut held = self.0.take().await?;
        let update = "UPDATE haft_keys SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL";
        let now = Value::Number(milliseconds(SystemTime::now()));
        let updated = held.store.run(update, &[now, Value::Text(name)]).await?;
        held.store.notify().await?;
        held.give_back();
        Ok(updated > 0)
    }

    /// All keys with their hashes, and what was used with them on this day.
    pub(super) async fn stored(&self, day: i64) -> Result<Vec<StoredKey>, GatewayError> {
        if !self.0.is_there() {
            // The file was moved away; another one may take its place.
            self.0.forget().await;
            return Ok(Vec::new());
        }
        let mut held = self.0.take().await?;
        let select = "SELECT haft_keys.name, hash, limits, created_at, revoked_at, requests, \
             input_tokens, output_tokens FROM haft_keys \
             LEFT JOIN haft_key_usage ON haft_key_usage.name = haft_keys.name AND day = $1 \
             ORDER BY haft_keys.name";
        let rows = held.store.rows(select, &[Value::Number(day)]).await?;
        held.give_back();
        Ok(rows.iter().filter_map(read).collect())
    }

    /// Adds what was used with some keys on this day, and deletes what is older than 400 days.
    pub(super) async fn add_usage(
        &self,
        day: i64,
        used: &BTreeMap<Arc<str>, KeyUsage>,
    ) -> Result<(), GatewayError> {
        let mut held = self.0.take().await?;
        write_usage(&mut held.store, day, used).await?;
        held.give_back();
        Ok(())
    }
}

/// In the order of the names, so that no two gateways wait for each other.
async fn write_usage(
    store: &mut Store,
    day: i64,
    used: &BTreeMap<Arc<str>, KeyUsage>,
) -> Result<(), StoreError> {
    store.begin().await?;
    for (name, used) in used {
        let upsert = "INSERT INTO haft_key_usage \
             (name, day, requests, input_tokens, output_tokens) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (name, day) DO UPDATE SET \
             requests = haft_key_usage.requests + excluded.requests, \
             input_tokens = haft_key_usage.input_tokens + excluded.input_tokens, \
             output_tokens = haft_key_usage.output_tokens + excluded.output_tokens";
        let values = [
            Value::Text(name),
            Value::Number(day),
            Value::Number(signed(used.requests)),
            Value::Number(signed(used.input_tokens)),
            Value::Number(signed(used.output_tokens)),
        ];
        store.run(upsert, &values).await?;
    }
    let delete = "DELETE FROM haft_key_usage WHERE day < $1";
    store.run(delete, &[Value::Number(day - DAYS_KEPT)]).await?;
    store.commit().await
}

/// A row of a key. `None` if it is unreadable, so that nobody can have such a key.
fn read(row: &StoreRow) -> Option<StoredKey> {
    let name = row.text(0)?;
    let hash = SecretHash::decoded(&row.text(1)?)?;
    let Ok(limits) = serde_json::from_str(&row.text(2)?) else {
        tracing::warn!(
            key = name,
            "the limits of a key cannot be read; it is refused"
        );
        return None;
    };
    let number = |column: usize| {
        let number = row.number(column).unwrap_or_default();
        u64::try_from(number).unwrap_or_default()
    };
    let key = Key {
        name,
        limits,
        created_at: SystemTime::UNIX_EPOCH + Duration::from_millis(number(3)),
        is_revoked: row.number(4).is_some(),
        used_today: KeyUsage {
            requests: number(5),
            input_tokens: number(6),
            output_tokens: number(7),
        },
    };
    Some(StoredKey { key, hash })
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
