//! The traits for speech-to-text and text-to-speech.

use std::fmt;

use async_trait::async_trait;

use crate::error::VoiceError;
use crate::pcm::Pcm;

/// Speech-to-text.
#[async_trait]
pub trait Transcriber: fmt::Debug + Send + Sync {
    /// Transcribes `audio`; the text is trimmed, and empty without speech. Dropping the future stops the
    /// work and leaves no process and no file behind.
    ///
    /// # Errors
    ///
    /// When this utterance cannot be transcribed; the next one is tried again.
    async fn transcribe(&self, audio: &Pcm) -> Result<String, VoiceError>;
}

/// Text-to-speech.
#[async_trait]
pub trait Speech: fmt::Debug + Send + Sync {
    /// Speaks one sentence. Returns when it was spoken, or when the player has received all of it.
    /// Dropping the future stops the speech.
    ///
    /// # Errors
    ///
    /// When this sentence cannot be spoken; the next one is tried again.
    async fn speak(&self, sentence: &str) -> Result<(), VoiceError>;

    /// Called once after the last sentence of an answer, even if the answer was cancelled.
    ///
    /// # Errors
    ///
    /// See [`speak`](Self::speak).
    async fn finish(&self) -> Result<(), VoiceError> {
        Ok(())
    }
}
