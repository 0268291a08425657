//! The library as a program uses it: questions over every provider's real adapter
//! ([`providers`]), and over recorded traffic of real engines ([`recordings`]).
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
