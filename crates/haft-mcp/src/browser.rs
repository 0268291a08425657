//! A web search in a real browser, which is controlled through an MCP server.
//!
//! `search` opens the page of a search engine; `reading` lets a model read the pages that were
//! found, and nothing else.

mod reading;
mod search;

pub use self::reading::reads_pages;
pub use self::search::{BrowserSearch, OpenBrowser};
