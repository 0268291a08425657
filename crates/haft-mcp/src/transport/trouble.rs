//! Records what goes wrong with a child: output that is not a message, and how it exited.
//!
//! This explains why a server did not start, or why a call has no answer.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::transport::lines::MAX_LINE;
use haft_tools::escape_unseen;

/// The maximum length of an invalid line that is shown, in characters.
const MAX_SHOWN: usize = 120;

/// The hint for a server that writes something other than messages.
pub(crate) const STDOUT_HINT: &str =
    "a server writes only MCP messages to stdout: let this one log to stderr";

/// The recorded problems; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble(Arc<Mutex<Noticed>>);

#[derive(Debug, Default)]
struct Noticed {
    /// The first invalid line, as it is shown.
    garbage: Option<String>,
    has_endless_line: bool,
    stage: Stage,
    status: Option<ExitStatus>,
}

/// The progress of a child's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Started, but no message was received.
    #[default]
    Started,
    /// Messages were received, possibly besides other output.
    Speaks,
    /// It has listed its tools, so the start is complete.
    Ready,
}

impl Trouble {
    /// Records a line that is not a message. Only the first one is kept.
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

    pub(crate) fn message(&self) {
        self.reached(Stage::Speaks);
    }

    /// Records that the start is complete.
    pub(crate) fn ready(&self) {
        self.reached(Stage::Ready);
    }

    /// Whether the start is complete.
    pub(crate) fn is_ready(&self) -> bool {
        self.noticed().stage == Stage::Ready
    }

    pub(crate) fn endless_line(&self) {
        self.noticed().has_endless_line = true;
    }

    /// Records the exit of the child.
    pub(crate) fn exited(&self, status: ExitStatus) {
        self.noticed().status = Some(status);
    }

    /// How the child exited, in parentheses; empty if that is unknown.
    pub(crate) fn ending(&self) -> String {
        match self.noticed().status {
            Some(status) => format!(" ({status})"),
            None => String::new(),
        }
    }

    /// The invalid output in place of messages, as the end of a sentence.
    pub(crate) fn with_garbage(&self) -> Option<String> {
        let noticed = self.noticed();
        let garbage = noticed
            .garbage
            .as_ref()
            .filter(|_| noticed.stage < Stage::Speaks)?;
        Some(format!("its stdout is not MCP: \"{garbage}\""))
    }

    /// The endless line that closed the connection, as the end of a sentence.
    pub(crate) fn with_line(&self) -> Option<String> {
        let limit = MAX_LINE / (1024 * 1024);
        self.noticed()
            .has_endless_line
            .then(|| format!("it wrote an endless line to stdout (a message may have {limit} MB)"))
    }

    fn reached(&self, stage: Stage) {
        let mut noticed = self.noticed();
        noticed.stage = noticed.stage.max(stage);
    }

    fn noticed(&self) -> MutexGuard<'_, Noticed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
