//! What stands on a wire in place of what should: lists are read item by item, so that a bad one
//! never loses its good neighbours, and `null` is as good as nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tracing::debug;

/// Reads the items of a list that are what they should be. Anything but a list has none.
pub(crate) fn readable<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let list: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    // Nearly always all of them are good.
    if let Ok(items) = serde_json::from_str(list.get()) {
        return Ok(items);
    }
    let Ok(Value::Array(items)) = serde_json::from_str(list.get()) else {
        return Ok(Vec::new());
    };
    let read = |item: Value| {
        let item = serde_json::from_value(item);
        item.inspect_err(|error| debug!(%error, "an item of a list on the wire is skipped"))
            .ok()
    };
    Ok(items.into_iter().filter_map(read).collect())
}

/// Go writes empty lists and structures as `null`, and clients send what they have not set so.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// So many lists are known: the tools of some clients at once. They come from strangers, so the
/// number is bounded; when it is reached, the oldest is forgotten.
const LISTS: usize = 32;

/// Bytes of a list that is known. Those in use are far below.
const LONGEST: usize = 64 * 1024;

/// Lists that were read before, by their text.
#[derive(Debug)]
pub(crate) struct KnownLists<T>(Mutex<VecDeque<KnownList<T>>>);

/// A text, and the list that it is.
type KnownList<T> = (Box<str>, Arc<[T]>);

impl<T: DeserializeOwned> KnownLists<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The list that this text is; the very same one where it was read before. `null` is empty.
    pub(crate) fn read(&self, text: &str) -> Result<Arc<[T]>, serde_json::Error> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, list)) = lock().iter().find(|(known, _)| **known == *text) {
            return Ok(Arc::clone(list));
        }
        let list: Option<Arc<[T]>> = serde_json::from_str(text)?;
        let list = list.unwrap_or_default();
        if text.len() <= LONGEST {
            let mut known = lock();
            known.truncate(LISTS - 1);
            known.push_front((text.into(), Arc::clone(&list)));
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests;
