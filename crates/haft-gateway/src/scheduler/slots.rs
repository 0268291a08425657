//! Gives each request a permit for an upstream, and has the queue of waiting requests.
//!
//! A request names the upstreams that could serve it; `state` chooses one of them. If all are full
//! the request waits. Users take turns; requests of one user are served in the order of their
//! arrival.

mod permit;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind, QueueShare, RequestContext};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

pub(super) use self::permit::Permit;
pub(super) use self::state::Slot;
use self::state::{State, Waiting};
use super::breaker::Breaker;

/// How long a request waits for a permit: as long as the limit of a server's first byte
/// ([`Limits::first_byte`](haft_models::Limits::first_byte)).
const WAIT: Duration = Duration::from_secs(300);

/// When a refused client may try again: a short reply takes a local model about that long.
const COME_AGAIN: Duration = Duration::from_secs(5);

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

impl Slots {
    pub(super) fn new(slots: Vec<Slot>, most_waiting: usize) -> Self {
        Self {
            state: Mutex::new(State::with(slots)),
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
