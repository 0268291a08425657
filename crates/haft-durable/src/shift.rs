//! The time in which a worker works under one name: it ends when the worker is asked to leave, or
//! when others may believe it to be dead.

use tokio::sync::watch;

use crate::faults::Faults;
use crate::leases::Lease;

/// A shift of a worker.
#[derive(Debug)]
pub(crate) struct Shift {
    pub(crate) lease: Lease,
    pub(crate) faults: Faults,
    leaving: watch::Sender<bool>,
}

impl Shift {
    pub(crate) fn new(lease: Lease, faults: Faults) -> Self {
        Self {
            lease,
            faults,
            leaving: watch::Sender::default(),
        }
    }

    /// Whether something may begin.
    pub(crate) fn goes_on(&self) -> bool {
        self.lease.is_held() && !*self.leaving.borrow()
    }

    /// From now on nothing begins.
    pub(crate) fn leave(&self) {
        self.leaving.send_replace(true);
    }

    /// Waits until nothing may begin any more.
    pub(crate) async fn over(&self) {
        let mut leaving = self.leaving.subscribe();
        tokio::select! {
            _ = leaving.wait_for(|leaving| *leaving) => {}
            () = self.lease.lost() => {}
        }
    }
}
