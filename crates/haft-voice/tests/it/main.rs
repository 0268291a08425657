//! Voice from outside: utterances in the background, speech programs, speech-to-text over HTTP,
//! and what the local command engine answers. The household they share is in [`support`].
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    reason = "a test may panic, and one prints what it measured"
)]

mod background;
#[cfg(unix)]
mod commands;
mod http;
mod local_commands;
mod support;
