//! Text-to-speech by a Wyoming server, such as Piper.
//!
//! Each sentence has a connection of its own, and its playback starts with the first chunk of
//! audio. `playback` is the destination.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::address::WyomingAddress;
use super::audio::Format;
use super::connection::connect;
use super::playback::{Playback, Playing};
use super::protocol::{Event, EventReader, EventWriter};
use crate::{Speech, VoiceError, VoiceErrorKind};

/// The timeout between two events of the server.
const SILENCE_LIMIT: Duration = Duration::from_secs(20);
/// The maximum duration of a sentence's audio in milliseconds.
const MAX_SENTENCE: u64 = 120_000;

/// Text-to-speech by a Wyoming server.
///
/// The streaming form of the protocol is used if the server supports it.
#[derive(Debug)]
pub struct WyomingSpeech {
    address: WyomingAddress,
    voice: Option<String>,
    playback: Playback,
    /// Whether the server supports streaming; requested once.
    streams: OnceCell<bool>,
}

impl WyomingSpeech {
    /// The server at `address`; the audio is played by `playback`.
    #[must_use]
    pub fn new(address: WyomingAddress, playback: Playback) -> Self {
        Self {
            address,
            voice: None,
            playback,
            streams: OnceCell::new(),
        }
    }

    /// Selects a voice by name, such as `en_US-lessac-medium`.
    #[must_use]
    pub fn with_voice(mut self, voice: impl Into<String>) -> Self {
        self.voice = Some(voice.into());
        self
    }

    /// Whether the server supports streaming; requested once.
    async fn streams(&self, lines: &mut Lines) -> Result<bool, VoiceError> {
        let ask = async || {
            lines.writer.send(&Event::new("describe")).await?;
            loop {
                let event = lines.next().await?;
                if event.kind == "info" {
                    return Ok(has_streaming(&event));
                }
            }
        };
        self.streams.get_or_try_init(ask).await.copied()
    }

    fn request(&self, kind: &str) -> Event {
        match &self.voice {
            Some(voice) => Event::new(kind).with("voice", json!({ "name": voice })),
            None => Event::new(kind),
        }
    }

    /// Requests the audio of `sentence`, and returns the type of the event that ends it.
    async fn ask(&self, sentence: &str, lines: &mut Lines) -> Result<&'static str, VoiceError> {
        let streams = self.streams(lines).await?;
        let whole = self.request("synthesize").with("text", sentence);
        if !streams {
            lines.writer.send(&whole).await?;
            return Ok("audio-stop");
        }
        let chunk = Event::new("synthesize-chunk").with("text", sentence);
        let start = self.request("synthesize-start");
        // Streaming servers ignore the event with the whole text, but the protocol requires it.
        for event in [start, chunk, whole, Event::new("synthesize-stop")] {
            lines.writer.send(&event).await?;
        }
        Ok("synthesize-stopped")
    }

    /// Plays the received audio until the event `last`.
    async fn play(&self, lines: &mut Lines, last: &str) -> Result<(), VoiceError> {
        let mut now: Option<(Format, Playing)> = None;
        let mut length = 0;
        loop {
            let event = lines.next().await?;
            match event.kind.as_str() {
                "audio-start" | "audio-chunk" => {
                    let format = Format::of(&event)?;
                    length += format.milliseconds(event.payload.len());
                    if length > MAX_SENTENCE {
                        return Err(failed("The voice does not come to an end"));
                    }
                    let mut playing = match now.take() {
                        Some((same, playing)) if same == format => playing,
                        Some((_, playing)) => {
                            playing.end().await?;
                            self.playback.start(format).await?
                        }
                        None => self.playback.start(format).await?,
                    };
                    if !event.payload.is_empty() {
                        playing.more(event.payload).await?;
                    }
                    now = Some((format, playing));
                }
                "error" => {
                    let said = event.text().unwrap_or_default();
                    return Err(failed("The voice reports an error").with_detail(said));
                }
                kind if kind == last => break,
                _ => {}
            }
        }
        match now {
            Some((_, playing)) => playing.end().await,
            None => Err(failed("The voice made no sound")),
        }
    }
}

#[async_trait]
impl Speech for WyomingSpeech {
    async fn speak(&self, sentence: &str) -> Result<(), VoiceError> {
        let (reader, writer) = connect(&self.address).await?;
        let mut lines = Lines { reader, writer };
        let last = self.ask(sentence, &mut lines).await?;
        self.play(&mut lines, last).await
    }
}

/// Both halves of a connection.
struct Lines {
    reader: EventReader,
    writer: EventWriter,
}

impl Lines {
    /// The next event; the end of the connection and a timeout are errors.
    async fn next(&mut self) -> Result<Event, VoiceError> {
        match timeout(SILENCE_LIMIT, self.reader.next()).await {
            Ok(Ok(Some(event))) => Ok(event),
            Ok(Ok(None)) => Err(failed("The voice ended the connection too early")),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(VoiceError::new(
                VoiceErrorKind::Timeout,
                format!("The voice was silent for {} s", SILENCE_LIMIT.as_secs()),
            )),
        }
    }
}

/// True if the first voice of an `info` event supports streaming.
fn has_streaming(info: &Event) -> bool {
    let voices = info.data.get("tts").and_then(Value::as_array);
    let first = voices.and_then(|voices| voices.first());
    first.and_then(|voice| voice.get("supports_synthesize_streaming")) == Some(&Value::Bool(true))
}

fn failed(message: &str) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Speech, message)
}

#[cfg(test)]
mod tests;
