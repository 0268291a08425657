//! The error type of this crate: a home cannot be opened, read or changed.
//!
//! A request that a tool refuses (an unknown name, a switch that cannot be dimmed) is not a failure
//! of the home; the tool returns a [`ToolError`] for it.

use std::fmt;

use haft_core::ToolError;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZwaveErrorKind {
    /// The file does not describe a demo home.
    InvalidFile,
    /// The file of the demo home cannot be read or written.
    Io,
    /// Another process held the lock of the demo home for too long.
    Busy,
    /// The device no longer exists.
    DeviceGone,
    /// The address of the Z-Wave server is invalid.
    InvalidAddress,
    /// The Z-Wave server cannot be reached.
    Unreachable,
    /// The server is not a Z-Wave JS server, or its API version is not supported.
    Incompatible,
    /// The connection to the Z-Wave server was lost during a call.
    Lost,
    /// The Z-Wave server or a device did not answer in time.
    Timeout,
    /// The Z-Wave server or a device refused the command.
    Refused,
    /// The answer of the Z-Wave server cannot be parsed. Whether a command was executed is
    /// unknown.
    Unclear,
}

/// A home error: a message and a hint for the user, and details for the log.
///
/// ```
/// use haft_zwave::{Home, ZwaveErrorKind};
///
/// let error = Home::demo_file("/no/such/folder/home.json").unwrap_err();
/// assert_eq!(error.kind(), ZwaveErrorKind::Io);
/// assert!(error.to_string().contains("/no/such/folder/home.json"));
/// assert_eq!(error.hint(), "Check that the folder exists and that you may write to it.");
/// ```
#[derive(Clone, Debug)]
pub struct ZwaveError {
    kind: ZwaveErrorKind,
    message: String,
    hint: &'static str,
    detail: Option<String>,
}

impl ZwaveError {
    /// A failure of `kind`; both `message` and `hint` are whole sentences.
    pub(crate) fn new(
        kind: ZwaveErrorKind,
        message: impl Into<String>,
        hint: &'static str,
    ) -> Self {
        Self {
            kind,
            message: message.into(),
            hint,
            detail: None,
        }
    }

    /// An error for a device that no longer exists.
    pub(crate) fn device_gone(name: &str) -> Self {
        Self::new(
            ZwaveErrorKind::DeviceGone,
            format!("{name} is no longer part of the home."),
            "List the devices to see what there is.",
        )
    }

    /// Adds details for the log.
    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ZwaveErrorKind {
        self.kind
    }

    /// The hint that says how the user can fix the problem.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.hint
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

impl fmt::Display for ZwaveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ZwaveError {}

impl From<ZwaveError> for ToolError {
    fn from(error: ZwaveError) -> Self {
        Self::new(format!("{} {}", error.message, error.hint)).with_detail(error.detail())
    }
}
