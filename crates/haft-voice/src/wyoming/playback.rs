//! The destination of synthesized speech: a player on this machine, or a satellite.

use std::fmt;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::audio::Format;
use super::satellite::{SatelliteVoice, Spoken};
use crate::program::{Program, Running};
use crate::{VoiceError, VoiceErrorKind};

/// How much longer than its audio a player may run after it has received all of it.
const AFTERWARDS: Duration = Duration::from_secs(5);

/// The destination of synthesized speech.
#[derive(Clone, Debug)]
pub enum Playback {
    /// A program, such as `aplay -q`, which gets a WAV file on stdin for each sentence and exits
    /// after playing it.
    Command(Program),
    /// The loudspeaker of a satellite.
    Satellite(SatelliteVoice),
}

/// Audio that is being played. Dropping it before its end stops the playback.
#[derive(Debug)]
pub(super) enum Playing {
    Command(Box<Player>),
    Satellite(Spoken),
}

impl Playback {
    /// Starts playing audio of this format.
    pub(super) async fn start(&self, format: Format) -> Result<Playing, VoiceError> {
        match self {
            Self::Command(command) => {
                let player = Player::start(command, format).await?;
                Ok(Playing::Command(Box::new(player)))
            }
            Self::Satellite(voice) => Ok(Playing::Satellite(voice.start(format).await?)),
        }
    }
}

impl Playing {
    /// Adds audio.
    pub(super) async fn more(&mut self, sound: Vec<u8>) -> Result<(), VoiceError> {
        match self {
            Self::Command(player) => player.more(&sound).await,
            Self::Satellite(spoken) => spoken.more(sound).await,
        }
    }

    /// Ends the audio; returns when it was played.
    pub(super) async fn end(self) -> Result<(), VoiceError> {
        match self {
            Self::Command(player) => player.end().await,
            Self::Satellite(spoken) => spoken.end().await,
        }
    }
}

/// A running player program.
#[derive(Debug)]
pub(super) struct Player {
    program: Program,
    format: Format,
    bytes: usize,
    running: Running,
}

impl Player {
    async fn start(program: &Program, format: Format) -> Result<Self, VoiceError> {
        let running = program
            .spawn(program.arguments(), Stdio::null)
            .map_err(|error| program.not_started(VoiceErrorKind::Speech, &error))?;
        let mut player = Self {
            program: program.clone(),
            format,
            bytes: 0,
            running,
        };
        player.write(&wav_header(format)).await?;
        Ok(player)
    }

    async fn more(&mut self, sound: &[u8]) -> Result<(), VoiceError> {
        self.bytes = self.bytes.saturating_add(sound.len());
        self.write(sound).await
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), VoiceError> {
        let Some(stdin) = &mut self.running.child.stdin else {
            return Err(self.failed("it takes nothing"));
        };
        match stdin.write_all(bytes).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn end(mut self: Box<Self>) -> Result<(), VoiceError> {
        let length = Duration::from_millis(self.format.milliseconds(self.bytes));
        // Waiting for the process closes its stdin.
        let waited = timeout(length + AFTERWARDS, self.running.child.wait()).await;
        let status = match waited {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return Err(self.failed(error)),
            Err(_) => return Err(self.failed("it does not end")),
        };
        self.running.is_over = true;
        if status.success() {
            Ok(())
        } else {
            Err(self.failed(status))
        }
    }

    fn failed(&self, detail: impl fmt::Display) -> VoiceError {
        let message = format!("The player `{}` failed", self.program);
        let detail = format!("{message}: {detail}");
        VoiceError::new(VoiceErrorKind::Speech, message).with_detail(detail)
    }
}

/// The header of a WAV file of unknown length: players read until the end of the stream.
fn wav_header(format: Format) -> Vec<u8> {
    let Format {
        rate,
        width,
        channels,
    } = format;
    let frame = width.saturating_mul(channels);
    let mut header = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0".to_vec();
    header.extend(channels.to_le_bytes());
    header.extend(rate.to_le_bytes());
    header.extend(rate.saturating_mul(u32::from(frame)).to_le_bytes());
    header.extend(frame.to_le_bytes());
    header.extend(width.saturating_mul(8).to_le_bytes());
    header.extend(b"data\xff\xff\xff\xff");
    header
}
