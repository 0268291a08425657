//! The error type of this crate: a gateway could not be started, or its keys not be changed.

use haft_core::ModelError;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GatewayErrorKind {
    /// The options are invalid.
    Configuration,
    /// The address is not permitted or already in use.
    Listen,
    /// No model server can be used.
    Upstream,
    /// The keys cannot be read or changed.
    Keys,
}

/// A gateway could not be started, or its keys not be changed: a sentence for the user and a hint about the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct GatewayError {
    kind: GatewayErrorKind,
    message: String,
    hint: Option<String>,
}

impl GatewayError {
    pub(crate) fn new(kind: GatewayErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> GatewayErrorKind {
        self.kind
    }

    /// What the user can do about it, if known.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<ModelError> for GatewayError {
    fn from(error: ModelError) -> Self {
        Self {
            kind: GatewayErrorKind::Upstream,
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
        }
    }
}
