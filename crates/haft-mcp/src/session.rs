//! One connection to one server: made, used for calls and lists, and over when it breaks.
//!
//! `connect` makes a [`connection`], whose `client` is our side of the protocol (`elicitation`
//! answers what a server asks us). `call` calls a tool and `lenient` reads the answer; `list` asks
//! for the tools, and `list_changes` knows whether the list that was read is still true.

pub(crate) mod call;
mod client;
pub(crate) mod connect;
pub(crate) mod connection;
mod elicitation;
mod lenient;
pub(crate) mod list;
pub(crate) mod list_changes;
