//! A satellite: a microphone and a loudspeaker elsewhere in the house.
//!
//! haft connects to it, as Home Assistant would, and takes that place: it is told when the
//! satellite has something to say (`run-pipeline`), finds where the speech ends (`endpoint`) and
//! sends back what was understood and what is to be played. `voice` is the way back.
//!
//! No wake word is looked for in the sound. A satellite that leaves that to others is listened to
//! all the time.

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

/// Between two attempts to connect; Home Assistant waits as long.
const PAUSE: Duration = Duration::from_secs(10);
/// A satellite that was woken and hears no speech for so long goes back to sleep; Home Assistant
/// waits as long.
const NO_SPEECH_LIMIT: Duration = Duration::from_secs(15);
/// Events on their way to the satellite: some seconds of sound.
const QUEUE: usize = 256;

/// A satellite to listen to.
#[derive(Debug)]
pub struct Satellite {
    address: WyomingAddress,
    outgoing: mpsc::Receiver<Event>,
    shared: Arc<Shared>,
}

/// What the satellite is doing.
enum Ears {
    /// It has nothing to say.
    Idle,
    /// Somebody speaks, or will.
    Listening(Box<Endpoint>),
    /// What was said is being answered.
    Answered,
}

/// One connection with the satellite.
struct Session<'a, H> {
    hear: &'a mut H,
    shared: Arc<Shared>,
    ears: Ears,
    /// Whether it leaves the wake word to others, and so never goes to sleep.
    is_always_on: bool,
    /// Whether it listens again after an answer.
    restarts: bool,
}

impl Satellite {
    /// The satellite at `address`, and the way to its loudspeaker.
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

    /// Listens until the future is dropped, and hands every utterance to `hear`, which must not
    /// block. A satellite that is away is connected to again.
    pub async fn run(mut self, mut hear: impl FnMut(Pcm) -> Result<(), VoiceError>) {
        let mut was_there = true;
        loop {
            match connect(&self.address).await {
                Ok((reader, writer)) => {
                    tracing::info!(address = %self.address, "connected to the satellite");
                    was_there = true;
                    // What was meant for an earlier connection makes no sense in this one.
                    while self.outgoing.try_recv().is_ok() {}
                    self.shared.connected(true);
                    let ended = self.serve(reader, writer, &mut hear).await;
                    self.shared.connected(false);
                    let reason = ended.err().map(|error| error.detail().to_owned());
                    tracing::warn!(address = %self.address, reason, "the satellite is gone");
                }
                Err(error) => {
                    // Said once: it may be away for days.
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
            ears: Ears::Idle,
            is_always_on: false,
            restarts: false,
        };
        let outgoing = &mut self.outgoing;
        // A task of its own: when another ends, no half event is left on the wire.
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
            let waits = self.restarts && matches!(self.ears, Ears::Answered);
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
            // One that knows where the speech ends.
            "audio-stop" => {
                if let Ears::Listening(endpoint) = &self.ears {
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
        self.ears = Ears::Listening(Box::new(Endpoint::new()));
        self.shared.say(Event::new("transcribe"));
    }

    fn push(&mut self, audio: &Pcm) {
        let Ears::Listening(endpoint) = &mut self.ears else {
            return;
        };
        // It would hear itself.
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

    /// Hands on what was spoken.
    fn end(&mut self) {
        self.shared.say(Event::new("voice-stopped"));
        let ears = std::mem::replace(&mut self.ears, Ears::Answered);
        let Ears::Listening(endpoint) = ears else {
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

    /// Ends what the satellite began, with a code of Home Assistant's.
    fn give_up(&mut self, code: &str, text: &str) {
        let error = Event::new("error").with("text", text).with("code", code);
        self.shared.say(error);
        self.ears = Ears::Idle;
        if self.restarts {
            self.listen();
        }
    }
}

#[cfg(test)]
mod tests;
