//! How long and how much a model server may take, with the reason beside each default.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};

/// Bounds on one request to a model server. Where one is exceeded, the reply ends in an error
/// that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From the start of the request to the first byte of a streamed reply; 300 s. A local
    /// server may first have to load tens of gigabytes and read a long prompt on a slow machine.
    pub first_byte: Duration,
    /// From one piece of a reply to the next; 120 s. Even one token a minute keeps within it.
    pub idle: Duration,
    /// From the start of the request to the end of the reply, waits and retries included;
    /// 600 s, as in the clients that the large providers publish.
    pub total: Duration,
    /// Bytes of one reply; 64 MiB. The longest context of today is a few MiB of text.
    pub response_bytes: usize,
    /// Bytes of one line of a stream; 16 MiB, for whole replies with pictures on one line.
    pub line_bytes: usize,
    /// How often a request is sent again after a transient failure; twice.
    pub retries: usize,
    /// The wait before it is first sent again, doubled each time and jittered; 250 ms, which a
    /// person hardly notices and a restarting server often needs.
    pub retry_wait: Duration,
    /// The longest `Retry-After` that is obeyed; 60 s. Who asks for more is not asked again.
    pub retry_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(120),
            total: Duration::from_secs(600),
            response_bytes: 64 << 20,
            line_bytes: 16 << 20,
            retries: 2,
            retry_wait: Duration::from_millis(250),
            retry_after: Duration::from_secs(60),
        }
    }
}

impl Limits {
    /// The same limits with another bound on the whole request; the others never exceed it.
    #[must_use]
    pub fn with_total(mut self, total: Duration) -> Self {
        self.total = total;
        self
    }
}

/// Which time limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    FirstByte,
    Idle,
    Total,
}

impl Limit {
    /// The error for this limit of `after`.
    pub(crate) fn exceeded(self, after: Duration) -> ModelError {
        let after = seconds(after);
        let (message, hint) = match self {
            Self::FirstByte => (
                format!("The model server sent nothing for {after}"),
                "it may be loading the model or reading a long prompt: try again, a smaller \
                 model, or a longer first-byte limit",
            ),
            Self::Idle => (
                format!("The reply stopped in the middle: nothing more came for {after}"),
                "look at the model server's log, or set a longer idle limit",
            ),
            Self::Total => (
                format!("The reply was not complete after {after}"),
                "allow more time with --timeout, or ask for a shorter answer",
            ),
        };
        ModelError::new(ModelErrorKind::Timeout, message).with_hint(hint)
    }
}

/// A duration as people write it: `300 s`, `50 ms`.
pub(crate) fn seconds(duration: Duration) -> String {
    if duration.subsec_millis() == 0 {
        format!("{} s", duration.as_secs())
    } else if duration.as_secs() == 0 {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f32())
    }
}
