//! Speech-to-text by a Wyoming server: faster-whisper, Vosk, and others.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::address::WyomingAddress;
use super::audio;
use super::connection::connect;
use super::protocol::{Event, EventReader, EventWriter};
use crate::{Pcm, Transcriber, VoiceError, VoiceErrorKind};

/// The default timeout of an utterance; a large model on a small machine is slow.
const LIMIT: Duration = Duration::from_secs(60);
/// The maximum length of a transcript in bytes: half an hour of speech.
const MAX_TRANSCRIPT: usize = 32 * 1024;

/// Speech-to-text by a Wyoming server. Each utterance has a connection of its own, so that a
/// failure affects only that utterance.
///
/// Both streamed and whole transcripts are supported.
#[derive(Clone, Debug)]
pub struct WyomingTranscriber {
    address: WyomingAddress,
    language: Option<String>,
    limit: Duration,
}

impl WyomingTranscriber {
    /// The server at `address`, with a timeout of 60 s for an utterance.
    #[must_use]
    pub fn new(address: WyomingAddress) -> Self {
        Self {
            address,
            language: None,
            limit: LIMIT,
        }
    }

    /// Sets the spoken language, such as `en`; without it the server detects it.
    #[must_use]
    pub fn with_language(mut self, language: impl Into<String>) -> Self {
        self.language = Some(language.into());
        self
    }

    /// Sets the timeout of an utterance.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    async fn exchange(&self, audio: &Pcm) -> Result<String, VoiceError> {
        let (mut reader, mut writer) = connect(&self.address).await?;
        let mut request = Event::new("transcribe");
        if let Some(language) = &self.language {
            request = request.with("language", language.as_str());
        }
        let sending = send(&mut writer, request, audio);
        let reading = read(&mut reader);
        tokio::pin!(sending, reading);
        // A reply takes precedence over a failed upload: the server may answer early, or report an
        // error before it closes the connection.
        tokio::select! {
            biased;
            transcript = &mut reading => transcript,
            sent = &mut sending => match (sent, reading.await) {
                (Err(broken), Err(_)) => Err(broken),
                (_, transcript) => transcript,
            },
        }
    }
}

#[async_trait]
impl Transcriber for WyomingTranscriber {
    async fn transcribe(&self, audio: &Pcm) -> Result<String, VoiceError> {
        match timeout(self.limit, self.exchange(audio)).await {
            Ok(transcript) => transcript,
            Err(_) => Err(VoiceError::new(
                VoiceErrorKind::Timeout,
                format!(
                    "The speech-to-text server at {} gave no transcript in {} s",
                    self.address,
                    self.limit.as_secs_f64()
                ),
            )),
        }
    }
}

async fn send(writer: &mut EventWriter, request: Event, audio: &Pcm) -> Result<(), VoiceError> {
    writer.send(&request).await?;
    for event in audio::events(audio) {
        writer.send(&event).await?;
    }
    Ok(())
}

/// The transcript: the whole one, or the joined chunks if the whole one is missing.
async fn read(reader: &mut EventReader) -> Result<String, VoiceError> {
    let mut pieces = String::new();
    while let Some(event) = reader.next().await? {
        let text = event.text().unwrap_or_default();
        match event.kind.as_str() {
            "transcript" => return within(text.trim()),
            "transcript-chunk" => {
                pieces.push_str(text);
                within(&pieces)?;
            }
            "transcript-stop" => return within(pieces.trim()),
            "error" => {
                return Err(VoiceError::new(
                    VoiceErrorKind::Transcription,
                    "The speech-to-text server reported an error",
                )
                .with_detail(text));
            }
            _ => {}
        }
    }
    Err(VoiceError::new(
        VoiceErrorKind::Transcription,
        "The speech-to-text server ended the connection without a transcript",
    ))
}

fn within(text: &str) -> Result<String, VoiceError> {
    if text.len() > MAX_TRANSCRIPT {
        return Err(VoiceError::new(
            VoiceErrorKind::Transcription,
            format!("The transcript is longer than {MAX_TRANSCRIPT} bytes"),
        ));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests;
