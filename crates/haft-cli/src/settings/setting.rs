//! A setting: a value and where it comes from.

use std::fmt;
use std::path::PathBuf;

use haft::tools::ApprovalMode;

use super::environment::environment;

/// A value and its source.
#[derive(Clone, Debug)]
pub(crate) struct Setting<T> {
    pub(crate) value: Option<T>,
    pub(crate) source: Source,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The default.
    Default,
    /// A flag.
    Flag(&'static str),
    /// An environment variable.
    Environment(&'static str),
    /// A file.
    File(PathBuf),
}

impl<T> Setting<T> {
    pub(super) fn unset() -> Self {
        Self {
            value: None,
            source: Source::Default,
        }
    }

    /// Replaces the value if `value` is set.
    pub(super) fn or(self, value: Option<T>, source: Source) -> Self {
        if self.value.is_some() || value.is_none() {
            return self;
        }
        Self { value, source }
    }

    pub(super) fn or_default(self, value: T) -> Self {
        self.or(Some(value), Source::Default)
    }
}

impl Setting<bool> {
    /// What a file says, or the default.
    pub(super) fn switch(value: Option<bool>, source: Source, default: bool) -> Self {
        Self::unset().or(value, source).or_default(default)
    }
}

impl Setting<ApprovalMode> {
    pub(super) fn approval(value: Option<ApprovalMode>, source: Source) -> Self {
        Self::unset()
            .or(value, source)
            .or_default(ApprovalMode::default())
    }
}

impl Setting<String> {
    pub(super) fn or_environment(self, name: &'static str) -> Self {
        self.or(environment(name), Source::Environment(name))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::Flag(name) | Self::Environment(name) => formatter.write_str(name),
            Self::File(path) => write!(formatter, "{}", path.display()),
        }
    }
}
