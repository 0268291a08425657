//! The error of an agent: a question without an answer.

use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind};
use haft_tools::{CallUnderWay, ToolsError, ToolsErrorKind};
use thiserror::Error;

/// The kind of an agent's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentErrorKind {
    /// The model gave no reply.
    Model(ModelErrorKind),
    /// The tools could not be set up.
    Tools(ToolsErrorKind),
    /// An option is invalid.
    Configuration,
    /// The time limit of the question was reached.
    Timeout,
    /// The store of attempts cannot be read or written.
    #[cfg(feature = "store")]
    Store,
    /// The answer does not follow the requested schema.
    StructuredOutput,
}

/// The failure of a question: a message and a hint for the user, and details for the log.
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct AgentError {
    kind: AgentErrorKind,
    message: String,
    hint: Option<String>,
    detail: Option<String>,
    retry_after: Option<Duration>,
    under_way: Vec<CallUnderWay>,
}

impl AgentError {
    pub(crate) fn new(kind: AgentErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            detail: None,
            retry_after: None,
            under_way: Vec::new(),
        }
    }

    /// The time limit was reached while these calls were running.
    pub(crate) fn late(limit: Duration, under_way: Vec<CallUnderWay>) -> Self {
        let seconds = limit.as_secs_f64();
        let mut message = format!("There was no answer within {seconds} seconds");
        for call in &under_way {
            message = format!("{message}; {call}");
        }
        Self {
            under_way,
            ..Self::new(AgentErrorKind::Timeout, message)
                .with_hint("allow more time, or ask a smaller model")
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> AgentErrorKind {
        self.kind
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The time that the model server asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The calls that were running when the time limit was reached; the message names them.
    #[must_use]
    pub fn under_way(&self) -> &[CallUnderWay] {
        &self.under_way
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

impl From<ModelError> for AgentError {
    fn from(error: ModelError) -> Self {
        Self {
            kind: AgentErrorKind::Model(error.kind()),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            detail: Some(error.detail().to_owned()),
            retry_after: error.retry_after(),
            under_way: Vec::new(),
        }
    }
}

impl From<ToolsError> for AgentError {
    fn from(error: ToolsError) -> Self {
        Self {
            kind: AgentErrorKind::Tools(error.kind()),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            detail: None,
            retry_after: None,
            under_way: Vec::new(),
        }
    }
}
