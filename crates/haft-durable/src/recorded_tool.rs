//! A tool whose calls are recorded: that a call begins, before the tool acts, and how it ended.
//!
//! A call that was begun by another process and has no end may have taken effect. Only a tool that
//! is read-only or idempotent is called again; otherwise a person decides.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use haft_core::{Tool, ToolAnnotations, ToolCall, ToolError, ToolInput, ToolOutput, ToolSource};
use haft_tools::{Approval, ApprovalRequest, Approve, ExecutorOptions};
use serde_json::Value;

use crate::recorded_call::{Begun, Ended, Recorded};
use crate::run::{Decision, Pending, PendingReason};
use crate::steps::Steps;

/// The time limit of a call for the executor, which never ends a call: its result could not be
/// recorded any more. The limit of the tool itself is kept within the step.
const EXECUTOR_LIMIT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

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

impl fmt::Debug for RecordedTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecordedTool")
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
