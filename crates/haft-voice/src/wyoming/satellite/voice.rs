//! Sends the transcript and the audio of the answer to a satellite.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, timeout};

use crate::wyoming::audio::Format;
use crate::wyoming::protocol::Event;
use crate::{VoiceError, VoiceErrorKind, VoiceEvent};

/// How much longer than its audio a satellite may take to play it, if it does not report the end;
/// as in Home Assistant.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// The handle for the loudspeaker of a satellite.
#[derive(Clone, Debug)]
pub struct SatelliteVoice {
    shared: Arc<Shared>,
}

/// The state shared by both directions.
#[derive(Debug)]
pub(super) struct Shared {
    outgoing: mpsc::Sender<Event>,
    is_connected: AtomicBool,
    /// The number of audio streams that are being played.
    sounds: AtomicUsize,
    played: Notify,
    answered: Notify,
}

/// Audio that is being sent to a satellite. Dropping it before its end stops the playback.
#[derive(Debug)]
pub(in crate::wyoming) struct Spoken {
    shared: Arc<Shared>,
    format: Format,
    began: Instant,
    bytes: usize,
    is_over: bool,
}

impl Shared {
    pub(super) fn new(outgoing: mpsc::Sender<Event>) -> Self {
        Self {
            outgoing,
            is_connected: AtomicBool::new(false),
            sounds: AtomicUsize::new(0),
            played: Notify::new(),
            answered: Notify::new(),
        }
    }

    pub(super) fn connected(&self, is_connected: bool) {
        self.is_connected.store(is_connected, Ordering::Relaxed);
    }

    pub(super) fn is_speaking(&self) -> bool {
        self.sounds.load(Ordering::Relaxed) > 0
    }

    pub(super) fn played(&self) {
        self.played.notify_waiters();
    }

    pub(super) async fn answered(&self) {
        self.answered.notified().await;
    }

    /// Sends `event` if the queue has space; otherwise it is dropped.
    pub(super) fn say(&self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(event)) = self.outgoing.try_send(event) {
            tracing::warn!(kind = event.kind, "the satellite is too slow for an event");
        }
    }

    async fn send(&self, event: Event) -> Result<(), VoiceError> {
        let is_connected = self.is_connected.load(Ordering::Relaxed);
        if is_connected && self.outgoing.send(event).await.is_ok() {
            return Ok(());
        }
        let away = "The satellite is not connected";
        Err(VoiceError::new(VoiceErrorKind::Speech, away))
    }
}

impl SatelliteVoice {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Reports the progress of an utterance to the satellite; never blocks. Call it with every
    /// event of its [`BackgroundTranscriber`](crate::BackgroundTranscriber).
    pub fn tell(&self, event: &VoiceEvent) {
        let ended = |code: &str, text: &str| {
            let error = Event::new("error").with("text", text).with("code", code);
            self.shared.say(error);
            self.shared.answered.notify_one();
        };
        match event {
            VoiceEvent::Transcription { text, .. } => {
                let transcript = Event::new("transcript").with("text", text.as_str());
                self.shared.say(transcript);
            }
            VoiceEvent::Sentence(text) => {
                let sentence = Event::new("synthesize").with("text", text.as_str());
                self.shared.say(sentence);
            }
            VoiceEvent::Answer { .. } | VoiceEvent::Cancelled => self.shared.answered.notify_one(),
            VoiceEvent::Dropped(_) => ended("stt-no-text-recognized", "nothing was understood"),
            VoiceEvent::Error(error) => ended("intent-failed", error.spoken()),
            _ => {}
        }
    }

    pub(in crate::wyoming) async fn start(&self, format: Format) -> Result<Spoken, VoiceError> {
        self.shared.send(format.event("audio-start")).await?;
        self.shared.sounds.fetch_add(1, Ordering::Relaxed);
        Ok(Spoken {
            shared: Arc::clone(&self.shared),
            format,
            began: Instant::now(),
            bytes: 0,
            is_over: false,
        })
    }
}

impl Spoken {
    pub(in crate::wyoming) async fn more(&mut self, sound: Vec<u8>) -> Result<(), VoiceError> {
        self.bytes = self.bytes.saturating_add(sound.len());
        let chunk = self.format.event("audio-chunk").with_payload(sound);
        self.shared.send(chunk).await
    }

    /// Returns when the satellite reports that the audio was played, or after its duration.
    pub(in crate::wyoming) async fn end(mut self) -> Result<(), VoiceError> {
        let shared = Arc::clone(&self.shared);
        let played = shared.played.notified();
        tokio::pin!(played);
        // The waiter is registered now, not when it is first polled, so that no report is missed.
        played.as_mut().enable();
        self.shared.send(Event::new("audio-stop")).await?;
        self.is_over = true;
        let length = Duration::from_millis(self.format.milliseconds(self.bytes));
        let left = length.saturating_sub(self.began.elapsed());
        // Without audio the satellite sends no report.
        if self.bytes > 0 && timeout(left + AFTERWARDS, played).await.is_err() {
            tracing::debug!("the satellite did not say that it has played the sound");
        }
        Ok(())
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        if !self.is_over {
            self.shared.say(Event::new("audio-stop"));
        }
        self.shared.sounds.fetch_sub(1, Ordering::Relaxed);
    }
}
