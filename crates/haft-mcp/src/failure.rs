//! Why a server could not be used, as a sentence and a hint for the user who configured it.

use std::fmt;

use crate::text::bounded;

/// A server that could not be used, and the reason. The program continues with the other servers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpFailure {
    /// The server's name in the configuration.
    pub server: String,
    /// The reason, in one sentence without a full stop.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl McpFailure {
    pub(crate) fn of(server: &str, problem: Problem) -> Self {
        Self {
            server: server.to_owned(),
            message: problem.message,
            hint: problem.hint,
        }
    }
}

impl fmt::Display for McpFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MCP server {:?}: {}", self.server, self.message)
    }
}

/// A failure whose server is added by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Whether another attempt may succeed.
    pub(crate) may_pass: bool,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: bounded(&message.into()),
            hint: None,
            may_pass: false,
        }
    }

    pub(crate) fn that_may_pass(mut self) -> Self {
        self.may_pass = true;
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
