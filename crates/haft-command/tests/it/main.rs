//! The command engine as a chat model: sentences in, calls and answers out.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

mod answers;
mod assist;
mod assist_random;
mod calls;
mod choices;
mod corpus;
mod everyday;
mod foreign;
mod proposals;
mod random;
mod support;
