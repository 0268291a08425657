//! The Wyoming protocol, used by Home Assistant, speech-to-text, text-to-speech and satellites.
//!
//! Events are sent over TCP, unencrypted and without a password, so it is for use on one machine or
//! in a local network only.
//!
//! `protocol` is the protocol alone, `connection` connects to a server, `audio` converts audio to
//! events. [`WyomingTranscriber`] and [`WyomingSpeech`] are clients, [`WyomingServer`] is the
//! server for Home Assistant, and [`Satellite`] is a microphone with a loudspeaker elsewhere in the
//! house.

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
