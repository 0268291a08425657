//! Durable runs on a SQLite file: what is recorded, what is repeated, and what waits for a person.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod changes;
mod crash;
mod decisions;
mod encrypted;
mod leaving;
mod live;
mod options;
mod recorded;
mod replies;
mod runs;
mod session_steps;
mod sessions;
mod support;
mod upkeep;
