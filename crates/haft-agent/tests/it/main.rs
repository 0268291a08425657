//! Tests of the agent through its public interface. Tests that need a separate log are in
//! `tests/log.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by a panic, and stub processes speak over their standard streams"
)]

#[cfg(feature = "store")]
mod attempt_store;
#[cfg(feature = "mcp")]
mod live_tools;
mod structure;
#[cfg(feature = "mcp")]
mod support;
#[cfg(feature = "mcp")]
mod web_search;
