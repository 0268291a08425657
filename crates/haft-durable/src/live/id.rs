//! The ids of events, with which a reader goes on where it was.

use std::fmt;
use std::str::FromStr;

use crate::chunks::ChunkId;
use crate::error::{DurableError, DurableErrorKind};

/// The id of an event: what a reader has seen, up to it.
///
/// ```
/// let id: haft_durable::RunEventId = "0.3.1767225600000.2".parse()?;
/// assert_eq!(id.to_string(), "0.3.1767225600000.2");
/// # Ok::<_, haft_durable::DurableError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunEventId {
    /// The number of the stretch, which tells whether steps were dropped by a retry.
    pub(super) stretch: usize,
    /// The number of steps.
    pub(super) steps: usize,
    pub(super) after: After,
}

/// What a reader has seen after the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// A part of the next reply.
    Text(ChunkId),
    Waiting,
    Ended,
}

impl RunEventId {
    /// Nothing was seen.
    pub(super) const BEGIN: Self = Self {
        stretch: 0,
        steps: 0,
        after: After::Nothing,
    };

    /// Whether nothing followed this event when it was sent.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.after == After::Ended
    }
}

impl fmt::Display for RunEventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.stretch, self.steps)?;
        match self.after {
            After::Nothing => Ok(()),
            After::Text(ChunkId { attempt, number }) => write!(formatter, ".{attempt}.{number}"),
            After::Waiting => formatter.write_str(".waiting"),
            After::Ended => formatter.write_str(".ended"),
        }
    }
}

impl FromStr for RunEventId {
    type Err = DurableError;

    fn from_str(text: &str) -> Result<Self, DurableError> {
        parsed(text).ok_or_else(|| {
            let message = format!("\"{text}\" is not the id of an event of a run");
            let hint = "send the id of the last event that was received, or none";
            DurableError::new(DurableErrorKind::Argument, message, hint)
        })
    }
}

fn parsed(text: &str) -> Option<RunEventId> {
    let parts: Vec<_> = text.split('.').collect();
    let (stretch, steps, after) = match parts.as_slice() {
        [stretch, steps] => (stretch, steps, After::Nothing),
        [stretch, steps, "waiting"] => (stretch, steps, After::Waiting),
        [stretch, steps, "ended"] => (stretch, steps, After::Ended),
        [stretch, steps, attempt, number] => {
            let (attempt, number) = (attempt.parse().ok()?, number.parse().ok()?);
            (stretch, steps, After::Text(ChunkId { attempt, number }))
        }
        _ => return None,
    };
    Some(RunEventId {
        stretch: stretch.parse().ok()?,
        steps: steps.parse().ok()?,
        after,
    })
}

#[cfg(test)]
mod tests;
