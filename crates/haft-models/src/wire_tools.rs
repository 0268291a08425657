//! The tools of a request. They are the same in many, so their text is written only once.

use std::sync::{Arc, OnceLock};

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// Tools as a wire wants them, and their text as soon as one request has needed it.
#[derive(Clone, Debug)]
pub(crate) struct WireTools<T> {
    list: Arc<[T]>,
    text: Arc<OnceLock<Box<RawValue>>>,
}

impl<T> WireTools<T> {
    /// The tools themselves.
    pub(crate) fn list(&self) -> &Arc<[T]> {
        &self.list
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<T: Clone> WireTools<T> {
    /// Those at these positions, which ascend.
    pub(crate) fn at(&self, positions: &[usize]) -> Self {
        if positions.len() == self.list.len() {
            return self.clone();
        }
        let chosen = positions.iter().filter_map(|&place| self.list.get(place));
        chosen.cloned().collect()
    }
}

impl<T> From<Arc<[T]>> for WireTools<T> {
    fn from(list: Arc<[T]>) -> Self {
        Self {
            list,
            text: Arc::default(),
        }
    }
}

impl<T> FromIterator<T> for WireTools<T> {
    fn from_iter<I: IntoIterator<Item = T>>(tools: I) -> Self {
        Arc::from_iter(tools).into()
    }
}

impl<T> Default for WireTools<T> {
    fn default() -> Self {
        Self::from_iter([])
    }
}

impl<T: PartialEq> PartialEq for WireTools<T> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl<T: Serialize> Serialize for WireTools<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.text.get() {
            return text.serialize(serializer);
        }
        let text = to_raw_value(&self.list).map_err(S::Error::custom)?;
        self.text.get_or_init(|| text).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for WireTools<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Arc::<[T]>::deserialize(deserializer)?.into())
    }
}

#[cfg(test)]
mod tests;
