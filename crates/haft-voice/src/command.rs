//! Programs that hear and programs that speak.

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

/// Stands for the WAV file among a recogniser's arguments.
const FILE: &str = "{file}";

/// A recogniser as a program, such as `whisper-cli -nt -m model.bin {file}`: it gets the sound as
/// a WAV file, as its last argument or where `{file}` stands, and writes the words on its
/// standard output. Time stamps and remarks such as `[BLANK_AUDIO]` are taken off.
///
/// The program and everything it started are killed when the time is over or nobody waits any
/// more; the file is removed in any case.
#[derive(Clone, Debug)]
pub struct CommandTranscriber {
    program: Program,
    limit: Duration,
}

impl CommandTranscriber {
    /// A recogniser that may take 60 s.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self {
            program,
            limit: Duration::from_secs(60),
        }
    }

    /// The same with another time limit.
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
                let message = format!("The recogniser gave no answer within {seconds} seconds");
                Err(VoiceError::new(VoiceErrorKind::Timeout, message)
                    .with_hint("use a smaller model for speech")
                    .with_detail(self.program.to_string()))
            }
        }
    }
}

/// Away from the runtime's thread: a disk may be slow.
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

/// Speech by a program, such as `espeak-ng --stdin`: it gets one sentence on its standard input
/// and speaks it before it ends. It and everything it started are killed when the answer is cut
/// short.
#[derive(Clone, Debug)]
pub struct CommandSpeech {
    program: Program,
}

impl CommandSpeech {
    /// Speech by this program.
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
