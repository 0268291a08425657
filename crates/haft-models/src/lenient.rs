//! Lenient reading of JSON that servers and clients write differently from their documentation:
//! a list keeps its valid items when one is invalid, and `null` means "not set".

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tracing::debug;

/// Reads the valid items of a list, and logs the others. Any other value is an empty list.
pub(crate) fn valid_items<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let list: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    // Nearly always every item is valid.
    if let Ok(items) = serde_json::from_str(list.get()) {
        return Ok(items);
    }
    let Ok(Value::Array(items)) = serde_json::from_str(list.get()) else {
        return Ok(Vec::new());
    };
    let read = |item: Value| {
        let item = serde_json::from_value(item);
        item.inspect_err(|error| debug!(%error, "an invalid item of a list is skipped"))
            .ok()
    };
    Ok(items.into_iter().filter_map(read).collect())
}

/// Reads `null` as the default value: Go writes empty lists and structures as `null`, and some
/// clients send it for fields that are not set.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests;
