//! The sources of utterances: WAV files, folders of them, or lines on stdin.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use haft::voice::{Pcm, Utterance};
use tokio::sync::mpsc;

use crate::args::ListenArgs;
use crate::bounded::{read_bytes, text_of};
use crate::failure::Failure;
use crate::output::say;

/// The maximum size of a file in bytes: five minutes of audio in studio quality.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// The maximum length of a line in bytes, without its line end.
const MAX_LINE: u64 = 10_000;

/// One utterance, or the error why it cannot be read.
pub(super) struct Said {
    /// The file, for programs; `None` for a line.
    pub(super) file: Option<String>,
    pub(super) utterance: Result<Utterance, Failure>,
}

/// Where utterances come from.
#[derive(Debug)]
pub(super) enum Source {
    Files(std::vec::IntoIter<PathBuf>),
    Lines(mpsc::Receiver<Result<String, Failure>>),
    Satellite(mpsc::Receiver<Pcm>),
}

impl Source {
    /// Opens the sources. A folder means the WAV files in it, sorted by name.
    pub(super) fn open(arguments: &ListenArgs) -> Result<Self, Failure> {
        if arguments.text {
            return Ok(Self::Lines(lines()));
        }
        let mut files = Vec::new();
        for path in &arguments.paths {
            if path.is_dir() {
                files.extend(recordings(path)?);
            } else if path.exists() {
                files.push(path.clone());
            } else {
                let message = format!("There is no file {}", path.display());
                return Err(Failure::usage(message).with_hint("name WAV files or a folder"));
            }
        }
        Ok(Self::Files(files.into_iter()))
    }

    /// The next utterance.
    pub(super) async fn next(&mut self) -> Option<Said> {
        match self {
            Self::Files(files) => {
                let path = files.next()?;
                let read = tokio::task::spawn_blocking({
                    let path = path.clone();
                    move || sound(&path)
                });
                let read = read.await.map_err(io::Error::other);
                Some(Said {
                    file: Some(path.display().to_string()),
                    utterance: read.map_err(Failure::from).flatten().map(Utterance::Audio),
                })
            }
            Self::Satellite(heard) => Some(Said {
                file: None,
                utterance: Ok(Utterance::Audio(heard.recv().await?)),
            }),
            Self::Lines(lines) => Some(Said {
                file: None,
                utterance: lines.recv().await?.map(Utterance::Text),
            }),
        }
    }
}

fn sound(path: &Path) -> Result<Pcm, Failure> {
    let bytes = read_bytes(path, MAX_FILE)?;
    Pcm::from_wav(&bytes).map_err(|error| {
        let failure = Failure::from(error);
        Failure {
            message: format!("{}: {}", path.display(), failure.message),
            ..failure
        }
    })
}

fn recordings(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = folder.display();
    let unreadable =
        |error: io::Error| Failure::new(format!("The folder {name} cannot be read: {error}"));
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_wav = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("wav"));
        if is_wav && path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        let message = format!("There are no WAV files in the folder {name}");
        return Err(Failure::usage(message).with_hint("name a folder with files that end in .wav"));
    }
    files.sort();
    Ok(files)
}

/// The lines of stdin, read by a thread, so that no other task waits for the user.
fn lines() -> mpsc::Receiver<Result<String, Failure>> {
    let (sender, lines) = mpsc::channel(1);
    if io::stdin().is_terminal() {
        say("Say something, a line each; Ctrl-D ends.");
    }
    std::thread::spawn(move || {
        let mut lines = Lines::new(BufReader::new(io::stdin()));
        while let Some(line) = lines.next() {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Non-empty lines, each as one utterance or one error.
struct Lines<I> {
    input: I,
    /// The number of lines read, empty ones included.
    number: u64,
    is_over: bool,
}

impl<I: BufRead> Lines<I> {
    fn new(input: I) -> Self {
        Self {
            input,
            number: 0,
            is_over: false,
        }
    }

    fn next(&mut self) -> Option<Result<String, Failure>> {
        while !self.is_over {
            match self.line() {
                Ok(Some(line)) if line.is_empty() => {}
                Ok(Some(line)) => return Some(Ok(line)),
                Ok(None) => self.is_over = true,
                Err(failure) => return Some(Err(failure)),
            }
        }
        None
    }

    /// The next line; `None` at the end. A line that is too long is an error as a whole, because a
    /// part of it might mean something else.
    fn line(&mut self) -> Result<Option<String>, Failure> {
        let mut bytes = Vec::new();
        let mut input = self.input.by_ref().take(MAX_LINE + 1);
        let read = input.read_until(b'\n', &mut bytes);
        if self.checked(read)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > MAX_LINE && !bytes.ends_with(b"\n") {
            let skipped = self.input.skip_until(b'\n');
            self.checked(skipped)?;
            let message = format!(
                "Line {number} on stdin has more than {MAX_LINE} bytes, and nothing of it was done"
            );
            return Err(Failure::new(message).with_hint("say it in shorter lines"));
        }
        let text = text_of(bytes, &format!("Line {number} on stdin"))?;
        Ok(Some(text.trim().to_owned()))
    }

    /// Checks the result of a read. After an error the input ends.
    fn checked<T>(&mut self, read: io::Result<T>) -> Result<T, Failure> {
        read.map_err(|error| {
            self.is_over = true;
            Failure::new(format!("stdin cannot be read: {error}"))
        })
    }
}

#[cfg(test)]
mod tests;
