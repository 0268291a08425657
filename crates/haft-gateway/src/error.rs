//! Why a gateway did not start.

use haft_core::ModelError;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GatewayErrorKind {
    /// The options make no sense.
    Configuration,
    /// Nobody may listen at the address, or somebody does already.
    Listen,
    /// No model server can be used.
    Upstream,
}

/// A gateway that did not start: a sentence for the user and a hint what to do.
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

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> GatewayErrorKind {
        self.kind
    }

    /// What the user can do about it.
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
