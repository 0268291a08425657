//! Texts that stay where they are.

use std::borrow::Cow;
use std::ops::Deref;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A text, borrowed from what it was read from unless it has escapes.
///
/// ```
/// let read = |text| serde_json::from_str::<haft_wire::Text<'_>>(text).unwrap();
/// assert_eq!(&*read("\"user\""), "user");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    /// Whether it is borrowed.
    #[must_use]
    pub fn is_borrowed(&self) -> bool {
        matches!(self.0, Cow::Borrowed(_))
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// The text that a value is; none where it is something else.
#[must_use]
pub fn text(value: &RawValue) -> Option<Text<'_>> {
    serde_json::from_str(value.get()).ok()
}
