//! What is recorded of a tool call: that it begins, and how it ended.

use haft_core::{ToolError, ToolErrorKind, ToolMessage, ToolOutput};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::RecordedStep;

/// What is known of a call that another process began and did not end.
const UNKNOWN: &str = "nobody knows whether it took effect";

/// What is recorded before a call.
#[derive(Serialize, Deserialize)]
pub(crate) struct Begun {
    /// A random number: who reads another one than its own knows that another process began.
    pub(crate) attempt: String,
    /// The idempotency key, which a repeated call and a copy of the run keep.
    pub(crate) key: Option<String>,
}

/// How a call ended.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ended {
    Returned(Output),
    Failed(Failure),
    /// Another process began the call, and nobody knows whether it took effect.
    Unknown,
}

/// The end of a call in words: its result, or why there is none.
pub(crate) fn end_text(step: &RecordedStep) -> Option<String> {
    Some(match Ended::deserialize(&step.value).ok()? {
        Ended::Returned(output) => output.text(),
        Ended::Failed(failure) => failure.message,
        Ended::Unknown => UNKNOWN.to_owned(),
    })
}

/// The end of a call as a message, without the id of the call.
pub(crate) fn end_message(step: &RecordedStep) -> Option<ToolMessage> {
    Some(match Ended::deserialize(&step.value).ok()? {
        Ended::Returned(output) => ToolMessage::success(output.text(), ""),
        Ended::Failed(failure) => ToolMessage::error(&failure.message, ""),
        Ended::Unknown => ToolMessage::error(UNKNOWN, ""),
    })
}

/// A [`ToolOutput`] in the record.
#[derive(Serialize, Deserialize)]
pub(crate) struct Output {
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact: Option<Value>,
}

impl Output {
    fn text(self) -> String {
        match self.value {
            Value::String(text) => text,
            value => value.to_string(),
        }
    }
}

impl From<ToolOutput> for Output {
    fn from(output: ToolOutput) -> Self {
        let ToolOutput { value, artifact } = output;
        Self { value, artifact }
    }
}

impl From<Output> for ToolOutput {
    fn from(output: Output) -> Self {
        let Output { value, artifact } = output;
        Self { value, artifact }
    }
}

/// A [`ToolError`] in the record.
#[derive(Serialize, Deserialize)]
pub(crate) struct Failure {
    kind: ToolErrorKind,
    message: String,
    detail: String,
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self {
            kind: error.kind(),
            message: error.message().to_owned(),
            detail: error.detail().to_owned(),
        }
    }
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        Self::of_kind(failure.kind, failure.message).with_detail(failure.detail)
    }
}

/// A result in the record.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Recorded<T> {
    Done(T),
    Failed(Failure),
}

impl<T> Recorded<T> {
    pub(crate) fn into_result(self) -> Result<T, ToolError> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Failed(failure) => Err(failure.into()),
        }
    }
}

impl<T> From<Result<T, ToolError>> for Recorded<T> {
    fn from(result: Result<T, ToolError>) -> Self {
        match result {
            Ok(value) => Self::Done(value),
            Err(error) => Self::Failed(error.into()),
        }
    }
}
