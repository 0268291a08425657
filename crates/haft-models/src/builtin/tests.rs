//! The engine as a chat model: sentences in, calls and answers out.

mod answers;
mod calls;
mod choices;
mod foreign;
mod random;
mod support;
