//! Turns utterances into text: drops audio without speech, and transcribes the rest.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::{Events, UtteranceId};
use crate::error::{VoiceError, VoiceErrorKind};
use crate::event::{DropReason, VoiceEvent};
use crate::pcm::Pcm;
use crate::transcriber::Transcriber;
use crate::utterance::Utterance;
use crate::wake::WakePhrase;

/// The minimum duration of audio; every spoken word is longer.
const SHORTEST: Duration = Duration::from_millis(150);

/// The minimum energy of audio, below the noise of any microphone: 80 dB below full scale, the
/// rounding error of an analog-to-digital converter.
const QUIETEST: f64 = 1e-4;

/// The maximum length of an utterance; speech-to-text models process 30 s at a time.
const LONGEST: Duration = Duration::from_secs(120);

/// The maximum length of a text utterance, in bytes.
const LONGEST_TEXT: usize = 10_000;

/// An utterance to answer.
pub(super) struct Understood {
    pub(super) id: UtteranceId,
    /// The transcript.
    pub(super) words: Result<String, VoiceError>,
}

pub(super) struct Ears {
    pub(super) transcriber: Option<Arc<dyn Transcriber>>,
    pub(super) events: Events,
    pub(super) wake: Option<WakePhrase>,
    pub(super) limit: Duration,
}

impl Ears {
    /// Runs until all senders are dropped.
    pub(super) async fn listen(
        self,
        mut heard: mpsc::Receiver<(UtteranceId, Utterance)>,
        understood: mpsc::Sender<Understood>,
    ) {
        while let Some((id, utterance)) = heard.recv().await {
            let started = Instant::now();
            // A panic of the transcriber loses one utterance, not the service.
            let words = AssertUnwindSafe(self.words(utterance))
                .catch_unwind()
                .await
                .unwrap_or_else(|_| Err(Missed::Error(broken())));
            let words = match words {
                Ok(text) => {
                    let took = started.elapsed();
                    let event = VoiceEvent::Transcription {
                        text: text.clone(),
                        took,
                    };
                    self.events.emit(id, event).await;
                    Ok(text)
                }
                Err(Missed::Dropped(reason)) => {
                    tracing::debug!(utterance = id.number(), %reason, "dropped");
                    self.events.emit(id, VoiceEvent::Dropped(reason)).await;
                    continue;
                }
                Err(Missed::Error(error)) => Err(error),
            };
            if understood.send(Understood { id, words }).await.is_err() {
                return;
            }
        }
    }

    async fn words(&self, utterance: Utterance) -> Result<String, Missed> {
        let text = match utterance {
            Utterance::Text(text) if text.len() > LONGEST_TEXT => {
                return Err(too_long("The text").into());
            }
            Utterance::Text(text) => text,
            Utterance::Audio(audio) => self.transcribed(&audio).await?,
        };
        let text = text.trim();
        let text = match &self.wake {
            None => text,
            Some(wake) => wake.strip(text).ok_or(DropReason::NotAddressed)?,
        };
        match text.chars().any(char::is_alphanumeric) {
            true => Ok(text.to_owned()),
            false => Err(DropReason::NoWords.into()),
        }
    }

    async fn transcribed(&self, audio: &Pcm) -> Result<String, Missed> {
        if audio.duration() < SHORTEST {
            return Err(DropReason::Click.into());
        }
        if audio.energy() < QUIETEST {
            return Err(DropReason::Silence.into());
        }
        if audio.duration() > LONGEST {
            return Err(too_long("The audio").into());
        }
        let Some(transcriber) = &self.transcriber else {
            let message = "There is no speech-to-text for audio";
            let error = VoiceError::new(VoiceErrorKind::Configuration, message);
            return Err(error.with_hint("configure one, or send text").into());
        };
        match timeout(self.limit, transcriber.transcribe(audio)).await {
            Ok(text) => Ok(text?),
            Err(_) => {
                let seconds = self.limit.as_secs_f64();
                let message = format!("Speech-to-text gave no answer within {seconds} seconds");
                let error = VoiceError::new(VoiceErrorKind::Timeout, message);
                Err(error.with_hint("use a smaller speech-to-text model").into())
            }
        }
    }
}

/// The reason why there is no transcript.
enum Missed {
    Dropped(DropReason),
    Error(VoiceError),
}

impl From<DropReason> for Missed {
    fn from(reason: DropReason) -> Self {
        Self::Dropped(reason)
    }
}

impl From<VoiceError> for Missed {
    fn from(error: VoiceError) -> Self {
        Self::Error(error)
    }
}

fn too_long(what: &str) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Audio, format!("{what} is too long"))
        .with_hint("send one utterance at a time")
}

fn broken() -> VoiceError {
    VoiceError::new(
        VoiceErrorKind::Transcription,
        "The speech-to-text code panicked",
    )
}
