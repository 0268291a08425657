//! Integration tests of the gateway: real clients, scripted model servers, and HTTP in between.
//!
//! `pool` and `conversation` each have a harness for their tests: several upstreams and haft's own
//! clients, or one upstream and plain HTTP.

#![recursion_limit = "512"]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail by panicking"
)]

#[cfg(feature = "durable")]
mod background;
mod conversation;
mod embeddings;
mod equivalence;
mod failover;
mod fields;
mod llama_cpp;
mod models;
mod page;
mod pool;
mod responses_pass_through;
#[cfg(feature = "durable")]
mod runs;
mod sharing;
mod streams;
mod telemetry;
mod token_counts;
