//! The Wyoming protocol alone: its events, and the connections that carry them.
//!
//! `event` is one event and the bytes that it is sent as, `decoder` the way back, `stream` the two
//! halves of a TCP connection. Nothing here knows haft: only `serde` and `tokio` are needed, so
//! that the folder can become a crate of its own.

mod decoder;
mod event;
mod stream;

pub use self::decoder::{EventDecoder, FramingError};
pub use self::event::Event;
pub(super) use self::stream::{ConnectionError, EventReader, EventWriter, halves};
