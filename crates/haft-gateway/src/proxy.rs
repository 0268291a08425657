//! What passes through the gateway unchanged.
//!
//! `conversation` passes on a conversation to which nothing is to be done, between a client and a
//! model server that speak the same; its reply is watched, so that it is complete or ends in an
//! error. `forward` passes on requests that haft has no answer of its own to; nothing of them is
//! read. In both, `reply` hands the upstream's bytes on and holds the lease until their end.

mod conversation;
mod forward;
mod reply;

pub(crate) use self::conversation::answer as conversation;
pub(crate) use self::forward::answer as forward;
