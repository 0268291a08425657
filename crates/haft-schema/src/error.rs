//! The error type of this crate: why a schema cannot be used.

use std::fmt;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaErrorKind {
    /// The schema is nested too deeply.
    TooDeep,
    /// The schema has too many parts or too much text.
    TooLarge,
    /// A reference points outside the schema, or to nothing.
    Reference,
    /// It is not a JSON Schema.
    Invalid,
}

/// A schema that cannot be used: a message for the user, a hint, and details for the log.
#[derive(Clone, Debug)]
pub struct SchemaError {
    kind: SchemaErrorKind,
    message: String,
    detail: Option<String>,
}

impl SchemaError {
    pub(crate) fn new(kind: SchemaErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            detail: None,
        }
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> SchemaErrorKind {
        self.kind
    }

    /// What the tool's author can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self.kind {
            SchemaErrorKind::TooDeep => "flatten the schema",
            SchemaErrorKind::TooLarge => "shorten the schema",
            SchemaErrorKind::Reference => "put what it refers to under `$defs` in the same schema",
            SchemaErrorKind::Invalid => "repair the schema at the tool's source",
        }
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.message)
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}
