//! What is told of a web search that stands in for a model which does not know.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// A page that an answer was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What the page is called; a stranger's text.
    pub title: String,
    /// Its address, beginning with `http://` or `https://`.
    pub url: String,
}

/// By which way a query leaves the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SearchVia {
    /// A browser, driven through an MCP server.
    Browser,
    /// The tool `search_web`.
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

/// How a web search went.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// By which way.
    pub via: SearchVia,
    /// The pages that it found, best first; none when it found nothing or failed.
    pub sources: Vec<Source>,
    /// Why there is no result, in a sentence.
    pub failure: Option<String>,
    /// From the start to the results.
    pub duration: Duration,
}
