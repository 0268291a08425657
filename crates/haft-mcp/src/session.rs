//! One connection to a server: opening it, calls and lists over it, and its end.
//!
//! `connect` opens a [`connection`]; `client` is our side of the protocol (`elicitation` answers
//! forms from a server). `call` calls a tool and `lenient` parses the answer; `list` requests the
//! tools, and `list_changes` tracks whether the list is still current.

pub(crate) mod call;
mod client;
pub(crate) mod connect;
pub(crate) mod connection;
mod elicitation;
mod lenient;
pub(crate) mod list;
pub(crate) mod list_changes;
