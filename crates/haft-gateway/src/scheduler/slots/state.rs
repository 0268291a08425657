//! Chooses an upstream for a request, and the waiting request that is served next.
//!
//! The score of an upstream combines its load, whether it has the beginning of the conversation in
//! its cache, and whether the model is in memory.

use std::collections::VecDeque;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Choice, Permit, Wanted};
use crate::scheduler::breaker::{Breaker, Entered};
use crate::scheduler::fairness::Fairness;
use crate::scheduler::sessions::Sessions;

/// The value of a cached beginning in waiting requests: reading a long prompt again takes about as
/// long as writing two short replies.
pub(super) const CACHED: usize = 2;

/// The value of a model in memory in waiting requests: loading one takes seconds to minutes.
pub(super) const LOADED: usize = 4;

/// The slots and the queue as they are now.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) slots: Vec<Slot>,
    /// The waiting requests in the order of their arrival.
    pub(super) queue: VecDeque<Waiting>,
    fairness: Fairness,
    sessions: Sessions,
    /// The number of permits that were given so far.
    number: u64,
    /// The number of requests that have waited so far.
    pub(super) tickets: u64,
}

/// The state of one upstream.
#[derive(Debug, Default)]
pub(in crate::scheduler) struct Slot {
    pub(in crate::scheduler) in_flight: usize,
    /// The maximum number of requests at the same time.
    pub(in crate::scheduler) most: Option<usize>,
    /// Only used if all others fail.
    pub(in crate::scheduler) is_fallback: bool,
    pub(in crate::scheduler) breaker: Breaker,
    /// The number of the last request that used it.
    last: u64,
    pub(in crate::scheduler) requests: u64,
    pub(in crate::scheduler) failures: u64,
}

/// A waiting request that is served next.
pub(super) struct Next {
    /// Its index in the queue.
    pub(super) place: usize,
    pub(super) upstream: usize,
}

/// A request in the queue.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) ticket: u64,
    pub(super) wanted: Wanted,
    pub(super) sender: oneshot::Sender<Permit>,
}

impl Slot {
    pub(in crate::scheduler) fn new(most: Option<usize>, is_fallback: bool) -> Self {
        Self {
            most,
            is_fallback,
            ..Self::default()
        }
    }

    fn has_room(&self) -> bool {
        self.most.is_none_or(|most| self.in_flight < most)
    }
}

impl State {
    pub(super) fn with(slots: Vec<Slot>) -> Self {
        Self {
            slots,
            ..Self::default()
        }
    }

    /// The best upstream for a request, if one of the possible ones has a free slot.
    pub(super) fn choose(&self, wanted: &Wanted, now: Instant) -> Option<usize> {
        let slots = || {
            let choices = wanted.choices.iter();
            choices.filter_map(|choice| Some((choice, self.slots.get(choice.upstream)?)))
        };
        let allowed = |slot: &Slot| slot.breaker.allows(now);
        // A failing upstream is better than none.
        let ranks: [&dyn Fn(&Slot) -> bool; 4] = [
            &|slot| allowed(slot) && !slot.is_fallback,
            &allowed,
            &|slot| !slot.is_fallback,
            &|_| true,
        ];
        let rank = ranks
            .into_iter()
            .find(|rank| slots().any(|(_, slot)| rank(slot)))?;
        let cached = wanted
            .session
            .and_then(|session| self.sessions.upstream(session));
        let cost = |choice: &Choice, slot: &Slot| {
            let is_cached = cached == Some(choice.upstream);
            let reading = if is_cached { 0 } else { CACHED };
            let loading = if choice.is_loaded { 0 } else { LOADED };
            let more = reading + loading;
            (slot.in_flight + more, more, slot.last)
        };
        slots()
            .filter(|(_, slot)| rank(slot) && slot.has_room())
            .min_by_key(|(choice, slot)| cost(choice, slot))
            .map(|(choice, _)| choice.upstream)
    }

    /// Gives a slot of this upstream to a request.
    pub(super) fn occupy(&mut self, upstream: usize, wanted: &Wanted) -> Entered {
        self.fairness.serve(wanted.share.as_ref());
        self.number += 1;
        let number = self.number;
        let mut entered = Entered::default();
        if let Some(slot) = self.slots.get_mut(upstream) {
            slot.in_flight += 1;
            slot.requests += 1;
            slot.last = number;
            entered = slot.breaker.enter();
        }
        if let Some(session) = wanted.session {
            self.sessions.went(session, upstream, number);
        }
        entered
    }

    /// The waiting request that is served next, if a possible upstream has a free slot.
    pub(super) fn next(&self, now: Instant) -> Option<Next> {
        let mut places: Vec<usize> = (0..self.queue.len()).collect();
        let start = |place: &usize| {
            let waiting = self.queue.get(*place)?;
            Some(self.fairness.start(waiting.wanted.share.as_ref()))
        };
        places.sort_by_cached_key(start);
        places.into_iter().find_map(|place| {
            let upstream = self.choose(&self.queue.get(place)?.wanted, now)?;
            Some(Next { place, upstream })
        })
    }

    /// Removes the newest request of the user with the most waiting requests for the weight.
    pub(super) fn refuse_one(&mut self) {
        let owner = |waiting: &Waiting| waiting.wanted.share.as_ref().map(|one| one.owner.clone());
        let load = |waiting: &&Waiting| {
            let owned = |other: &&Waiting| owner(other) == owner(waiting);
            let count = self.queue.iter().filter(owned).count() as u64;
            let weight = waiting
                .wanted
                .share
                .as_ref()
                .map_or(1, |one| one.weight.get());
            (count << 16) / u64::from(weight)
        };
        // The last of several maxima is the newest.
        let newest = self
            .queue
            .iter()
            .max_by_key(load)
            .map(|waiting| waiting.ticket);
        self.queue.retain(|waiting| Some(waiting.ticket) != newest);
    }
}
