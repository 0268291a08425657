//! Integration tests of the library: questions through every provider's real adapter
//! ([`providers`]), and through recorded traffic of real model servers ([`recordings`]).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic, and prints which provider it tries"
)]

mod providers;
mod recordings;
