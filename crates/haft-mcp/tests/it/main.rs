//! The tests of haft as an MCP host, against real servers, and as an MCP server.
//!
//! Servers over pipes are this very program, started again with one of the tests of `servers`
//! selected. What must be alone in its process is in `processes.rs`, a program of its own.

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
