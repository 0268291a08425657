//! How many connections each address has, so that one address cannot take all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of open connections by address.
#[derive(Debug)]
pub(super) struct Addresses {
    most: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An open connection of an address; dropping it makes room for another one.
pub(super) struct AddressEntry {
    addresses: Arc<Addresses>,
    address: IpAddr,
}

impl Addresses {
    /// At most this many connections for each address.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            open: Mutex::default(),
        }
    }

    /// Counts a connection, unless the address has too many.
    pub(super) fn enter(self: Arc<Self>, address: IpAddr) -> Option<AddressEntry> {
        {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let count = open.entry(address).or_default();
            if *count >= self.most {
                tracing::debug!(%address, "an address has too many connections");
                return None;
            }
            *count += 1;
        }
        Some(AddressEntry {
            addresses: self,
            address,
        })
    }
}

impl Drop for AddressEntry {
    fn drop(&mut self) {
        let open = self.addresses.open.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
