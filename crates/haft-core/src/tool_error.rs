//! The error of a tool, with a message for the model.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kind of a tool's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The arguments do not fit the tool's schema. The model can repair this.
    InvalidArguments,
    /// No tool has that name. The model can repair this.
    UnknownTool,
    /// The tool took too long and was stopped.
    Timeout,
    /// The caller cancelled the call.
    Cancelled,
    /// The user or a rule denied the call.
    Denied,
    /// A device or service that the tool needs is not reachable.
    Network,
    /// The tool's code panicked.
    Panic,
    /// The tool reported a failure; its message describes it.
    Failed,
}

/// A tool's failure.
///
/// Its `Display` is the sentence for the model, which may be spoken aloud: no codes, no
/// addresses. [`detail`](Self::detail) has the text for the log.
///
/// ```
/// use haft_core::{ToolError, ToolErrorKind};
///
/// let error = ToolError::new("boom");
/// assert_eq!(error.to_string(), "boom");
/// assert_eq!(error.kind(), ToolErrorKind::Failed);
/// ```
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    detail: Option<String>,
}

impl ToolError {
    /// An error of the kind [`ToolErrorKind::Failed`].
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_kind(ToolErrorKind::Failed, message)
    }

    /// An error of the given kind.
    #[must_use]
    pub fn of_kind(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            detail: None,
        }
    }

    /// Adds details for the log.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// The message for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

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
