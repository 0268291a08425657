//! Requests and replies that pass through the gateway unchanged.
//!
//! `conversation` passes a conversation through if client and model server have the same API and
//! nothing has to be done to it; its reply is observed, so that it is either complete or ends in an
//! error. `forward` forwards requests that haft does not answer itself, without reading them. In
//! both, `reply` passes the upstream's bytes on and holds the lease until the end.

mod conversation;
mod forward;
mod reply;

pub(crate) use self::conversation::answer as conversation;
pub(crate) use self::forward::answer as forward;
