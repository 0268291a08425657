//! Timeouts and size limits for model servers, with the reason for each default.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};

/// Limits of one request to a model server. If one is exceeded, the reply ends with an error that
/// names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From the start of the request to the first byte of a streamed reply; 300 s by default. A
    /// local server may have to load tens of gigabytes and process a long prompt on a slow machine.
    pub first_byte: Duration,
    /// Between two pieces of a reply; 60 s by default, enough for two tokens per minute.
    pub idle: Duration,
    /// From the start of the request to the end of the reply, delays and retries included; 600 s by
    /// default, as in the official clients of the large providers.
    pub total: Duration,
    /// The maximum size of a reply in bytes; 64 MiB by default. The longest contexts today are a
    /// few MiB of text.
    pub response_bytes: usize,
    /// The maximum size of one line of a stream in bytes; 16 MiB by default, for whole replies with
    /// images on one line.
    pub line_bytes: usize,
    /// How many times a request is retried after a transient failure; 2 by default.
    pub retries: usize,
    /// The delay before the first retry, doubled for each further one and jittered; 250 ms by
    /// default, which users hardly notice and a restarting server often needs.
    pub retry_wait: Duration,
    /// The longest `Retry-After` that is respected; 60 s by default. If the server asks for more,
    /// the request is not retried.
    pub retry_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(60),
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
    /// Sets the limit of the whole request, and lowers the other timeouts to it.
    #[must_use]
    pub fn with_total(mut self, total: Duration) -> Self {
        self.total = total;
        self
    }
}

/// A time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    FirstByte,
    Idle,
    Total,
}

impl Limit {
    /// The error for a limit exceeded after `after`.
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
                "check the model server's log, or set a longer idle limit",
            ),
            Self::Total => (
                format!("The reply was not complete after {after}"),
                "allow more time with --timeout, or ask for a shorter answer",
            ),
        };
        ModelError::new(ModelErrorKind::Timeout, message).with_hint(hint)
    }
}

/// Formats a duration for messages: `300 s`, `50 ms`.
pub(crate) fn seconds(duration: Duration) -> String {
    if duration.subsec_millis() == 0 {
        format!("{} s", duration.as_secs())
    } else if duration.as_secs() == 0 {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f32())
    }
}
