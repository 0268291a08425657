//! What was said: sound or words.

use crate::pcm::Pcm;

/// One thing that was said: audio, or a transcript that someone else already made.
#[derive(Clone, Debug, PartialEq)]
pub enum Utterance {
    /// Sound, for a [`Transcriber`](crate::Transcriber).
    Audio(Pcm),
    /// Words, as a person or a recogniser elsewhere wrote them.
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
