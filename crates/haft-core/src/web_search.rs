//! The report of a web search that helps a model to answer.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// A web page that an answer is based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The title of the page; untrusted text.
    pub title: String,
    /// The URL, starting with `http://` or `https://`.
    pub url: String,
}

/// How a search query is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SearchVia {
    /// With a browser, controlled through an MCP server.
    Browser,
    /// With the tool `search_web`.
    Tool,
}

impl SearchVia {
    /// The name in logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Tool => "search_web",
        }
    }
}

impl fmt::Display for SearchVia {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The result of a web search.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// How the query was sent.
    pub via: SearchVia,
    /// The pages found, best first; empty when the search found nothing or failed.
    pub sources: Vec<Source>,
    /// Why there is no result, as a sentence.
    pub failure: Option<String>,
    /// The time of the search.
    pub duration: Duration,
}
