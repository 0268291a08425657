//! A search in a real browser, which an MCP server drives.
//!
//! `search` opens the page of a search engine, `reading` lets a model read the pages that were
//! found and nothing else.

mod reading;
mod search;

pub use self::reading::reads_pages;
pub use self::search::{BrowserSearch, OpenBrowser};
