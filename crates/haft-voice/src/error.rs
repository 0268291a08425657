//! The error type of this crate.

use thiserror::Error;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoiceErrorKind {
    /// The audio cannot be read, or is too long.
    Audio,
    /// Speech-to-text cannot be reached, failed, or returned an unreadable transcript.
    Transcription,
    /// The answer could not be spoken.
    Speech,
    /// A timeout expired.
    Timeout,
    /// The queue is full; the utterance was dropped.
    Full,
    /// The service has ended.
    Closed,
    /// The configuration is invalid.
    Configuration,
    /// A peer violated the protocol, or the connection was lost.
    Protocol,
    /// The model gave no answer.
    Agent,
}

/// A voice error: a message and a hint for the user, and details for the log.
///
/// ```
/// use haft_voice::{VoiceError, VoiceErrorKind};
///
/// let error = VoiceError::new(VoiceErrorKind::Transcription, "Speech-to-text failed")
///     .with_hint("see whether it runs")
///     .with_detail("exit status 3");
/// assert_eq!(error.kind(), VoiceErrorKind::Transcription);
/// assert_eq!(error.to_string(), "Speech-to-text failed");
/// assert_eq!(error.detail(), "exit status 3");
/// ```
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct VoiceError {
    kind: VoiceErrorKind,
    message: String,
    hint: Option<String>,
    detail: Option<String>,
}

impl VoiceError {
    /// An error of `kind`; `message` is one sentence without a full stop.
    #[must_use]
    pub fn new(kind: VoiceErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            detail: None,
        }
    }

    /// Adds a hint that says how the user can fix the problem.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds details for the log.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn of_kind(self, kind: VoiceErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> VoiceErrorKind {
        self.kind
    }

    /// The hint that says how the user can fix the problem.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }

    /// The spoken version of the error, without numbers and addresses.
    #[must_use]
    pub fn spoken(&self) -> &'static str {
        match self.kind {
            VoiceErrorKind::Audio | VoiceErrorKind::Transcription => {
                "Sorry, I could not understand that. Please say it again."
            }
            VoiceErrorKind::Timeout => "Sorry, that took too long. Please try again.",
            VoiceErrorKind::Full => "Sorry, too much is waiting. Please try again in a moment.",
            VoiceErrorKind::Agent => "Sorry, I cannot answer right now. Please try again later.",
            VoiceErrorKind::Speech
            | VoiceErrorKind::Closed
            | VoiceErrorKind::Configuration
            | VoiceErrorKind::Protocol => "Sorry, something went wrong with the voice service.",
        }
    }
}

impl From<haft_agent::AgentError> for VoiceError {
    fn from(error: haft_agent::AgentError) -> Self {
        let kind = match error.kind() {
            haft_agent::AgentErrorKind::Timeout => VoiceErrorKind::Timeout,
            haft_agent::AgentErrorKind::Configuration => VoiceErrorKind::Configuration,
            _ => VoiceErrorKind::Agent,
        };
        Self {
            kind,
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            detail: Some(error.detail().to_owned()),
        }
    }
}
