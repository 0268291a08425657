//! Reads stdin to its end.
//!
//! A pipe that is neither written to nor closed would block silently, so after a moment a hint says
//! what is awaited, and the time limit of the question applies here too.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::bounded::{self, MAX_TEXT};
use crate::failure::Failure;
use crate::trace::{Trace, took};

/// How long to wait before the hint: most commands have written their output by then.
const QUIET: Duration = Duration::from_secs(2);

const WAITING: &str = "waiting for the end of what is piped in; without such a text, ask with \
    < /dev/null";

/// How to read stdin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stdin<'a> {
    /// Where the hint is shown.
    pub(crate) trace: &'a Trace,
    /// The time limit of reading.
    pub(crate) timeout: Option<Duration>,
}

impl Stdin<'_> {
    /// True for a terminal, which is only read on request.
    pub(crate) fn is_terminal(self) -> bool {
        io::stdin().is_terminal()
    }

    /// Reads everything, without a byte order mark and surrounding white space; `name` names it in
    /// messages.
    pub(crate) fn read(self, name: &'static str) -> Result<String, Failure> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let bytes = bounded::read_all(io::stdin().lock(), MAX_TEXT, name);
            // The receiver may have given up.
            let _ = sender.send(bytes);
        });
        let bytes = self.wait(&receiver, name)??;
        bounded::text_of(bytes, name).map(|text| text.trim().to_owned())
    }

    fn wait<T>(self, receiver: &Receiver<T>, name: &str) -> Result<T, Failure> {
        let given_up = |limit: Duration| {
            Failure::new(format!("{name} did not end within {}", took(limit)))
                .with_hint("close stdin, or ask with < /dev/null")
        };
        let lost = |_| Failure::new(format!("{name} cannot be read"));
        let quiet = self.timeout.map_or(QUIET, |limit| limit.min(QUIET));
        match receiver.recv_timeout(quiet) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => return receiver.recv().map_err(lost),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Some(limit) = self.timeout else {
            self.trace.hint(WAITING);
            return receiver.recv().map_err(lost);
        };
        let rest = limit.saturating_sub(quiet);
        if !rest.is_zero() {
            self.trace.hint(WAITING);
        }
        receiver.recv_timeout(rest).map_err(|_| given_up(limit))
    }
}
