//! Keys that must not show up anywhere, and addresses that are safe to show.

use std::fmt;

use url::Url;

/// A key or token. Its `Debug` form hides it; only the request that needs it reads it.
///
/// ```
/// assert_eq!(format!("{:?}", haft_models::Secret::new("sk-1234")), "\"…\"");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; blanks and line ends around it are dropped, since they come along when a key
    /// is copied into a file.
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

/// Parts of names of query parameters whose values are keys.
const KEY_LIKE: [&str; 6] = ["key", "token", "secret", "sig", "auth", "pass"];

/// The address without user, password and key-like query values.
pub(crate) fn safe_url(url: &Url) -> String {
    let mut safe = url.clone();
    // Both fail only for addresses that cannot carry user and password in the first place.
    let _ = safe.set_username("");
    let _ = safe.set_password(None);
    if url.query().is_some() {
        safe.query_pairs_mut().clear();
        for (name, value) in url.query_pairs() {
            let lower = name.to_ascii_lowercase();
            let hidden = KEY_LIKE.iter().any(|part| lower.contains(part));
            safe.query_pairs_mut()
                .append_pair(&name, if hidden { "…" } else { &value });
        }
    }
    safe.into()
}

#[cfg(test)]
mod tests;
