//! The classifier as its users call it: what holds for every text, and how well it does on the
//! datasets.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests may panic and print"
)]

mod datasets;
mod properties;
