//! What is wrong with a child: what it wrote that is no message, and how it ended.
//!
//! It explains why a server did not start, or why a call has no answer.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::transport::lines::MAX_LINE;
use haft_tools::escape_unseen;

/// Of a line that is no message, in characters.
const MAX_SHOWN: usize = 120;

/// What to do about a server that writes other things than messages.
pub(crate) const STDOUT_HINT: &str =
    "a server writes only MCP messages to stdout: let this one log to stderr";

/// What was noticed so far; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble(Arc<Mutex<Noticed>>);

#[derive(Debug, Default)]
struct Noticed {
    /// The first line that was no message, as it is shown.
    garbage: Option<String>,
    has_endless_line: bool,
    stage: Stage,
    status: Option<ExitStatus>,
}

/// How far a child has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// It was started, and no message has come from it.
    #[default]
    Started,
    /// It speaks the protocol, whatever else it says.
    Speaks,
    /// It has listed its tools: it is no longer starting.
    Ready,
}

impl Trouble {
    /// A line that is no message. Only the first one is kept.
    pub(crate) fn garbage(&self, line: &[u8]) {
        let mut noticed = self.noticed();
        if noticed.garbage.is_none() && !line.trim_ascii().is_empty() {
            let text = String::from_utf8_lossy(line);
            let mut shown: String = text.trim().chars().take(MAX_SHOWN + 1).collect();
            if shown.chars().count() > MAX_SHOWN {
                shown.pop();
                shown.push('…');
            }
            noticed.garbage = Some(escape_unseen(&shown));
        }
    }

    /// A line that is a message.
    pub(crate) fn message(&self) {
        self.reached(Stage::Speaks);
    }

    /// The child has started.
    pub(crate) fn ready(&self) {
        self.reached(Stage::Ready);
    }

    /// Whether the child has started.
    pub(crate) fn is_ready(&self) -> bool {
        self.noticed().stage == Stage::Ready
    }

    /// A line that goes on beyond every limit.
    pub(crate) fn endless_line(&self) {
        self.noticed().has_endless_line = true;
    }

    /// The child has ended.
    pub(crate) fn exited(&self, status: ExitStatus) {
        self.noticed().status = Some(status);
    }

    /// How the child ended, in parentheses; empty where that is not known.
    pub(crate) fn ending(&self) -> String {
        match self.noticed().status {
            Some(status) => format!(" ({status})"),
            None => String::new(),
        }
    }

    /// The garbage that came in place of messages, to go on a sentence with.
    pub(crate) fn with_garbage(&self) -> Option<String> {
        let noticed = self.noticed();
        let garbage = noticed
            .garbage
            .as_ref()
            .filter(|_| noticed.stage < Stage::Speaks)?;
        Some(format!("its stdout is not MCP: \"{garbage}\""))
    }

    /// The line without end that cut the connection, likewise.
    pub(crate) fn with_line(&self) -> Option<String> {
        let limit = MAX_LINE / (1024 * 1024);
        self.noticed().has_endless_line.then(|| {
            format!("it wrote a line without end to stdout (a message may have {limit} MB)")
        })
    }

    fn reached(&self, stage: Stage) {
        let mut noticed = self.noticed();
        noticed.stage = noticed.stage.max(stage);
    }

    fn noticed(&self) -> MutexGuard<'_, Noticed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
