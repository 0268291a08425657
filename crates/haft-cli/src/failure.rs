//! Why a command did not do what it was asked: a sentence, a hint, an exit code.
//!
//! The libraries' errors become this one here; `main` prints it and ends the process.

use std::fmt;
use std::process::ExitCode;

use haft::eval::EvalError;
use haft::tools::ToolsError;
use haft::voice::VoiceError;
use haft::zwave::ZwaveError;
use haft::{AgentError, ModelError};

use crate::text::without_secrets;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Success,
    /// It was tried, and did not work.
    Failure,
    /// There is an answer, but only its beginning: the limit on tokens cut it.
    Truncated,
    /// It could not be tried as it was asked; the code of clap's own errors.
    Usage,
    /// Ctrl-C: 128 and the number of the signal, as shells do it.
    Interrupted,
    /// Another request to end.
    Terminated,
    /// Ctrl-\.
    Quit,
    /// The terminal was closed.
    HungUp,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Failure => Self::FAILURE,
            Exit::Usage => Self::from(2),
            Exit::Truncated => Self::from(3),
            Exit::Interrupted => Self::from(130),
            Exit::Terminated => Self::from(143),
            Exit::Quit => Self::from(131),
            Exit::HungUp => Self::from(129),
        }
    }
}

/// What went wrong and what to do about it, without the secrets in addresses that were typed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// One sentence without a full stop.
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

impl Failure {
    /// Something was tried and did not work.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: without_secrets(&message.into()),
            hint: None,
            exit: Exit::Failure,
        }
    }

    /// The command makes no sense as it was given.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            ..Self::new(message)
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(without_secrets(&hint.into()));
        self
    }

    fn of(error: &impl fmt::Display, hint: Option<&str>) -> Self {
        Self {
            hint: hint.map(without_secrets),
            ..Self::new(error.to_string())
        }
    }
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        tracing::debug!(detail = error.detail(), "no answer");
        Self::of(&error, error.hint())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        tracing::debug!(detail = error.detail(), "no model");
        Self::of(&error, error.hint())
    }
}

impl From<ToolsError> for Failure {
    fn from(error: ToolsError) -> Self {
        Self::of(&error, error.hint())
    }
}

impl From<ZwaveError> for Failure {
    fn from(error: ZwaveError) -> Self {
        Self::of(&error, Some(error.hint()))
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self::of(&error, error.hint())
    }
}

impl From<VoiceError> for Failure {
    fn from(error: VoiceError) -> Self {
        tracing::debug!(detail = error.detail(), "no voice");
        Self::of(&error, error.hint())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
