//! What is said: WAV files, folders of them, or lines on stdin.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use haft::voice::{Pcm, Utterance};
use tokio::sync::mpsc;

use crate::args::ListenArgs;
use crate::bounded::read_bytes;
use crate::failure::Failure;

/// In bytes: five minutes of sound as studios record it.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// In bytes: nobody says as much in one breath.
const MAX_LINE: u64 = 10_000;

/// One thing that was said, or why it cannot be read.
pub(super) struct Said {
    /// Where it comes from, for programs; nothing for a line.
    pub(super) file: Option<String>,
    pub(super) utterance: Result<Utterance, Failure>,
}

/// Where it comes from.
#[derive(Debug)]
pub(super) enum Source {
    Files(std::vec::IntoIter<PathBuf>),
    Lines(mpsc::Receiver<Result<String, Failure>>),
    Satellite(mpsc::Receiver<Pcm>),
}

impl Source {
    /// Finds what there is. A folder stands for the WAV files in it, by name.
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

    /// What was said next.
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

/// The lines of stdin, read by a thread: nobody else waits while a person thinks.
fn lines() -> mpsc::Receiver<Result<String, Failure>> {
    let (sender, lines) = mpsc::channel(1);
    if io::stdin().is_terminal() {
        anstream::eprintln!("Say something, a line each; Ctrl-D ends.");
    }
    std::thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let line = match line(&mut input) {
                Ok(Some(line)) => Ok(line),
                Ok(None) => return,
                Err(error) => Err(Failure::new(format!("stdin cannot be read: {error}"))),
            };
            let is_over = line.is_err();
            if sender.blocking_send(line).is_err() || is_over {
                return;
            }
        }
    });
    lines
}

/// The next line that is not blank; what is beyond the limit becomes a line of its own.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    loop {
        let mut bytes = Vec::new();
        if input
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut bytes)?
            == 0
        {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() {
            return Ok(Some(text.to_owned()));
        }
    }
}
