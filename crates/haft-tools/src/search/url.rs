//! The address of a search engine, with a place for the query.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

use crate::{ToolsError, ToolsErrorKind};

/// The placeholder for the query.
const PLACE: &str = "{query}";

/// `DuckDuckGo` without scripts.
const DUCKDUCKGO: &str = "https://html.duckduckgo.com/html/?q={query}";

/// An address with the placeholder `{query}`, such as `http://localhost:8888/search?q={query}`. The
/// reply may be HTML or JSON.
///
/// ```
/// use haft_tools::SearchUrl;
///
/// let url: SearchUrl = "http://localhost:8888/search?q={query}".parse()?;
/// assert_eq!(url.of("who won? 1 & 2"), "http://localhost:8888/search?q=who%20won%3F%201%20%26%202");
/// assert!("http://localhost:8888/search".parse::<SearchUrl>().is_err());
/// # Ok::<_, haft_tools::ToolsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchUrl(String);

impl SearchUrl {
    /// An address that is known to be valid.
    pub(super) const fn made(url: String) -> Self {
        Self(url)
    }

    /// The address for a query.
    #[must_use]
    pub fn of(&self, query: &str) -> String {
        self.0.replace(PLACE, &percent_encoded(query))
    }
}

impl Default for SearchUrl {
    /// `DuckDuckGo`'s page without scripts.
    fn default() -> Self {
        Self(DUCKDUCKGO.to_owned())
    }
}

impl FromStr for SearchUrl {
    type Err = ToolsError;

    /// Parses an address.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Config`] when it is not an `http` or `https` address, or has no `{query}`
    /// after its host.
    fn from_str(text: &str) -> Result<Self, ToolsError> {
        let refuse = |problem: &str| {
            let message = format!("The address of the search engine {problem}");
            let hint = "write one such as https://search.example/?q={query}";
            Err(ToolsError::new(ToolsErrorKind::Config, message).with_hint(hint))
        };
        let url = match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => url,
            Ok(_) => return refuse("must begin with http:// or https://"),
            Err(error) => return refuse(&format!("is not an address: {error}")),
        };
        // The query must not choose the host.
        let before = text.split(PLACE).next().unwrap_or_default();
        let other = Url::parse(&format!("{before}x")).ok();
        if !text.contains(PLACE) || other.map(|other| other.origin()) != Some(url.origin()) {
            return refuse("has no {query} behind its host");
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SearchUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Percent-encodes a text, so that it can be inserted anywhere in an address (RFC 3986).
pub(super) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests;
