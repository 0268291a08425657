//! Speech-to-text and text-to-speech by external programs.

use std::io;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use crate::error::{VoiceError, VoiceErrorKind};
use crate::pcm::Pcm;
use crate::program::Program;
use crate::temporary::TemporaryFile;
use crate::transcriber::{Speech, Transcriber};
use crate::transcript::words_of;

/// The placeholder for the WAV file in the arguments.
const FILE: &str = "{file}";

/// A speech-to-text program, such as `whisper-cli -nt -m model.bin {file}`. It gets a WAV file as
/// its last argument or in place of `{file}`, and writes the transcript to stdout. Time stamps and
/// annotations such as `[BLANK_AUDIO]` are removed.
///
/// The program and its children are killed at the timeout or when the future is dropped; the file
/// is always removed.
#[derive(Clone, Debug)]
pub struct CommandTranscriber {
    program: Program,
    limit: Duration,
}

impl CommandTranscriber {
    /// A speech-to-text program with a timeout of 60 s.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self {
            program,
            limit: Duration::from_secs(60),
        }
    }

    /// Sets the timeout.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    fn arguments(&self, file: &str) -> Vec<String> {
        let arguments = self.program.arguments();
        let mut given: Vec<String> = arguments
            .iter()
            .map(|argument| argument.replace(FILE, file))
            .collect();
        if !arguments.iter().any(|argument| argument.contains(FILE)) {
            given.push(file.to_owned());
        }
        given
    }
}

#[async_trait]
impl Transcriber for CommandTranscriber {
    async fn transcribe(&self, audio: &Pcm) -> Result<String, VoiceError> {
        let file = written(audio.to_wav()).await?;
        let arguments = self.arguments(&file.path().to_string_lossy());
        let kind = VoiceErrorKind::Transcription;
        let running = self.program.run(arguments, Vec::new(), kind);
        match timeout(self.limit, running).await {
            Ok(said) => said.map(|said| words_of(&said)),
            Err(_) => {
                let seconds = self.limit.as_secs_f64();
                let message = format!("Speech-to-text gave no answer within {seconds} seconds");
                Err(VoiceError::new(VoiceErrorKind::Timeout, message)
                    .with_hint("use a smaller speech-to-text model")
                    .with_detail(self.program.to_string()))
            }
        }
    }
}

/// Runs on a blocking thread, because a disk may be slow.
async fn written(content: Vec<u8>) -> Result<TemporaryFile, VoiceError> {
    let written = tokio::task::spawn_blocking(move || TemporaryFile::with(&content, "wav")).await;
    written
        .map_err(io::Error::other)
        .flatten()
        .map_err(|error| {
            let message = "The audio could not be written to a temporary file";
            VoiceError::new(VoiceErrorKind::Audio, message)
                .with_hint("make room in the folder for temporary files, or set TMPDIR")
                .with_detail(error.to_string())
        })
}

/// A text-to-speech program, such as `espeak-ng --stdin`: it reads one sentence from its standard
/// input, speaks it and exits. The program and its children are killed when the answer is
/// cancelled.
#[derive(Clone, Debug)]
pub struct CommandSpeech {
    program: Program,
}

impl CommandSpeech {
    /// Text-to-speech with this program.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program }
    }
}

#[async_trait]
impl Speech for CommandSpeech {
    async fn speak(&self, sentence: &str) -> Result<(), VoiceError> {
        let input = format!("{sentence}\n").into_bytes();
        let program = &self.program;
        let running = program.run(program.arguments(), input, VoiceErrorKind::Speech);
        running.await.map(drop)
    }
}
