//! Why a tool failed, in the words that the model reads.

use std::fmt;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The arguments do not fit the tool's schema. The model can mend this.
    InvalidArguments,
    /// No tool has that name. The model can mend this.
    UnknownTool,
    /// The tool took too long and was stopped.
    Timeout,
    /// The caller gave up before the tool was done.
    Cancelled,
    /// The user or a rule said no.
    Denied,
    /// Whatever stands behind the tool could not be reached.
    Network,
    /// The tool's own code broke.
    Panic,
    /// The tool says that it failed; its message says how.
    Failed,
}

/// A tool's failure.
///
/// Its `Display` is the sentence for the model, which may be spoken aloud: no codes, no
/// addresses. What a log needs stands in [`detail`](Self::detail).
///
/// ```
/// use haft_core::{ToolError, ToolErrorKind};
///
/// let error = ToolError::new("boom");
/// assert_eq!(error.to_string(), "boom");
/// assert_eq!(error.kind(), ToolErrorKind::Failed);
/// ```
#[derive(Clone, Debug)]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    detail: Option<String>,
}

impl ToolError {
    /// A failure that the tool describes itself.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_kind(ToolErrorKind::Failed, message)
    }

    /// A failure of a known kind.
    #[must_use]
    pub fn of_kind(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            detail: None,
        }
    }

    /// The same failure with more for the log.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// The sentence for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What only the log reads; the message where there is nothing more.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as Io;
        let kind = match error.kind() {
            Io::TimedOut => ToolErrorKind::Timeout,
            Io::ConnectionRefused
            | Io::ConnectionReset
            | Io::ConnectionAborted
            | Io::NotConnected
            | Io::BrokenPipe
            | Io::HostUnreachable
            | Io::NetworkUnreachable
            | Io::NetworkDown => ToolErrorKind::Network,
            _ => ToolErrorKind::Failed,
        };
        Self::of_kind(kind, error.to_string())
    }
}
