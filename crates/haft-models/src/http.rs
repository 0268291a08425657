//! The one place where haft talks HTTP to model servers.
//!
//! An adapter builds a [`Request`], hands it to [`Transport::open`] and reads [`Frame`]s from
//! the [`Frames`] it gets; limits, retries, error sentences, recording and replaying happen in
//! between, alike for every provider. `request.rs` is what goes out, `client.rs` sends it, `local.rs` to this machine,
//! `status.rs` turns refusals into errors, `decode.rs` cuts bytes into frames, `incoming.rs`
//! guards the limits while they come, `frames.rs` hands them out, `transport.rs` ties all of it together with retries.

mod client;
mod decode;
mod frames;
mod incoming;
mod limits;
mod local;
mod request;
mod secret;
mod status;
mod transport;

pub use client::is_loopback;
pub(crate) use client::{Body, Response, cut, http_client, not_sent_to};
pub(crate) use decode::{Frame, Framing, has_lines, malformed, not_of_api, parse};
pub(crate) use frames::Frames;
pub(crate) use incoming::Incoming;
pub use limits::Limits;
pub(crate) use request::{Api, Request, body_of, endpoint};
pub use secret::Secret;
pub(crate) use secret::safe_url;
#[cfg(test)]
pub(crate) use status::refusal;
pub(crate) use status::{name_models, reported, unread_output};
pub use transport::Transport;
pub(crate) use transport::empty;
