//! Parses the JSON of replies, and describes data that is not what the API promises.

use haft_core::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::surrogates::without_lone_surrogates;

/// Parses the data of a reply as JSON of type `T`. Lone surrogates become U+FFFD.
///
/// # Errors
///
/// [`ModelErrorKind::Malformed`]; the error's detail holds the start of the data.
pub(crate) fn parse<T: DeserializeOwned>(data: &str) -> Result<T, ModelError> {
    serde_json::from_str(data).or_else(|error| {
        let repaired = without_lone_surrogates(data);
        let parsed = repaired.and_then(|repaired| serde_json::from_str(&repaired).ok());
        parsed.ok_or_else(|| not_of_api(data, &error))
    })
}

/// Parses the data of a reply as JSON that borrows from it.
///
/// # Errors
///
/// As [`parse`].
pub(crate) fn parse_borrowed<'de, T: Deserialize<'de>>(data: &'de str) -> Result<T, ModelError> {
    serde_json::from_str(data).map_err(|error| not_of_api(data, &error))
}

/// The error for data that does not match the API.
fn not_of_api(data: &str, error: &serde_json::Error) -> ModelError {
    malformed(
        "The model server sent something that is not a reply of this API",
        &format!("{error} in {}", clip(data)),
    )
}

/// The start of `text`, short enough for a log line.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 500;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The error for a response that is not from a model server; `detail` is for the log.
pub(crate) fn malformed(message: &str, detail: &str) -> ModelError {
    let error = ModelError::new(ModelErrorKind::Malformed, message)
        .with_hint("check that the address is a model server of this kind");
    if detail.is_empty() {
        error
    } else {
        error.with_detail(format!("{message}: {detail}"))
    }
}

#[cfg(test)]
mod tests;
