//! A satellite: a microphone and a loudspeaker elsewhere in the house.
//!
//! haft connects to it in the role of Home Assistant: the satellite reports when it starts an
//! utterance (`run-pipeline`), haft detects the end of the speech (`endpoint`) and sends back the
//! transcript and the audio to play. `voice` is the direction to the satellite.
//!
//! haft does not detect wake words in audio. A satellite that leaves the wake word to the server is
//! listened to all the time.

mod voice;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::audio::Format;
use super::connection::connect;
use super::endpoint::{Endpoint, Progress};
use super::protocol::{EventReader, EventWriter};
use super::{Event, WyomingAddress};
use crate::{Pcm, VoiceError};

pub use self::voice::SatelliteVoice;
use self::voice::Shared;
pub(super) use self::voice::Spoken;

/// The pause between two attempts to connect, as in Home Assistant.
const PAUSE: Duration = Duration::from_secs(10);
/// After this time without speech, a woken satellite is sent back to sleep, as in Home Assistant.
const NO_SPEECH_LIMIT: Duration = Duration::from_secs(15);
/// The capacity of the queue of events for the satellite: some seconds of audio.
const QUEUE: usize = 256;

/// A satellite to listen to.
#[derive(Debug)]
pub struct Satellite {
    address: WyomingAddress,
    outgoing: mpsc::Receiver<Event>,
    shared: Arc<Shared>,
}

/// The state of the satellite.
enum State {
    /// No utterance.
    Idle,
    /// An utterance has started, with or without speech so far.
    Listening(Box<Endpoint>),
    /// The utterance has ended and is being answered.
    Answered,
}

/// One connection to the satellite.
struct Session<'a, H> {
    hear: &'a mut H,
    shared: Arc<Shared>,
    ears: State,
    /// Whether it leaves the wake word to the server, and so never sleeps.
    is_always_on: bool,
    /// Whether it starts another utterance after an answer.
    restarts: bool,
}

impl Satellite {
    /// The satellite at `address`, and the handle for its loudspeaker.
    #[must_use]
    pub fn new(address: WyomingAddress) -> (Self, SatelliteVoice) {
        let (sender, outgoing) = mpsc::channel(QUEUE);
        let shared = Arc::new(Shared::new(sender));
        let voice = SatelliteVoice::new(Arc::clone(&shared));
        let satellite = Self {
            address,
            outgoing,
            shared,
        };
        (satellite, voice)
    }

    /// Listens until the future is dropped, and passes every utterance to `hear`, which must not
    /// block. After a lost connection it connects again.
    pub async fn run(mut self, mut hear: impl FnMut(Pcm) -> Result<(), VoiceError>) {
        let mut was_there = true;
        loop {
            match connect(&self.address).await {
                Ok((reader, writer)) => {
                    tracing::info!(address = %self.address, "connected to the satellite");
                    was_there = true;
                    // Events for an earlier connection are dropped.
                    while self.outgoing.try_recv().is_ok() {}
                    self.shared.connected(true);
                    let ended = self.serve(reader, writer, &mut hear).await;
                    self.shared.connected(false);
                    let reason = ended.err().map(|error| error.detail().to_owned());
                    tracing::warn!(address = %self.address, reason, "the satellite is gone");
                }
                Err(error) => {
                    // Logged once: the satellite may be off for days.
                    if was_there {
                        tracing::warn!(address = %self.address, reason = error.detail(), "the satellite is away");
                    }
                    was_there = false;
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn serve<H: FnMut(Pcm) -> Result<(), VoiceError>>(
        &mut self,
        reader: EventReader,
        mut writer: EventWriter,
        hear: &mut H,
    ) -> Result<(), VoiceError> {
        let session = Session {
            hear,
            shared: Arc::clone(&self.shared),
            ears: State::Idle,
            is_always_on: false,
            restarts: false,
        };
        let outgoing = &mut self.outgoing;
        // A task of its own, so that cancelling another one leaves no incomplete event on the wire.
        let writing = async {
            writer.send(&Event::new("run-satellite")).await?;
            while let Some(event) = outgoing.recv().await {
                writer.send(&event).await?;
            }
            Ok(())
        };
        tokio::select! {
            written = writing => written,
            read = session.run(reader) => read,
        }
    }
}

impl<H: FnMut(Pcm) -> Result<(), VoiceError>> Session<'_, H> {
    async fn run(mut self, mut reader: EventReader) -> Result<(), VoiceError> {
        loop {
            let waits = self.restarts && matches!(self.ears, State::Answered);
            let shared = Arc::clone(&self.shared);
            tokio::select! {
                event = reader.next() => match event? {
                    Some(event) => self.take(&event)?,
                    None => return Ok(()),
                },
                () = shared.answered(), if waits => self.listen(),
            }
        }
    }

    fn take(&mut self, event: &Event) -> Result<(), VoiceError> {
        match event.kind.as_str() {
            "run-pipeline" => {
                let stage = event.string("start_stage").unwrap_or_default();
                if !matches!(stage, "wake" | "asr") {
                    tracing::debug!(stage, "the satellite asks for what is not done here");
                    return Ok(());
                }
                self.is_always_on = stage == "wake";
                self.restarts = event.data.get("restart_on_end") == Some(&true.into());
                self.listen();
            }
            "audio-chunk" => {
                let audio = Format::of(event)?.pcm(&event.payload)?;
                self.push(&audio);
            }
            // A satellite with its own detection of the end.
            "audio-stop" => {
                if let State::Listening(endpoint) = &self.ears {
                    match endpoint.has_begun() {
                        true => self.end(),
                        false => self.give_up_on_silence(),
                    }
                }
            }
            "played" => self.shared.played(),
            "ping" => {
                let mut pong = Event::new("pong");
                pong.data.clone_from(&event.data);
                self.shared.say(pong);
            }
            _ => {}
        }
        Ok(())
    }

    fn listen(&mut self) {
        self.ears = State::Listening(Box::new(Endpoint::new()));
        self.shared.say(Event::new("transcribe"));
    }

    fn push(&mut self, audio: &Pcm) {
        let State::Listening(endpoint) = &mut self.ears else {
            return;
        };
        // The microphone would record the answer.
        if self.shared.is_speaking() {
            return;
        }
        match endpoint.push(audio.samples()) {
            Progress::Begun => self.shared.say(Event::new("voice-started")),
            Progress::Ended => self.end(),
            Progress::Same => {
                let is_silent = !endpoint.has_begun() && endpoint.length() >= NO_SPEECH_LIMIT;
                if is_silent && !self.is_always_on {
                    self.give_up_on_silence();
                }
            }
        }
    }

    /// Passes the utterance on.
    fn end(&mut self) {
        self.shared.say(Event::new("voice-stopped"));
        let ears = std::mem::replace(&mut self.ears, State::Answered);
        let State::Listening(endpoint) = ears else {
            return;
        };
        if let Err(error) = (self.hear)(endpoint.take()) {
            tracing::warn!(reason = error.detail(), "an utterance was not taken");
            self.give_up("stt-stream-failed", error.spoken());
        }
    }

    fn give_up_on_silence(&mut self) {
        self.give_up("stt-no-text-recognized", "no speech");
    }

    /// Ends the utterance that the satellite started, with an error code of Home Assistant.
    fn give_up(&mut self, code: &str, text: &str) {
        let error = Event::new("error").with("text", text).with("code", code);
        self.shared.say(error);
        self.ears = State::Idle;
        if self.restarts {
            self.listen();
        }
    }
}

#[cfg(test)]
mod tests;
