//! `--jsonl` on all cores: one thread reads, one per core answers, and one writes.
//!
//! `input` opens the input, `batches` splits it into batches of lines, `line` has what all line
//! formats share; the meaning of a line is up to the command.
//!
//! The answers are in the order of the lines: each batch has a channel for its answers, and the
//! writer waits for the channels in the order of the batches. The amount of unanswered input is
//! limited in bytes.

mod batches;
mod input;
mod line;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use self::batches::{Batch, Batches};
pub(crate) use self::input::{Input, without_mark};
pub(crate) use self::line::{Answers, parse, part};
use crate::args::Verbosity;
use crate::failure::{Exit, Failure};
use crate::text::plain;

/// The maximum length of a line: 100 MiB.
pub(crate) const MAX_LINE: u64 = 100 * 1024 * 1024;

/// The maximum size of unanswered input, in bytes.
const UNDER_WAY: usize = 256 * 1024 * 1024;

/// The size in bytes that a small batch counts as, because its overhead is larger than its text.
const SMALLEST: usize = 64 * 1024;

/// The maximum number of different warnings; after that many, another one does not help.
const WARNINGS: usize = 20;

/// A command's handler for lines.
pub(crate) struct Work<A> {
    pub(crate) answer: A,
    /// Warns the user about a part of a line, such as an unknown name.
    pub(crate) warn: fn(&str, Verbosity),
}

/// A batch for the next free worker, and the channel for its answers.
struct Job {
    batch: Batch,
    answers: Sender<Answers>,
}

/// A batch that the writer waits for.
struct Awaited {
    answers: Receiver<Answers>,
    bytes: usize,
}

/// Answers every line of the input.
pub(crate) fn run<A>(input: Input, work: Work<A>, verbosity: Verbosity) -> Result<Exit, Failure>
where
    A: Fn(&[u8], &mut Answers) + Send + Sync + 'static,
{
    let bar = progress(input.length, verbosity);
    let room = Arc::new(Room::new(UNDER_WAY));
    let (jobs, waiting) = mpsc::channel();
    let waiting = Arc::new(Mutex::new(waiting));
    let Work { answer, warn } = work;
    let answer = Arc::new(answer);
    for _ in 0..thread::available_parallelism().map_or(1, NonZeroUsize::get) {
        let (waiting, answer) = (Arc::clone(&waiting), Arc::clone(&answer));
        thread::spawn(move || answer_batches(&waiting, &*answer));
    }
    let (order, awaited) = mpsc::channel();
    let reader = Reader {
        jobs,
        order,
        room: Arc::clone(&room),
    };
    thread::spawn(move || reader.read(input));
    let mut warned = BTreeSet::new();
    for item in awaited {
        let item: Awaited = item?;
        let answers = item.answers.recv();
        let answers = answers.map_err(|_| {
            Failure::new("A line could not be answered, because of an internal error")
        })?;
        for subject in answers.warn_of {
            if warned.len() < WARNINGS && !warned.contains(&subject) {
                bar.suspend(|| warn(&subject, verbosity));
                warned.insert(subject);
            }
        }
        if !write(&answers.json)? {
            break;
        }
        room.give(item.bytes);
        bar.inc(u64::try_from(item.bytes).unwrap_or_default());
    }
    bar.finish_and_clear();
    Ok(Exit::Success)
}

/// Passes the batches on to the workers.
struct Reader {
    jobs: Sender<Job>,
    order: Sender<Result<Awaited, Failure>>,
    room: Arc<Room>,
}

impl Reader {
    /// Reads until the input ends, or the answers are no longer read.
    fn read(self, input: Input) {
        let max_line = usize::try_from(MAX_LINE).unwrap_or(usize::MAX);
        for batch in Batches::new(input.stream, max_line) {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => {
                    let failure = Failure::new(format!("{} cannot be read: {error}", input.name));
                    // If sending fails, the receiver is gone, and the error has no reader.
                    let _ = self.order.send(Err(failure));
                    return;
                }
            };
            let bytes = match &batch {
                Batch::Lines(text) => text.len() + 1,
                Batch::TooLong => max_line,
            };
            self.room.take(bytes);
            let (answers, awaited) = mpsc::channel();
            let awaited = Awaited {
                answers: awaited,
                bytes,
            };
            if self.order.send(Ok(awaited)).is_err()
                || self.jobs.send(Job { batch, answers }).is_err()
            {
                return;
            }
        }
    }
}

/// Answers batches until the queue is closed.
fn answer_batches(waiting: &Mutex<Receiver<Job>>, answer: &impl Fn(&[u8], &mut Answers)) {
    loop {
        let job = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(Job { batch, answers }) = job else {
            return;
        };
        let mut found = Answers::default();
        match batch {
            Batch::Lines(text) => {
                for line in text.split(|byte| *byte == b'\n') {
                    answer(line, &mut found);
                }
            }
            Batch::TooLong => {
                let megabytes = MAX_LINE / (1024 * 1024);
                let error = format!("The line is longer than {megabytes} MiB");
                found.refuse(&Value::Null, &error);
            }
        }
        // The writer may have ended.
        let _ = answers.send(found);
    }
}

/// Writes complete lines at once. Returns false if the reader has closed the pipe.
fn write(lines: &[u8]) -> Result<bool, Failure> {
    let mut stdout = io::stdout().lock();
    let lines = if stdout.is_terminal() {
        // JSON does not escape all control characters.
        Cow::Owned(plain(&String::from_utf8_lossy(lines)).into_bytes())
    } else {
        Cow::Borrowed(lines)
    };
    match stdout.write_all(&lines).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(format!("stdout cannot be written: {error}"))),
    }
}

/// A progress bar on a terminal, if the length of the input is known and the answers do not go to
/// the same terminal.
fn progress(length: Option<u64>, verbosity: Verbosity) -> ProgressBar {
    match length {
        Some(length) if !verbosity.quiet && !io::stdout().is_terminal() => {
            let bar = ProgressBar::new(length);
            let style = ProgressStyle::with_template("{wide_bar} {percent}% {bytes_per_sec} {eta}");
            match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }
        _ => ProgressBar::hidden(),
    }
}

/// The remaining size of input that may be read.
struct Room {
    capacity: usize,
    taken: Mutex<usize>,
    given: Condvar,
}

impl Room {
    fn new(capacity: usize) -> Self {
        Self {
            capacity,
            taken: Mutex::new(0),
            given: Condvar::new(),
        }
    }

    /// Waits until the batch is within the limit. A single batch is always allowed.
    fn take(&self, bytes: usize) {
        let bytes = bytes.max(SMALLEST);
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |taken: &mut usize| *taken > 0 && *taken + bytes > self.capacity;
        let taken = self.given.wait_while(taken, full);
        *taken.unwrap_or_else(PoisonError::into_inner) += bytes;
    }

    fn give(&self, bytes: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken -= bytes.max(SMALLEST);
        self.given.notify_one();
    }
}

#[cfg(test)]
mod tests;
