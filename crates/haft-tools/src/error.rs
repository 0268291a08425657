//! The error type of this crate: failures to set up tools.
//!
//! A failure while a tool runs is a [`haft_core::ToolError`], which the model reads. The errors
//! here are for the user who configures the tools.

use thiserror::Error;

/// The kind of a setup failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolsErrorKind {
    /// A tool cannot be added to the collection.
    Tool,
    /// A configuration file cannot be read or is invalid.
    Config,
    /// Tools cannot be offered to other programs.
    Served,
}

/// A failure to set up tools: a sentence for the user and a hint about the remedy.
///
/// ```
/// use haft_tools::{ToolsError, ToolsErrorKind};
///
/// let error = ToolsError::new(ToolsErrorKind::Config, ".mcp.json cannot be read")
///     .with_hint("name an existing file");
/// assert_eq!(error.kind(), ToolsErrorKind::Config);
/// assert_eq!(error.hint(), Some("name an existing file"));
/// ```
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct ToolsError {
    kind: ToolsErrorKind,
    message: String,
    hint: Option<String>,
}

impl ToolsError {
    /// A failure of `kind`. `message` is for the user: one sentence without a full stop.
    #[must_use]
    pub fn new(kind: ToolsErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds what the user can do about the failure.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ToolsErrorKind {
        self.kind
    }

    /// What the user can do about it, if known.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}
