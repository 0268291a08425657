//! How this gateway shares limits with others: whether the store is reached, how many gateways use
//! it, and the exchange of permits with it in the background.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, mpsc};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::bucket::Division;
use super::caller::Holder;
use super::meter::LimitKind;
use super::store::KeyStore;

/// How long a request may wait for the store before it counts as not reached.
const REPLY: Duration = Duration::from_millis(500);

/// How often the store is told what was used.
const TELL: Duration = Duration::from_millis(200);

/// The limits per minute.
const PER_MINUTE: [LimitKind; 2] = [LimitKind::RequestsPerMinute, LimitKind::TokensPerMinute];

/// Whether the store is reached, and who needs permits from it.
pub(super) struct Sharing {
    /// The number of gateways, as last heard.
    gateways: AtomicU32,
    /// The number of gateways among which limits are divided; 0 while the store is reached.
    divided: AtomicU32,
    due: mpsc::UnboundedSender<Arc<Holder>>,
    queue: Mutex<mpsc::UnboundedReceiver<Arc<Holder>>>,
}

impl fmt::Debug for Sharing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_tuple("Sharing");
        shown.field(&self.division()).finish()
    }
}

impl Default for Sharing {
    fn default() -> Self {
        let (due, queue) = mpsc::unbounded_channel();
        Self {
            gateways: AtomicU32::new(1),
            divided: AtomicU32::new(0),
            due,
            queue: Mutex::new(queue),
        }
    }
}

impl Sharing {
    pub(super) fn division(&self) -> Division {
        match self.divided.load(Ordering::Relaxed) {
            0 => Division::Shared(self.gateways.load(Ordering::Relaxed)),
            gateways => Division::Divided(gateways),
        }
    }

    /// The store is reached by this many gateways.
    pub(super) fn reached(&self, gateways: u32) {
        self.gateways.store(gateways.max(1), Ordering::Relaxed);
        if self.divided.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!(gateways, "the store of keys is reached again");
        }
    }

    /// The store is not reached.
    pub(super) fn lost(&self, error: &dyn fmt::Display) {
        let gateways = self.gateways.load(Ordering::Relaxed);
        if self.divided.swap(gateways, Ordering::Relaxed) == 0 {
            tracing::warn!(
                %error,
                gateways,
                "the store of keys is not reached: the keys known so far stay valid, and each \
                 gateway has its part of the limits"
            );
        }
    }

    /// The holder needs permits.
    pub(super) fn ask_for(&self, holder: Arc<Holder>) {
        // The receiver lives as long as this.
        let _ = self.due.send(holder);
    }

    /// Exchanges permits with the store again and again; never completes. `holders` are those of all
    /// keys.
    pub(super) async fn exchange(&self, store: &KeyStore, holders: impl Fn() -> Vec<Arc<Holder>>) {
        let mut queue = self.queue.lock().await;
        let mut ticks = interval(TELL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Some(holder) = queue.recv() => self.exchange_for(&holder, store).await,
                _ = ticks.tick() => {
                    for holder in holders().into_iter().filter(|holder| holder.has_news()) {
                        self.exchange_for(&holder, store).await;
                    }
                }
            }
        }
    }

    async fn exchange_for(&self, holder: &Holder, store: &KeyStore) {
        holder.begin_exchanges();
        for limit in PER_MINUTE {
            if let Division::Divided(_) = self.division() {
                break;
            }
            let Some(told) = holder.begin_exchange(limit) else {
                continue;
            };
            let name = &holder.name;
            let exchange = async {
                match store.exchange(name, limit, told).await {
                    // The server may have ended the connection since it was last used.
                    Err(_) => store.exchange(name, limit, told).await,
                    reply => reply,
                }
            };
            let replied = match timeout(REPLY, exchange).await {
                Ok(Ok(reply)) => Some(reply),
                Ok(Err(error)) => {
                    self.lost(&error);
                    None
                }
                Err(error) => {
                    self.lost(&error);
                    None
                }
            };
            holder.end_exchange(limit, replied);
        }
        holder.end_exchanges();
    }
}
