//! A connection that is opened at the first use, and again after an error.

use haft_store::{Store, StoreAddress, StoreError};
use tokio::sync::{Mutex, MutexGuard};

use super::tables::TABLES;

#[derive(Debug)]
pub(super) struct Connection {
    address: StoreAddress,
    open: Mutex<Option<Store>>,
}

/// The open store. Dropping it closes the connection, as what was begun may not have ended.
pub(super) struct Held<'a> {
    slot: MutexGuard<'a, Option<Store>>,
    pub(super) store: Store,
}

impl Connection {
    pub(super) fn new(address: StoreAddress) -> Self {
        Self {
            address,
            open: Mutex::new(None),
        }
    }

    pub(super) fn address(&self) -> &StoreAddress {
        &self.address
    }

    /// False for a file that is not there.
    pub(super) fn is_there(&self) -> bool {
        self.address.file().is_none_or(std::path::Path::exists)
    }

    /// Closes the connection.
    pub(super) async fn forget(&self) {
        *self.open.lock().await = None;
    }

    /// The open store, for one user at a time.
    pub(super) async fn take(&self) -> Result<Held<'_>, StoreError> {
        let mut slot = self.open.lock().await;
        let store = match slot.take() {
            Some(store) => store,
            None => Store::open(&self.address, TABLES).await?,
        };
        Ok(Held { slot, store })
    }
}

impl Held<'_> {
    /// All went well: the next user has the same connection.
    pub(super) fn give_back(self) {
        let Self { mut slot, store } = self;
        *slot = Some(store);
    }
}
