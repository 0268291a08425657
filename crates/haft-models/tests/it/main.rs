//! The integration tests of the model clients: against scripted servers (`providers.rs`) and
//! against recorded replies (`anthropic_recordings.rs`); with the feature `local` also against the
//! real engine (`local.rs`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod anthropic_recordings;
#[cfg(feature = "local")]
mod local;
mod providers;
