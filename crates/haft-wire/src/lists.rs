//! What stands on a wire in place of what should: lists are read item by item, so that a bad one
//! never loses its good neighbours, and `null` is as good as nothing.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tracing::debug;

/// Reads the items of a list that are what they should be. Anything but a list has none.
pub fn readable<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
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
pub fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests;
