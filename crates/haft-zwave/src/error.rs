//! Why a home could not be opened, read or changed, in the words that the user reads.
//!
//! What a tool refuses (an unknown name, a switch that cannot dim) is no failure of the home and
//! becomes a [`ToolError`] where it is noticed.

use std::fmt;

use haft_core::ToolError;

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZwaveErrorKind {
    /// The file of the demo home holds something else than a home.
    InvalidFile,
    /// The file of the demo home cannot be read or written.
    Io,
    /// Another process kept the home locked for too long.
    Busy,
    /// The device is no longer there.
    DeviceGone,
    /// The address of a Z-Wave server is none.
    InvalidAddress,
    /// Nothing answers at the address of the Z-Wave server.
    Unreachable,
    /// What answers there is no Z-Wave JS server, or one of another age.
    Incompatible,
    /// The connection to the Z-Wave server broke while it was needed.
    Lost,
    /// The Z-Wave server or a device did not answer in time.
    Timeout,
    /// The Z-Wave server or a device did not do what it was told.
    Refused,
}

/// A home's failure: a sentence for the user, a hint what to do, and details for the log.
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

    /// A device that was there before is not any more.
    pub(crate) fn device_gone(name: &str) -> Self {
        Self::new(
            ZwaveErrorKind::DeviceGone,
            format!("{name} is no longer part of the home."),
            "List the devices to see what there is.",
        )
    }

    /// The same failure with more for the log.
    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> ZwaveErrorKind {
        self.kind
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.hint
    }

    /// What only the log reads; the message where there is nothing more.
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
