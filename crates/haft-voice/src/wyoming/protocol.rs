//! The Wyoming protocol alone: its events, and connections that carry them.
//!
//! `event` is an event and its encoding, `decoder` decodes events from bytes, `stream` is the two
//! halves of a TCP connection. This folder depends only on `serde` and `tokio` and not on the rest
//! of haft, so that it can become a crate of its own.

mod decoder;
mod event;
mod stream;

pub use self::decoder::{EventDecoder, FramingError};
pub use self::event::Event;
pub(super) use self::stream::{ConnectionError, EventReader, EventWriter, halves};
