//! The HTTP layer that all model clients share.
//!
//! An adapter builds a [`Request`], passes it to [`Transport::open`] and reads [`Frame`]s from the
//! returned [`Frames`]. Timeouts, retries, error messages, recording and replay work alike for
//! every provider.
//!
//! * `request.rs` defines requests, `endpoint.rs` their addresses, `client.rs` sends them over the connections of `connect.rs`,
//!   `status.rs` converts error responses;
//! * `events.rs` splits a stream into events, `decode.rs` makes frames of them, `frames.rs` yields
//!   frames, `malformed.rs` parses their JSON;
//! * `limits.rs` defines limits, `incoming.rs` enforces them, `near.rs` tells near servers from
//!   distant ones;
//! * `transport.rs` combines all of this with retries, recording and replay.

mod client;
mod connect;
mod decode;
mod endpoint;
mod events;
mod frames;
mod incoming;
mod limits;
mod malformed;
mod near;
mod request;
mod secret;
mod status;
mod transport;

pub(crate) use client::{Body, Response, cut, header_text, http_client};
pub(crate) use decode::{Frame, has_lines};
pub(crate) use endpoint::{Endpoint, endpoint};
pub(crate) use events::{Events, Framing};
pub(crate) use frames::Frames;
pub(crate) use incoming::Incoming;
pub use limits::Limits;
pub(crate) use malformed::{malformed, parse, parse_borrowed};
pub use near::is_loopback;
pub(crate) use near::is_near;
pub(crate) use request::{Api, Request, body_of};
pub use secret::Secret;
pub(crate) use secret::safe_url;
#[cfg(test)]
pub(crate) use status::refusal;
pub(crate) use status::{name_models, reported, unread_output};
pub use transport::Transport;
pub(crate) use transport::empty;
