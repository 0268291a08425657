//! Tracks whether the list of tools that was read is still current.
//!
//! A server may promise to announce every change. Its list is current until it announces one. Any
//! other server's list may change at any time, and is read again where that matters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::{Mutex, MutexGuard, Notify};

/// The announced changes on one connection, and which of them the list that was read includes.
#[derive(Debug, Default)]
pub(crate) struct ListChanges {
    word: Notify,
    /// The number of announced changes.
    announced: AtomicU64,
    /// The number of changes that were announced before the list was read.
    read: AtomicU64,
    /// Whether the server promised to announce every change.
    promised: AtomicBool,
    /// Locked while the list is read, so that an older list cannot replace a newer one.
    reading: Mutex<()>,
}

impl ListChanges {
    /// Records an announced change.
    pub(crate) fn tell(&self) {
        self.announced.fetch_add(1, Ordering::AcqRel);
        self.word.notify_one();
    }

    /// Waits for the next announcement.
    pub(crate) async fn next(&self) {
        self.word.notified().await;
    }

    /// Sets whether every change is announced from now on.
    pub(crate) fn promise(&self, promised: bool) {
        self.promised.store(promised, Ordering::Release);
    }

    /// The current number of announced changes, to be passed to [`read`](Self::read) after the list
    /// was read.
    pub(crate) fn announced(&self) -> u64 {
        self.announced.load(Ordering::Acquire)
    }

    /// Records that the list was read when this many changes had been announced.
    pub(crate) fn read(&self, announced: u64) {
        self.read.fetch_max(announced, Ordering::AcqRel);
    }

    /// Whether the list that was read last is certainly current.
    pub(crate) fn is_current(&self) -> bool {
        self.promised.load(Ordering::Acquire) && self.has_read_all()
    }

    /// Whether the list was read after the last announcement.
    pub(crate) fn has_read_all(&self) -> bool {
        self.read.load(Ordering::Acquire) >= self.announced()
    }

    /// The lock to hold while the list is read.
    pub(crate) async fn reading(&self) -> MutexGuard<'_, ()> {
        self.reading.lock().await
    }
}

#[cfg(test)]
mod tests;
