//! The Wyoming protocol, used by Home Assistant, speech-to-text, text-to-speech and satellites.
//!
//! Events over TCP, without a password and in the clear: for use on one machine or a local network.
//!
//! `protocol` is the protocol alone, `connection` reaches a server, `audio` is sound as events;
//! [`WyomingTranscriber`] and [`WyomingSpeech`] are clients, [`WyomingServer`] is what
//! Home Assistant talks to, [`Satellite`] a microphone and a loudspeaker elsewhere in the house.

mod address;
mod announcement;
mod audio;
mod connection;
mod endpoint;
mod playback;
mod protocol;
mod satellite;
mod server;
mod speech;
mod transcriber;

pub use self::address::WyomingAddress;
pub use self::announcement::Announcement;
pub use self::playback::Playback;
pub use self::protocol::{Event, EventDecoder, FramingError};
pub use self::satellite::{Satellite, SatelliteVoice};
pub use self::server::{Observer, WyomingServer, WyomingServerOptions};
pub use self::speech::WyomingSpeech;
pub use self::transcriber::WyomingTranscriber;
