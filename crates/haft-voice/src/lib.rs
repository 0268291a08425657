//! Voice: something is said, and answered aloud, with the tools of the house.

mod assistant;
mod background;
mod error;
mod event;
mod local;
mod pcm;
mod sentences;
mod speakable;
mod spoken;
mod transcriber;
mod utterance;
mod wake;

pub use assistant::{Assistant, AssistantOptions, SPOKEN_GUIDANCE, VoiceStream};
pub use background::{BackgroundOptions, BackgroundTranscriber, UtteranceId, VoiceEvents};
pub use error::{VoiceError, VoiceErrorKind};
pub use event::{DropReason, Responder, VoiceEvent};
pub use pcm::{Pcm, SAMPLE_RATE};
pub use transcriber::{Speech, Transcriber};
pub use utterance::Utterance;
pub use wake::WakePhrase;
