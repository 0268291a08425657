//! The Wyoming protocol, in which Home Assistant, recognisers, voices and satellites talk.
//!
//! Events over TCP, without a password and in the clear: for the own machine or the own network.
//!
//! `event` and `decoder` are the bytes, `connection` reads and writes them, `audio` is sound as
//! events; [`WyomingTranscriber`] and [`WyomingSpeech`] are clients, [`WyomingServer`] is what
//! Home Assistant talks to, [`Satellite`] a microphone and a loudspeaker elsewhere in the house.

mod address;
mod announcement;
mod audio;
mod connection;
mod decoder;
mod endpoint;
mod event;
mod playback;
mod satellite;
mod server;
mod speech;
mod transcriber;

pub use self::address::WyomingAddress;
pub use self::announcement::Announcement;
pub use self::decoder::{EventDecoder, FramingError};
pub use self::event::Event;
pub use self::playback::Playback;
pub use self::satellite::{Satellite, SatelliteVoice};
pub use self::server::{Observer, WyomingServer, WyomingServerOptions};
pub use self::speech::WyomingSpeech;
pub use self::transcriber::WyomingTranscriber;
