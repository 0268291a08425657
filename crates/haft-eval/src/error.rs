//! Why a measurement could not be made.

use std::fmt;

use haft_agent::AgentError;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// The questions cannot be read.
    Dataset,
    /// The file with the results cannot be read or written, or belongs to another run.
    RunFile,
    /// The model's name makes no sense.
    Model,
    /// The model cannot be asked at all: what would be measured is the connection.
    Agent,
}

/// Why a measurement could not be made: a sentence and a hint what to do.
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

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> EvalErrorKind {
        self.kind
    }

    /// What the user can do about it.
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
