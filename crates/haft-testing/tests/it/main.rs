//! Rules for the whole repository: its vocabulary, and its list of scenarios.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod module_graph;
mod scenarios;
mod vocabulary;
