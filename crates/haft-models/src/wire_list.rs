//! Lists on a wire whose items are read one by one: a bad one never loses its good neighbours.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tracing::debug;

/// Reads the items of a list that are what they should be. Anything but a list has none.
pub(crate) fn readable<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Value::Array(items) = Value::deserialize(deserializer)? else {
        return Ok(Vec::new());
    };
    let read = |item: Value| {
        let item = serde_json::from_value(item);
        item.inspect_err(|error| debug!(%error, "an item of a list on the wire is skipped"))
            .ok()
    };
    Ok(items.into_iter().filter_map(read).collect())
}

#[cfg(test)]
mod tests;
