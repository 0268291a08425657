//! Whether the list of tools that was read from a connection is still the server's list.
//!
//! A server may promise to announce every change. Its list is current until it announces one. The
//! list of any other server may have changed at any time, and is read again where it matters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::{Mutex, MutexGuard, Notify};

/// What was heard of changes on one connection, and how much of it the list that was read knows.
#[derive(Debug, Default)]
pub(crate) struct ListChanges {
    word: Notify,
    /// How often there was word of a change.
    told: AtomicU64,
    /// How much of that had come before the list was read.
    read: AtomicU64,
    /// Whether there is word of every change.
    promised: AtomicBool,
    /// Held while the list is read, so that no older list takes the place of a newer one.
    reading: Mutex<()>,
}

impl ListChanges {
    /// There is word of a change.
    pub(crate) fn tell(&self) {
        self.told.fetch_add(1, Ordering::AcqRel);
        self.word.notify_one();
    }

    /// Waits for the next word.
    pub(crate) async fn next(&self) {
        self.word.notified().await;
    }

    /// From here on there is, or is no longer, word of every change.
    pub(crate) fn promise(&self, promised: bool) {
        self.promised.store(promised, Ordering::Release);
    }

    /// What is known by now, to be handed to [`read`](Self::read) once the list is read.
    pub(crate) fn told(&self) -> u64 {
        self.told.load(Ordering::Acquire)
    }

    /// The list was read when so much was known.
    pub(crate) fn read(&self, told: u64) {
        self.read.fetch_max(told, Ordering::AcqRel);
    }

    /// Whether the list that was read last is the server's list for certain.
    pub(crate) fn is_current(&self) -> bool {
        self.promised.load(Ordering::Acquire) && self.has_read_all()
    }

    /// Whether the list was read after the last word.
    pub(crate) fn has_read_all(&self) -> bool {
        self.read.load(Ordering::Acquire) >= self.told()
    }

    /// To be held while the list is read.
    pub(crate) async fn reading(&self) -> MutexGuard<'_, ()> {
        self.reading.lock().await
    }
}

#[cfg(test)]
mod tests;
