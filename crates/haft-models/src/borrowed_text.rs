//! JSON borrowed from the body that it is parsed from, so that the pass-through copies nothing.

use std::borrow::Cow;
use std::ops::Deref;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A JSON string; borrowed from the body unless it contains escapes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

/// Parses the body of a request; `None` if it is invalid.
pub(crate) fn parse_body<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Option<T> {
    // Checking the whole body once saves a UTF-8 check for each text in it.
    let body = std::str::from_utf8(body).ok()?;
    serde_json::from_str(body).ok()
}

impl<'a> BorrowedText<'a> {
    /// The string in `value`; `None` if it is not a string.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok()
    }

    /// The text itself.
    pub(crate) fn into_inner(self) -> Cow<'a, str> {
        self.0
    }
}

impl Deref for BorrowedText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
