//! The one error type of this crate: what keeps speech from becoming an answer, or an answer
//! from being heard.

use std::fmt;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoiceErrorKind {
    /// The audio cannot be read, or is longer than anybody speaks.
    Audio,
    /// The recogniser cannot be reached, failed, or wrote what nobody can read.
    Transcription,
    /// The answer is there, and could not be spoken.
    Speech,
    /// Somebody took longer than they may.
    Timeout,
    /// More is waiting than may wait: the utterance was not taken.
    Full,
    /// The service has ended.
    Closed,
    /// What was configured makes no sense.
    Configuration,
    /// A partner on a wire broke its rules, or the line broke.
    Protocol,
    /// The model gave no answer.
    Agent,
}

/// A failure of speech: a sentence for the user, a hint what to do, and details for the log.
///
/// ```
/// use haft_voice::{VoiceError, VoiceErrorKind};
///
/// let error = VoiceError::new(VoiceErrorKind::Transcription, "The recogniser failed")
///     .with_hint("see whether it runs")
///     .with_detail("exit status 3");
/// assert_eq!(error.kind(), VoiceErrorKind::Transcription);
/// assert_eq!(error.to_string(), "The recogniser failed");
/// assert_eq!(error.detail(), "exit status 3");
/// ```
#[derive(Clone, Debug)]
pub struct VoiceError {
    kind: VoiceErrorKind,
    message: String,
    hint: Option<String>,
    detail: Option<String>,
}

impl VoiceError {
    /// A failure of `kind`, told to the user as `message` (one sentence, no full stop).
    #[must_use]
    pub fn new(kind: VoiceErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            detail: None,
        }
    }

    /// The same failure with what the user can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure with what only the log reads.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn of_kind(self, kind: VoiceErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> VoiceErrorKind {
        self.kind
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// What only the log reads; the message where there is nothing more.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }

    /// What is said aloud about it: no numbers, no addresses, and what to do.
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

impl fmt::Display for VoiceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for VoiceError {}

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
