//! What is on stdin, read to its end as other commands do it.
//!
//! A pipe that is neither written to nor closed would be waited for silently, so after a
//! moment the user learns what is awaited, and the time limit of the question holds here too.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::bounded::{self, MAX_TEXT};
use crate::failure::Failure;
use crate::trace::{Trace, took};

/// How long to wait before the user is told that input is awaited: most commands have ended by then.
const QUIET: Duration = Duration::from_secs(2);

const WAITING: &str = "waiting for the end of what is piped in; without such a text, ask with \
    < /dev/null";

/// How stdin is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stdin<'a> {
    /// Where it is said that something is awaited.
    pub(crate) trace: &'a Trace,
    /// How long the end of the text may take.
    pub(crate) timeout: Option<Duration>,
}

impl Stdin<'_> {
    /// True where a person types: nothing is read from there unasked.
    pub(crate) fn is_terminal(self) -> bool {
        io::stdin().is_terminal()
    }

    /// All that is there, without a byte order mark and blanks around it; `name` stands for it in
    /// messages.
    pub(crate) fn read(self, name: &'static str) -> Result<String, Failure> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let bytes = bounded::read_all(io::stdin().lock(), MAX_TEXT, name);
            // Whoever gave up waiting does not need it.
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
