//! An utterance: audio or text.

use crate::pcm::Pcm;

/// One utterance: audio, or an existing transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum Utterance {
    /// Audio for a [`Transcriber`](crate::Transcriber).
    Audio(Pcm),
    /// Text, typed or transcribed elsewhere.
    Text(String),
}

impl From<Pcm> for Utterance {
    fn from(audio: Pcm) -> Self {
        Self::Audio(audio)
    }
}

impl From<&str> for Utterance {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Utterance {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
