//! Keys that must not be shown, and URLs that are safe to show.

use std::borrow::Cow;
use std::fmt;

use haft_core::mask_url;
use url::Url;

/// A key or token. Its `Debug` output hides it; only the request that needs it reads it.
///
/// ```
/// assert_eq!(format!("{:?}", haft_models::Secret::new("sk-1234")), "\"…\"");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key. Surrounding white space and line breaks are removed, because they are often
    /// copied along with a key.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into().trim().to_owned())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("\"…\"")
    }
}

/// The URL without user, password and keys.
pub(crate) fn safe_url(url: &Url) -> String {
    mask_url(without_password(url).as_str())
}

/// The URL without user and password.
pub(super) fn without_password(url: &Url) -> Cow<'_, Url> {
    if url.username().is_empty() && url.password().is_none() {
        return Cow::Borrowed(url);
    }
    let mut bare = url.clone();
    // Both calls fail only for URLs that cannot contain a user and password.
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    Cow::Owned(bare)
}

#[cfg(test)]
mod tests;
