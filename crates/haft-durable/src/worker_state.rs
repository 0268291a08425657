//! What a worker shares with the runs that it works on: its lease, and whether it is stopping.
//!
//! It is over when the worker is asked to stop, or when others may believe it to be dead.

use tokio::sync::watch;

use crate::faults::Faults;
use crate::leases::Lease;

/// A worker under one name.
#[derive(Debug)]
pub(crate) struct WorkerState {
    pub(crate) lease: Lease,
    pub(crate) faults: Faults,
    stopping: watch::Sender<bool>,
}

impl WorkerState {
    pub(crate) fn new(lease: Lease, faults: Faults) -> Self {
        Self {
            lease,
            faults,
            stopping: watch::Sender::default(),
        }
    }

    /// Whether something may begin.
    pub(crate) fn may_begin(&self) -> bool {
        self.lease.is_held() && !*self.stopping.borrow()
    }

    /// From now on nothing begins.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until nothing may begin any more.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        tokio::select! {
            _ = stopping.wait_for(|stopping| *stopping) => {}
            () = self.lease.lost() => {}
        }
    }
}
