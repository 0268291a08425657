//! Whose turn it is among the users who wait for model servers.
//!
//! Start-time fair queueing (Goyal, Vin, Cheng: "Start-time Fair Queueing", SIGCOMM 1996), with one
//! request as the unit of work: its length is not known before its end. Each user has a virtual
//! time that moves on by `1 / weight` with each request that is served; the user whose time is the
//! earliest is next. A user who was idle begins at the present virtual time, so that idleness earns
//! no credit.

use std::collections::HashMap;
use std::sync::Arc;

use haft_core::QueueShare;

/// The virtual time of one request at weight 1; divisible by all small weights.
const REQUEST: u64 = 1 << 20;

/// The maximum number of users whose time is kept. Those whose time has passed are forgotten.
const KEPT: usize = 1024;

/// The virtual times of all users.
#[derive(Debug, Default)]
pub(super) struct Fairness {
    /// The start of the request that was served last.
    now: u64,
    /// When each user's last request ends. Requests without an owner have one time together.
    ends: HashMap<Option<Arc<str>>, u64>,
}

impl Fairness {
    /// The virtual time at which a request of this user would start. The smallest is next.
    pub(super) fn start(&self, share: Option<&QueueShare>) -> u64 {
        let owner = share.map(|share| share.owner.clone());
        let end = self.ends.get(&owner).copied();
        end.unwrap_or_default().max(self.now)
    }

    /// A request of this user is served.
    pub(super) fn serve(&mut self, share: Option<&QueueShare>) {
        let start = self.start(share);
        self.now = self.now.max(start);
        let weight = share.map_or(1, |share| u64::from(share.weight.get()));
        let owner = share.map(|share| share.owner.clone());
        self.ends.insert(owner, start + REQUEST / weight);
        if self.ends.len() > KEPT {
            let now = self.now;
            self.ends.retain(|_, end| *end > now);
        }
    }
}

#[cfg(test)]
mod tests;
