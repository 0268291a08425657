//! A tool whose calls are recorded: that a call begins, before the tool acts, and how it ended.
//!
//! A call that was begun by another process and has no end may have taken effect. Only a tool that
//! is read-only or idempotent is called again; otherwise a person decides.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use haft_core::{
    Tool, ToolAnnotations, ToolCall, ToolError, ToolErrorKind, ToolInput, ToolMessage, ToolOutput,
    ToolSource,
};
use haft_tools::{Approval, ApprovalRequest, Approve, ExecutorOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{Decision, Pending, PendingReason, RecordedStep};
use crate::steps::Steps;

/// The time limit of a call for the executor, which never ends a call: its result could not be
/// recorded any more. The limit of the tool itself is kept within the step.
const EXECUTOR_LIMIT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What is known of a call that another process began and did not end.
const UNKNOWN: &str = "nobody knows whether it took effect";

/// Calls `tool`, or returns the recorded result.
pub(crate) struct RecordedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) steps: Arc<Steps>,
    /// The limits of a call.
    pub(crate) options: ExecutorOptions,
}

#[async_trait]
impl Tool for RecordedTool {
    fn name(&self) -> &str {
        self.tool.name()
    }

    fn lc_name(&self) -> Option<&str> {
        self.tool.lc_name()
    }

    fn description(&self) -> &str {
        self.tool.description()
    }

    fn schema(&self) -> &Value {
        self.tool.schema()
    }

    fn annotations(&self) -> ToolAnnotations {
        self.tool.annotations()
    }

    async fn annotations_of(&self, input: &ToolInput) -> Result<ToolAnnotations, ToolError> {
        let ask = async || Recorded::from(self.tool.annotations_of(input).await);
        let effects: Recorded<ToolAnnotations> = self.steps.record("effects", ask).await;
        effects.into_result()
    }

    async fn effect_of(&self, input: &ToolInput) -> Option<String> {
        self.tool.effect_of(input).await
    }

    fn source(&self) -> ToolSource {
        self.tool.source()
    }

    fn timeout(&self) -> Option<Duration> {
        Some(EXECUTOR_LIMIT)
    }

    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let mut input = ToolInput {
            idempotency_key: Some(self.steps.next_key()),
            ..input
        };
        loop {
            match self.steps.call(self.attempt(&mut input)).await {
                Ended::Returned(output) => return Ok(output.into()),
                Ended::Failed(error) => return Err(error.into()),
                Ended::Unknown => {}
            }
            let call = ToolCall::new(self.name(), Value::Object(input.input.clone()), "");
            let effect = self.tool.effect_of(&input).await;
            let effect = effect.unwrap_or_else(|| self.description().to_owned());
            let pending = Pending::new(PendingReason::Uncertain, &call, effect);
            match self.steps.decision(pending).await {
                Decision::Repeat => {}
                Decision::Did => {
                    return Ok("A person confirms: this was done. Its result is unknown.".into());
                }
                _ => return Err(ToolError::new("A person confirms: this was not done.")),
            }
        }
    }
}

impl RecordedTool {
    /// Records that the call begins, and calls the tool.
    async fn attempt(&self, input: &mut ToolInput) -> Ended {
        let mine = format!("{:016x}", fastrand::u64(..));
        let name = self.name();
        let begin = async || Begun {
            attempt: mine.clone(),
            key: input.idempotency_key.clone(),
        };
        let begun: Begun = self.steps.record(&format!("{name} begun"), begin).await;
        input.idempotency_key = begun.key;
        let annotations = self.tool.annotations();
        let may_act = begun.attempt == mine || annotations.read_only || annotations.idempotent;
        let ended = async || match may_act {
            true => match self.options.invoke(self.tool.as_ref(), input.clone()).await {
                Ok(output) => Ended::Returned(output.into()),
                Err(error) => Ended::Failed(error.into()),
            },
            false => Ended::Unknown,
        };
        self.steps.record(&format!("{name} ended"), ended).await
    }
}

/// Asks a person about a call, by a decision of the run.
pub(crate) fn approver(steps: Arc<Steps>) -> Approve {
    Arc::new(move |request: ApprovalRequest| {
        let steps = steps.clone();
        Box::pin(async move {
            let pending = Pending::new(PendingReason::Approval, &request.call, request.effect);
            match steps.decision(pending).await {
                Decision::Allow => Approval::Allowed,
                _ => Approval::Denied("A person denied this call.".to_owned()),
            }
        })
    })
}

/// What is recorded before a call.
#[derive(Serialize, Deserialize)]
struct Begun {
    /// A random number: who reads another one than its own knows that another process began.
    attempt: String,
    /// The idempotency key, which a repeated call and a copy of the run keep.
    key: Option<String>,
}

/// How a call ended.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ended {
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
struct Output {
    value: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
struct Failure {
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
enum Recorded<T> {
    Done(T),
    Failed(Failure),
}

impl<T> Recorded<T> {
    fn into_result(self) -> Result<T, ToolError> {
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

impl fmt::Debug for RecordedTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecordedTool")
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
