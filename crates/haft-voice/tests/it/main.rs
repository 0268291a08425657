//! Integration tests of voice: utterances in the background, external programs, speech-to-text over
//! HTTP, and local commands. [`support`] has the shared scripted models and speakers.
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
