//! The extractor from outside: the case corpus, mentions, plain calls, Markdown, hostile and real
//! replies, and what holds for all of them. What they share is in `tests/support`, which the
//! fuzzer (`tests/fuzz.rs`) uses too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic, and prints what it skips"
)]

mod call_syntax;
mod cases;
mod format_pages;
mod generated;
mod hostile;
mod markdown;
mod mentions;
mod properties;
mod replies;
#[path = "../support/mod.rs"]
mod support;
