//! The gateway's copy of the keys, so that no request waits for the store, and none is refused
//! because the store cannot be reached.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{MissedTickBehavior, interval};

use super::caller::Holder;
use super::key::{Key, KeyUsage};
use super::secret::SecretHash;
use super::store::{KeyStore, StoredKey, today};
use crate::error::GatewayError;

/// How often the store is read, and written what was used: a revoked key is valid that long.
const REFRESH: Duration = Duration::from_secs(3);

/// The keys as last read.
#[derive(Debug)]
pub(crate) struct KnownKeys {
    store: KeyStore,
    copy: RwLock<KeyCopy>,
    /// One refresh at a time.
    refreshing: Mutex<()>,
}

#[derive(Debug, Default)]
struct KeyCopy {
    holders: HashMap<SecretHash, Arc<Holder>>,
    /// Whether there are keys, revoked ones included: revoking the last key must not open the
    /// gateway to everybody.
    are_in_use: bool,
}

impl KnownKeys {
    /// Reads the keys of a store.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(crate) async fn read(store: KeyStore) -> Result<Self, GatewayError> {
        let known = Self {
            store,
            copy: RwLock::default(),
            refreshing: Mutex::default(),
        };
        known.refresh().await?;
        Ok(known)
    }

    /// Whether requests need a key.
    pub(crate) fn are_in_use(&self) -> bool {
        self.copied(|copy| copy.are_in_use)
    }

    /// The holder of the key with this secret.
    pub(crate) fn holder(&self, secret: &str) -> Option<Arc<Holder>> {
        self.copied(|copy| copy.holders.get(&SecretHash::of(secret)).cloned())
    }

    /// All keys with what was used today, those of the last seconds included.
    ///
    /// # Errors
    ///
    /// The store cannot be read or written.
    pub(crate) async fn list(&self) -> Result<Vec<Key>, GatewayError> {
        self.refresh().await?;
        self.store.list().await
    }

    /// Refreshes the copy again and again; never completes.
    pub(crate) async fn keep_fresh(&self) {
        let mut ticks = interval(REFRESH);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_failing = false;
        loop {
            ticks.tick().await;
            let refreshed = self.refresh().await;
            if let Err(error) = &refreshed
                && !is_failing
            {
                tracing::warn!(%error, "the keys cannot be read; those known so far stay valid");
            }
            is_failing = refreshed.is_err();
        }
    }

    /// Writes what was used, and reads the keys again.
    pub(crate) async fn refresh(&self) -> Result<(), GatewayError> {
        let _one_at_a_time = self.refreshing.lock().await;
        let holders = self.copied(|copy| copy.holders.values().cloned().collect::<Vec<_>>());
        let used: HashMap<Arc<str>, KeyUsage> = holders
            .iter()
            .filter_map(|holder| Some((holder.name.clone(), holder.begin_write()?)))
            .collect();
        let refreshed = self.written_and_read(&used).await;
        let stored = match refreshed {
            Ok(stored) => stored,
            Err(error) => {
                holders.iter().for_each(|holder| holder.not_written());
                return Err(error);
            }
        };
        let mut copy = self.copy.write().unwrap_or_else(PoisonError::into_inner);
        copy.are_in_use = !stored.is_empty();
        let valid = stored.iter().filter(|stored| !stored.key.is_revoked);
        let next = valid.map(|stored| {
            let known = copy.holders.get(&stored.hash);
            let unchanged = known.filter(|known| known.limits == stored.key.limits);
            let holder = match unchanged {
                Some(holder) => {
                    holder.written(stored.key.used_today);
                    holder.clone()
                }
                None => Arc::new(Holder::new(&stored.key)),
            };
            (stored.hash, holder)
        });
        copy.holders = next.collect();
        Ok(())
    }

    async fn written_and_read(
        &self,
        used: &HashMap<Arc<str>, KeyUsage>,
    ) -> Result<Vec<StoredKey>, GatewayError> {
        let day = today();
        if !used.is_empty() {
            self.store.add_usage(day, used).await?;
        }
        self.store.stored(day).await
    }

    fn copied<T>(&self, read: impl FnOnce(&KeyCopy) -> T) -> T {
        read(&self.copy.read().unwrap_or_else(PoisonError::into_inner))
    }
}
