//! The two seams to programs that hear and speak.

use std::fmt;

use async_trait::async_trait;

use crate::error::VoiceError;
use crate::pcm::Pcm;

/// What makes words of sound.
#[async_trait]
pub trait Transcriber: fmt::Debug + Send + Sync {
    /// The words in `audio`, trimmed; empty where nobody spoke. Dropping the future stops the
    /// work and leaves no process and no file behind.
    ///
    /// # Errors
    ///
    /// What kept this utterance from being understood; the next one is tried anew.
    async fn transcribe(&self, audio: &Pcm) -> Result<String, VoiceError>;
}

/// What makes sound of words.
#[async_trait]
pub trait Speech: fmt::Debug + Send + Sync {
    /// Speaks one sentence, and returns when it was spoken, or when whoever plays it has all of
    /// it. Dropping the future ends the speaking.
    ///
    /// # Errors
    ///
    /// What kept this sentence from being heard; the next one is tried anew.
    async fn speak(&self, sentence: &str) -> Result<(), VoiceError>;

    /// Called once behind the last sentence of an answer, also where it was cut short.
    ///
    /// # Errors
    ///
    /// As for [`speak`](Self::speak).
    async fn finish(&self) -> Result<(), VoiceError> {
        Ok(())
    }
}
