//! When a store has changed: Postgres tells it, and a SQLite file has to be read again.

use std::fmt;
use std::time::Duration;

use tokio::time::sleep;

use crate::address::StoreAddress;

#[cfg(feature = "postgres")]
use sqlx::postgres::PgListener;

/// How often a SQLite file may have changed, and a lost connection is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The channel of `NOTIFY`.
#[cfg(feature = "postgres")]
pub(crate) const CHANNEL: &str = "haft_changes";

/// Watches a store for changes by other processes.
pub struct Changes {
    address: StoreAddress,
    #[cfg(feature = "postgres")]
    listener: Option<PgListener>,
}

impl fmt::Debug for Changes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Changes({})", self.address)
    }
}

impl Changes {
    /// Watches this store.
    #[must_use]
    pub fn of(address: StoreAddress) -> Self {
        Self {
            address,
            #[cfg(feature = "postgres")]
            listener: None,
        }
    }

    /// Waits until something may have changed: on Postgres after
    /// [`notify`](crate::Store::notify), and after each connection, as something may have been
    /// missed. May be dropped and called again.
    pub async fn next(&mut self) {
        match &self.address {
            StoreAddress::File(_) => sleep(PAUSE).await,
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(url) => {
                if let Some(listener) = &mut self.listener {
                    if listener.recv().await.is_ok() {
                        return;
                    }
                    self.listener = None;
                }
                loop {
                    let listening = async {
                        let mut listener = PgListener::connect(url).await?;
                        listener.listen(CHANNEL).await?;
                        Ok::<_, sqlx::Error>(listener)
                    };
                    if let Ok(listener) = listening.await {
                        self.listener = Some(listener);
                        return;
                    }
                    sleep(PAUSE).await;
                }
            }
        }
    }
}
