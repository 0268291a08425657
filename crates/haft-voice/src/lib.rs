//! Voice: something is said, and answered aloud, with the tools of the house.

mod error;
mod pcm;
mod transcriber;
mod utterance;

pub use error::{VoiceError, VoiceErrorKind};
pub use pcm::{Pcm, SAMPLE_RATE};
pub use transcriber::{Speech, Transcriber};
pub use utterance::Utterance;
