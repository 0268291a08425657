//! Integration tests of haft as an MCP host, with real server processes, and as an MCP server.
//!
//! Servers over pipes are this program itself, started again with one of the tests in `servers`
//! selected. Tests that must be alone in their process are in `processes.rs`, a separate program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may die, and the servers in this program speak over stdout"
)]

mod http;
mod live_judging;
mod memory;
mod misbehaving_server;
mod normalization;
mod servers;
#[cfg(feature = "server")]
mod serving;
mod stdio;
mod supervision;
mod support;
mod trust;
