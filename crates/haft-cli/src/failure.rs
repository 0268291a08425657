//! The error type of the commands: a sentence, a hint, and an exit code.
//!
//! Errors of the libraries are converted to this type; `main` prints it and exits, and a chat prints
//! it and goes on.

use std::fmt;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
#[cfg(feature = "durable")]
use haft::durable::DurableError;
use haft::eval::EvalError;
use haft::tools::ToolsError;
use haft::voice::VoiceError;
use haft::zwave::ZwaveError;
use haft::{AgentError, ModelError, Outcome};

use crate::output::say;
use crate::text::{plain, without_secrets};

/// The exit code of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "other systems send no such signals")
)]
pub(crate) enum Exit {
    /// All went well.
    Success,
    /// The command failed.
    Failure,
    /// The answer is incomplete, because it reached the token limit.
    Truncated,
    /// Nothing was found out or done: refused, or every call failed.
    NothingDone,
    /// The command line is invalid; equal to the exit code of clap's errors.
    Usage,
    /// Interrupted by Ctrl-C: 128 plus the number of the signal, as in shells.
    Interrupted,
    /// Ended by SIGTERM.
    Terminated,
    /// Ended by Ctrl-\.
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
            Exit::NothingDone => Self::from(4),
            Exit::Interrupted => Self::from(130),
            Exit::Terminated => Self::from(143),
            Exit::Quit => Self::from(131),
            Exit::HungUp => Self::from(129),
        }
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Empty => Self::Failure,
            Outcome::Truncated | Outcome::RoundLimit => Self::Truncated,
            Outcome::Unverified | Outcome::Refused | Outcome::ToolsFailed => Self::NothingDone,
            _ => Self::Success,
        }
    }
}

/// A message for the user with a hint. Secrets in addresses that the user typed are masked.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// One sentence without a full stop.
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

impl Failure {
    /// A failed command.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: without_secrets(&message.into()),
            hint: None,
            exit: Exit::Failure,
        }
    }

    /// An invalid command line.
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

    /// Prints the message and the hint on stderr.
    pub(crate) fn say(&self) {
        const BAD: Style = AnsiColor::Red.on_default().bold();
        const CAUTION: Style = AnsiColor::Yellow.on_default();
        let message = plain(&self.message);
        match self.exit {
            Exit::Interrupted | Exit::Terminated | Exit::Quit | Exit::HungUp => say(message),
            Exit::Success | Exit::Failure | Exit::Truncated | Exit::NothingDone | Exit::Usage => {
                say(format_args!("{BAD}error:{BAD:#} {message}"));
            }
        }
        if let Some(hint) = &self.hint {
            say(format_args!("{CAUTION}hint:{CAUTION:#} {}", plain(hint)));
        }
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

#[cfg(feature = "durable")]
impl From<DurableError> for Failure {
    fn from(error: DurableError) -> Self {
        tracing::debug!(detail = error.detail(), "no run");
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
