//! Chooses an upstream for each request, and has the queue of waiting requests.
//!
//! A request names the upstreams that could serve it. The score of an upstream combines its load,
//! whether it has the beginning of the conversation in its cache, and whether the model is in
//! memory. If all are full the request waits. Users take turns; requests of one user are served in
//! the order of their arrival.

mod permit;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind, QueueShare, RequestContext};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

pub(super) use self::permit::Permit;
use super::breaker::{Breaker, Entered};
use super::fairness::Fairness;
use super::sessions::Sessions;

/// How long a request waits for a permit: as long as the limit of a server's first byte
/// ([`Limits::first_byte`](haft_models::Limits::first_byte)).
const WAIT: Duration = Duration::from_secs(300);

/// When a refused client may try again: a short reply takes a local model about that long.
const COME_AGAIN: Duration = Duration::from_secs(5);

/// The value of a cached beginning in waiting requests: reading a long prompt again takes about as
/// long as writing two short replies.
const CACHED: usize = 2;

/// The value of a model in memory in waiting requests: loading one takes seconds to minutes.
const LOADED: usize = 4;

/// An upstream that could serve a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The index of the upstream.
    pub(crate) upstream: usize,
    /// Whether the model is in memory, as far as is known.
    pub(super) is_loaded: bool,
}

impl Choice {
    /// An upstream without further knowledge.
    pub(super) fn any(upstream: usize) -> Self {
        Self {
            upstream,
            is_loaded: true,
        }
    }
}

/// A request for a permit.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) choices: Vec<Choice>,
    /// The conversation.
    pub(crate) session: Option<u64>,
    /// Whose request it is.
    pub(crate) share: Option<QueueShare>,
    /// Is told which upstream is asked.
    pub(crate) context: Option<Arc<RequestContext>>,
}

/// The slots of all upstreams, and the queue before them.
#[derive(Debug)]
pub(super) struct Slots {
    state: Mutex<State>,
    /// The maximum length of the queue.
    most_waiting: usize,
}

#[derive(Debug)]
struct State {
    slots: Vec<Slot>,
    /// The waiting requests in the order of their arrival.
    queue: VecDeque<Waiting>,
    fairness: Fairness,
    sessions: Sessions,
    /// The number of permits that were given so far.
    number: u64,
    tickets: u64,
}

/// The state of one upstream.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) in_flight: usize,
    /// The maximum number of requests at the same time.
    pub(super) most: Option<usize>,
    /// Only used if all others fail.
    pub(super) is_fallback: bool,
    pub(super) breaker: Breaker,
    /// The number of the last request that used it.
    last: u64,
    pub(super) requests: u64,
    pub(super) failures: u64,
}

/// A waiting request that is served next.
struct Next {
    /// Its index in the queue.
    place: usize,
    upstream: usize,
}

#[derive(Debug)]
struct Waiting {
    ticket: u64,
    wanted: Wanted,
    sender: oneshot::Sender<Permit>,
}

impl Slot {
    pub(super) fn new(most: Option<usize>, is_fallback: bool) -> Self {
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
    /// The best upstream for a request, if one of the possible ones has a free slot.
    fn choose(&self, wanted: &Wanted, now: Instant) -> Option<usize> {
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
    fn occupy(&mut self, upstream: usize, wanted: &Wanted) -> Entered {
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
    fn next(&self, now: Instant) -> Option<Next> {
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
    fn refuse_one(&mut self) {
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

impl Slots {
    pub(super) fn new(slots: Vec<Slot>, most_waiting: usize) -> Self {
        let state = State {
            slots,
            queue: VecDeque::new(),
            fairness: Fairness::default(),
            sessions: Sessions::default(),
            number: 0,
            tickets: 0,
        };
        Self {
            state: Mutex::new(state),
            most_waiting,
        }
    }

    /// A permit at once, if no request waits and a slot is free.
    pub(super) fn take_now(self: &Arc<Self>, wanted: &Wanted) -> Option<Permit> {
        let mut state = self.lock();
        if !state.queue.is_empty() {
            return None;
        }
        let upstream = state.choose(wanted, Instant::now())?;
        let entered = state.occupy(upstream, wanted);
        Some(Permit::new(self.clone(), upstream, entered))
    }

    /// A permit, now or when it is this request's turn.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Overloaded`] when the queue is full, or no slot became free in time.
    pub(super) async fn take(self: &Arc<Self>, wanted: Wanted) -> Result<Permit, ModelError> {
        if let Some(permit) = self.take_now(&wanted) {
            return Ok(permit);
        }
        let (sender, receiver) = oneshot::channel();
        let ticket = {
            let mut state = self.lock();
            state.tickets += 1;
            let ticket = state.tickets;
            state.queue.push_back(Waiting {
                ticket,
                wanted,
                sender,
            });
            ticket
        };
        // A request that is dropped leaves the queue.
        let leaving = Leaving {
            slots: self.clone(),
            ticket,
        };
        self.serve_waiting();
        {
            let mut state = self.lock();
            if state.queue.len() > self.most_waiting {
                state.refuse_one();
            }
        }
        let permit = timeout(WAIT, receiver).await;
        drop(leaving);
        match permit {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(overloaded("too many requests wait already")),
            Err(_) => Err(overloaded("none was free in time")),
        }
    }

    /// Reads the state of all upstreams, with the number of requests that wait for each.
    pub(super) fn look<T>(&self, read: impl Fn(usize, &Slot, usize) -> T) -> Vec<T> {
        let state = self.lock();
        let waiting = |number: usize| {
            let could = |waiting: &&Waiting| {
                let mut choices = waiting.wanted.choices.iter();
                choices.any(|choice| choice.upstream == number)
            };
            state.queue.iter().filter(could).count()
        };
        let slots = state.slots.iter().enumerate();
        slots
            .map(|(number, slot)| read(number, slot, waiting(number)))
            .collect()
    }

    /// Changes the breaker of an upstream, and then serves waiting requests.
    pub(super) fn with_breaker<T>(
        &self,
        upstream: usize,
        change: impl FnOnce(&mut Breaker) -> T,
    ) -> Option<T> {
        let mut state = self.lock();
        let slot = state.slots.get_mut(upstream)?;
        Some(change(&mut slot.breaker))
    }

    /// Gives permits to the requests whose turn it is.
    pub(super) fn serve_waiting(self: &Arc<Self>) {
        // A permit whose request is gone is returned, which must not happen while the lock is held.
        let mut untaken = Vec::new();
        {
            let mut state = self.lock();
            let now = Instant::now();
            while let Some(next) = state.next(now) {
                let Some(waiting) = state.queue.remove(next.place) else {
                    break;
                };
                let entered = state.occupy(next.upstream, &waiting.wanted);
                let permit = Permit::new(self.clone(), next.upstream, entered);
                if let Err(permit) = waiting.sender.send(permit) {
                    untaken.push(permit);
                }
            }
        }
        drop(untaken);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Leaving {
    slots: Arc<Slots>,
    ticket: u64,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        state.queue.retain(|waiting| waiting.ticket != self.ticket);
    }
}

fn overloaded(why: &str) -> ModelError {
    let message = format!("All model servers that could answer are busy, and {why}");
    ModelError::new(ModelErrorKind::Overloaded, message)
        .with_hint("ask again in a moment")
        .with_retry_after(COME_AGAIN)
}

#[cfg(test)]
mod tests;
