//! The latest requests and the totals since the start, for the page at `/`.
//!
//! All of it is in memory only. `exchange` is one request with its reply, `content` what may be
//! kept of the texts in it, `summary` its line in the list, and `totals` what is counted over all
//! requests. A reader waits for [`Activity::changed`] and takes what is new; a request costs a few
//! short locks.

mod content;
mod exchange;
mod summary;
mod totals;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use tokio::sync::watch;

use self::content::MOST_BYTES;
pub(crate) use self::content::{Given, KeptRequest};
pub(crate) use self::exchange::{Asked, ContentPolicy, Contents, Exchange, Finished};
pub(crate) use self::summary::{Outcome, Summary};
pub(crate) use self::totals::Totals;

/// The maximum number of requests in the list.
const MOST_REQUESTS: usize = 200;

/// The latest requests of a gateway.
#[derive(Debug)]
pub(crate) struct Activity {
    recent: Mutex<Recent>,
    progress: watch::Sender<Progress>,
    /// When the gateway started.
    since: SystemTime,
}

/// How far the record has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The number of the latest change, from 1.
    pub(crate) change: u64,
    /// Whether the gateway is being shut down.
    pub(crate) is_ending: bool,
}

#[derive(Debug, Default)]
struct Recent {
    /// The oldest first.
    requests: VecDeque<Listed>,
    /// The number of requests so far.
    count: u64,
    /// The size of all request bodies in the list.
    bytes: usize,
    totals: Totals,
}

/// A request in the list.
#[derive(Debug)]
struct Listed {
    exchange: Arc<Exchange>,
    /// The size of its body as far as it is kept.
    bytes: usize,
    /// The number of its latest change.
    changed: u64,
}

/// The latest change of a request.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) number: u64,
    /// The request after it.
    pub(crate) request: Summary,
}

impl Listed {
    fn change(&self) -> Change {
        Change {
            number: self.changed,
            request: self.exchange.summary(),
        }
    }
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            recent: Mutex::default(),
            progress: watch::Sender::default(),
            since: SystemTime::now(),
        }
    }
}

impl Activity {
    /// Adds a request that begins now. The oldest one makes room for it.
    pub(crate) fn open(&self, asked: Asked, content: ContentPolicy) -> Arc<Exchange> {
        let mut recent = self.recent();
        recent.count += 1;
        let exchange = Arc::new(Exchange::new(recent.count, asked, content));
        if recent.requests.len() >= MOST_REQUESTS {
            recent.drop_oldest();
        }
        recent.requests.push_back(Listed {
            exchange: exchange.clone(),
            bytes: 0,
            changed: 0,
        });
        self.note_change(recent, exchange.number());
        exchange
    }

    /// Keeps the body of a request, as far as its content may be kept.
    pub(crate) fn keep(&self, exchange: &Exchange, body: &bytes::Bytes) {
        let bytes = exchange.keep_request(body);
        let mut recent = self.recent();
        recent.bytes += bytes;
        match recent.find(exchange.number()) {
            Some(listed) => listed.bytes += bytes,
            None => recent.bytes -= bytes,
        }
        while recent.bytes > MOST_BYTES {
            recent.drop_oldest();
        }
    }

    /// Shows a change of a request to whoever watches.
    pub(crate) fn note(&self, exchange: &Exchange) {
        self.note_change(self.recent(), exchange.number());
    }

    /// Records the end of a request and counts it.
    pub(crate) fn finish(&self, exchange: &Exchange, finished: &Finished<'_>) {
        exchange.finish(finished);
        let mut recent = self.recent();
        recent.totals.count(&exchange.model(), finished);
        self.note_change(recent, exchange.number());
    }

    /// The request with this number, if it is still in the list.
    pub(crate) fn find(&self, number: u64) -> Option<Arc<Exchange>> {
        let mut recent = self.recent();
        recent.find(number).map(|listed| listed.exchange.clone())
    }

    /// The requests that changed after the change with this number, in the order of their changes.
    pub(crate) fn after(&self, change: u64) -> Vec<Change> {
        let recent = self.recent();
        let new = recent.requests.iter().filter(|one| one.changed > change);
        let mut new: Vec<Change> = new.map(Listed::change).collect();
        new.sort_by_key(|change| change.number);
        new
    }

    /// What was counted so far.
    pub(crate) fn totals(&self) -> Totals {
        self.recent().totals.clone()
    }

    /// When the gateway started.
    pub(crate) fn since(&self) -> SystemTime {
        self.since
    }

    /// Watches the record.
    pub(crate) fn changed(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Tells whoever watches that the gateway is being shut down.
    pub(crate) fn end(&self) {
        self.progress
            .send_modify(|progress| progress.is_ending = true);
    }

    /// Numbers a change while the list is locked, so that no reader misses one.
    fn note_change(&self, mut recent: MutexGuard<'_, Recent>, number: u64) {
        self.progress.send_if_modified(|progress| {
            progress.change += 1;
            if let Some(listed) = recent.find(number) {
                listed.changed = progress.change;
            }
            // Waking nobody takes eight locks. Who subscribes now finds the change in the list.
            self.progress.receiver_count() > 0
        });
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    /// Finds a request by its place: the numbers in the list have no gaps.
    fn find(&mut self, number: u64) -> Option<&mut Listed> {
        let first = self.requests.front()?.exchange.number();
        let place = usize::try_from(number.checked_sub(first)?).ok()?;
        self.requests.get_mut(place)
    }

    fn drop_oldest(&mut self) {
        if let Some(listed) = self.requests.pop_front() {
            self.bytes -= listed.bytes;
            // It may still run; from now on it records nothing.
            listed.exchange.forget();
        }
    }
}

#[cfg(test)]
mod tests;
