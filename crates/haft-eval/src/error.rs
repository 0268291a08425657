//! The error type of this crate.

use std::fmt;

use haft_agent::AgentError;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// The dataset cannot be read.
    Dataset,
    /// The run file cannot be read or written, or belongs to another run.
    RunFile,
    /// The model's name is invalid.
    Model,
    /// The model cannot be reached, so only the connection would be measured.
    Agent,
}

/// An evaluation error: a message and a hint for the user.
#[derive(Clone, Debug)]
pub struct EvalError {
    kind: EvalErrorKind,
    message: String,
    hint: Option<String>,
}

impl EvalError {
    pub(crate) fn new(kind: EvalErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn dataset(message: impl Into<String>) -> Self {
        Self::new(EvalErrorKind::Dataset, message)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> EvalErrorKind {
        self.kind
    }

    /// A hint that says how the user can fix the problem.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}

impl From<AgentError> for EvalError {
    fn from(error: AgentError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self {
            hint,
            ..Self::new(EvalErrorKind::Agent, error.to_string())
        }
    }
}
