//! The error of a model, with a message and a hint for the user.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Secrets;

/// The kind of a model's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The connection failed: no server answers, the host cannot be resolved, or TLS failed.
    Connect,
    /// The key is missing or wrong (401, 403).
    Unauthorized,
    /// The server does not have the model (404).
    ModelNotFound,
    /// The server rejected the request (other 4xx).
    BadRequest,
    /// Too many requests (429); see [`ModelError::retry_after`].
    RateLimited,
    /// All model servers are busy and the queue is full; see [`ModelError::retry_after`].
    Overloaded,
    /// The server failed (5xx), or reported an error during the stream.
    Server,
    /// No first byte, no next byte, or no end within the limit.
    Timeout,
    /// The reply ended before it was complete.
    CutStream,
    /// The reply does not follow the API.
    Malformed,
    /// The server reported success with an empty body.
    EmptyBody,
    /// The prompt does not fit into the model's context.
    ContextOverflow,
    /// The model cannot call tools natively.
    ToolsUnsupported,
    /// A tool call was required, and the reply had none or one of another tool.
    ToolChoiceIgnored,
    /// The model does not support the request (pictures, structured output, ...).
    Unsupported,
    /// The replayed recording does not contain this request.
    ReplayDrift,
    /// The model's name or settings are invalid.
    Configuration,
}

/// A model's failure: a message and a hint for the user, and details for the log.
///
/// ```
/// use haft_core::{ModelError, ModelErrorKind};
///
/// let error = ModelError::new(ModelErrorKind::Connect, "No model server answers at 127.0.0.1:11434")
///     .with_hint("start it with `ollama serve`");
/// assert_eq!(error.hint(), Some("start it with `ollama serve`"));
/// ```
#[derive(Clone, Debug, Error)]
#[error("{}", self.0.message)]
pub struct ModelError(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: ModelErrorKind,
    message: String,
    hint: Option<String>,
    detail: Option<String>,
    retry_after: Option<Duration>,
    status: Option<u16>,
}

impl ModelError {
    /// An error of `kind`; `message` is one sentence for the user, without a full stop.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            hint: None,
            detail: None,
            retry_after: None,
            status: None,
        }))
    }

    /// Adds a hint: what the user can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds details for the log.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Sets the time that the server asked to wait.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// Sets the HTTP status of the response.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// Masks these secrets in the message, the hint and the details, because servers may repeat
    /// what they were sent.
    ///
    /// ```
    /// use haft_core::{ModelError, ModelErrorKind, Secrets};
    ///
    /// let mut secrets = Secrets::default();
    /// secrets.add("sk-12345678");
    /// let error = ModelError::new(ModelErrorKind::Server, "No credit for sk-12345678");
    /// assert_eq!(error.masked(&secrets).to_string(), "No credit for [hidden]");
    /// ```
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets) -> Self {
        if secrets.is_empty() {
            return self;
        }
        self.0.message = secrets.mask(&self.0.message);
        for text in [&mut self.0.hint, &mut self.0.detail].into_iter().flatten() {
            *text = secrets.mask(text);
        }
        self
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The details for the log; the message if there are none.
    #[must_use]
    pub fn detail(&self) -> &str {
        self.0.detail.as_deref().unwrap_or(&self.0.message)
    }

    /// The time that the server asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The HTTP status of the response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// True when the same request may succeed a moment later. It is only sent again if no part of
    /// the reply was delivered yet.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        use ModelErrorKind as Kind;
        matches!(
            self.0.kind,
            Kind::Connect | Kind::RateLimited | Kind::Server | Kind::EmptyBody | Kind::CutStream
        )
    }
}
