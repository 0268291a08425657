//! Integration tests of the command `haft`: each module starts the real binary on an empty machine
//! ([`support::Machine`]) and checks its output, one module per subcommand or subject. `cargo test
//! -p haft-cli --test it ask::` runs one of them.
//!
//! All modules are one test program, because linking is the main cost of a test program of this
//! crate.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may panic"
)]

mod approve;
mod ask;
mod ask_inputs;
mod ask_servers;
#[cfg(unix)]
mod book;
mod chat;
mod classify;
mod config;
mod doctor;
#[cfg(feature = "durable")]
mod durable;
mod eval;
mod extract;
mod help;
#[cfg(unix)]
mod interrupt;
mod keys;
mod listen;
#[cfg(unix)]
mod mcp_serve;
mod mcp_servers;
mod models;
mod outcomes;
mod roles;
mod select;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod serve_wyoming;
mod sessions;
mod stats;
mod support;
#[cfg(all(unix, feature = "otlp"))]
mod telemetry;
mod tools;
mod trust;
mod web_search;
