//! The gateway's copy of the keys, so that no request waits for the store, and none is refused
//! because the store cannot be reached.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::{Mutex, mpsc};
use tokio::time::{sleep, timeout};

#[cfg(feature = "durable")]
use super::caller::Caller;
use super::caller::Holder;
use super::key::{Key, KeyUsage};
use super::secret::SecretHash;
use super::sharing::Sharing;
use super::store::{KeyStore, ReadCoolDown, StoredKey, today};
use crate::error::{GatewayError, GatewayErrorKind};
use crate::kept_replies::secret_id;
use crate::scheduler::{CoolDown, Reason, Upstreams};

/// How often the keys are read and usage is written if no change is announced.
const REFRESH: Duration = Duration::from_secs(3);

/// How often it is tried while the store is not reached.
const RETRY: Duration = Duration::from_secs(1);

/// How long writing or reading may take.
const REPLY: Duration = Duration::from_secs(2);

/// The keys as last read.
#[derive(Debug)]
pub(crate) struct KnownKeys {
    store: KeyStore,
    /// The name of this gateway among those that share the store.
    gateway: String,
    sharing: Arc<Sharing>,
    copy: RwLock<KeyCopy>,
    upstreams: Upstreams,
    /// One refresh at a time. When the cool-downs that other gateways announced end.
    refreshing: Mutex<HashMap<(String, Reason), f64>>,
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
    pub(crate) async fn read(store: KeyStore, upstreams: Upstreams) -> Result<Self, GatewayError> {
        let known = Self {
            store,
            gateway: secret_id("gateway_"),
            sharing: Arc::default(),
            copy: RwLock::default(),
            upstreams,
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

    /// Keeps the copy and the permits fresh; never completes.
    pub(crate) async fn keep_fresh(&self) {
        // Nobody waits for permits while keys are read.
        let store = self.store.beside();
        let exchange = self.sharing.exchange(&store, || self.holders());
        let refresh = async {
            let mut changes = self.store.changes();
            let mut cool_downs = self.upstreams.cool_downs();
            loop {
                let pause = match self.refresh().await {
                    Ok(()) => REFRESH,
                    Err(_) => RETRY,
                };
                tokio::select! {
                    () = changes.next() => {}
                    Some(cool_down) = told(&mut cool_downs) => self.announce(&cool_down).await,
                    () = sleep(pause) => {}
                }
            }
        };
        tokio::join!(exchange, refresh);
    }

    /// Counts tokens for the key with this name, if it is valid.
    #[cfg(feature = "durable")]
    pub(crate) fn used(&self, name: &str, usage: haft_core::Usage) {
        let holders = self.holders();
        let holder = holders.into_iter().find(|holder| &*holder.name == name);
        if let Some(holder) = holder {
            Caller::Holder(holder).used(usage);
        }
    }

    /// Writes what was used last, and leaves the gateways that share the store.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub(crate) async fn end(&self) -> Result<(), GatewayError> {
        self.refresh().await?;
        self.store.leave(&self.gateway).await
    }

    /// Announces a cool-down to other gateways. Without the store each finds it out by itself.
    async fn announce(&self, cool_down: &CoolDown) {
        let announcing = self.store.announce(&self.gateway, cool_down);
        if let Ok(Err(error)) = timeout(REPLY, announcing).await {
            tracing::debug!(%error, "a cool-down is not announced to other gateways");
        }
    }

    fn holders(&self) -> Vec<Arc<Holder>> {
        self.copied(|copy| copy.holders.values().cloned().collect())
    }

    /// Writes what was used, and reads the keys again.
    async fn refresh(&self) -> Result<(), GatewayError> {
        let mut heeded = self.refreshing.lock().await;
        let day = today();
        let read = async {
            self.write_usage(day).await?;
            let read = async {
                let gateways = self.store.beat(&self.gateway).await?;
                let cool_downs = self.store.cool_downs(&self.gateway).await?;
                Ok((gateways, cool_downs, self.store.stored(day).await?))
            };
            in_time(read).await
        };
        let (gateways, cool_downs, stored) =
            read.await.inspect_err(|error| self.sharing.lost(error))?;
        self.sharing.reached(gateways);
        self.heed(cool_downs, &mut heeded);
        self.replace(&stored);
        Ok(())
    }

    /// Writes what was used since the last time.
    async fn write_usage(&self, day: i64) -> Result<(), GatewayError> {
        let holders = self.holders();
        let used: BTreeMap<Arc<str>, KeyUsage> = holders
            .iter()
            .filter_map(|holder| Some((holder.name.clone(), holder.begin_write()?)))
            .collect();
        if used.is_empty() {
            return Ok(());
        }
        let written = in_time(self.store.add_usage(day, &used)).await;
        match &written {
            Ok(()) => holders.iter().for_each(|holder| holder.written()),
            Err(_) => holders.iter().for_each(|holder| holder.not_written()),
        }
        written
    }

    /// Replaces the copy by what was read. Keys with the same limits keep what was counted.
    fn replace(&self, stored: &[StoredKey]) {
        let mut copy = self.copy.write().unwrap_or_else(PoisonError::into_inner);
        copy.are_in_use = !stored.is_empty();
        let valid = stored.iter().filter(|stored| !stored.key.is_revoked);
        let next = valid.map(|stored| {
            let known = copy.holders.get(&stored.hash);
            let unchanged = known.filter(|known| known.limits == stored.key.limits);
            let holder = match unchanged {
                Some(holder) => {
                    holder.read(stored.key.used_today);
                    holder.clone()
                }
                None => Arc::new(Holder::new(&stored.key, self.sharing.clone())),
            };
            (stored.hash, holder)
        });
        copy.holders = next.collect();
    }

    /// Heeds the cool-downs that are new.
    fn heed(&self, read: Vec<ReadCoolDown>, heeded: &mut HashMap<(String, Reason), f64>) {
        let new = read.iter().filter(|read| {
            let cool_down = &read.cool_down;
            let before = heeded.get(&(cool_down.upstream.clone(), cool_down.reason));
            before.is_none_or(|before| *before < read.ends)
        });
        new.for_each(|read| self.upstreams.heed(&read.cool_down));
        *heeded = read
            .into_iter()
            .map(|read| ((read.cool_down.upstream, read.cool_down.reason), read.ends))
            .collect();
    }

    fn copied<T>(&self, read: impl FnOnce(&KeyCopy) -> T) -> T {
        read(&self.copy.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The next cool-down that this gateway has found.
async fn told(cool_downs: &mut Option<mpsc::Receiver<CoolDown>>) -> Option<CoolDown> {
    match cool_downs {
        Some(cool_downs) => cool_downs.recv().await,
        None => std::future::pending().await,
    }
}

/// What the store replies, or an error if it does not.
async fn in_time<T>(
    work: impl Future<Output = Result<T, GatewayError>>,
) -> Result<T, GatewayError> {
    timeout(REPLY, work).await.unwrap_or_else(|_| {
        let message = "The store of keys does not reply";
        Err(GatewayError::new(GatewayErrorKind::Keys, message))
    })
}
