//! A cache of lists that clients send repeatedly, so that each is parsed once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;

/// The maximum number of cached lists. Bounded because the lists come from clients; the oldest
/// entry is evicted.
const LISTS: usize = 32;

/// The maximum size of a cached list in bytes. Real lists are far smaller.
const LONGEST: usize = 64 * 1024;

/// A cache of parsed lists by their JSON text.
#[derive(Debug)]
pub(crate) struct KnownLists<T>(Mutex<VecDeque<KnownList<T>>>);

#[derive(Debug)]
struct KnownList<T> {
    json: Box<str>,
    list: Arc<[T]>,
}

impl<T: DeserializeOwned> KnownLists<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// Parses a list, or returns the cached object for an equal text. `null` is an empty list.
    pub(crate) fn read(&self, text: &str) -> Result<Arc<[T]>, serde_json::Error> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().iter().find(|known| *known.json == *text) {
            return Ok(Arc::clone(&known.list));
        }
        let list: Option<Arc<[T]>> = serde_json::from_str(text)?;
        let list = list.unwrap_or_default();
        if text.len() <= LONGEST {
            let mut known = lock();
            known.truncate(LISTS - 1);
            known.push_front(KnownList {
                json: text.into(),
                list: Arc::clone(&list),
            });
        }
        Ok(list)
    }
}
