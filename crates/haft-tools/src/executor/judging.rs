//! Requests approval of a call, based on its effects and its tool at this moment.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use haft_core::{Tool, ToolAnnotations, ToolCall, ToolError, ToolErrorKind, ToolInput};
use tokio::time::timeout;
use tracing::info;

use super::ToolExecutor;
use super::limits::panicked;
use super::prepared::{Prepared, compiled};
use crate::approval::{Approval, ApprovalRequest, Approve};
use crate::friendly::{friendly, timed_out};

impl ToolExecutor {
    /// Like `checked`, but with the tool's current definition: approval must be for the tool that
    /// runs, and arguments that were written for another schema must not be passed on.
    pub(super) async fn checked_now(&self, call: &ToolCall) -> Result<Prepared, ToolError> {
        let (index, tool) = self.found(call)?;
        match self.current(tool).await? {
            None => Prepared::new(call, tool, self.schema(index, tool.as_ref()), self.tools()),
            Some(now) => Prepared::new(call, &now, compiled(now.as_ref()).as_deref(), self.tools()),
        }
    }

    async fn current(&self, tool: &Arc<dyn Tool>) -> Result<Option<Arc<dyn Tool>>, ToolError> {
        let limit = self.shared.options.timeout;
        let looking = AssertUnwindSafe(async { tool.current().await }).catch_unwind();
        match timeout(limit, looking).await {
            Ok(Ok(current)) => current.map_err(|error| friendly(tool.name(), error)),
            Ok(Err(_)) => Err(panicked(tool.name())),
            Err(_) => Err(timed_out(tool.name(), limit)),
        }
    }

    /// Requests approval of a call.
    pub(super) async fn ask(
        &self,
        approve: &Approve,
        call: &ToolCall,
        tool: &Arc<dyn Tool>,
    ) -> Result<(), ToolError> {
        let input = ToolInput::from(call.args.clone());
        let annotations = self.effects(tool.as_ref(), &input).await?;
        let effect = self.effect(tool.as_ref(), &input).await;
        let request = ApprovalRequest::new(call.clone(), tool.clone(), annotations);
        let mut deciding = approve(request.with_effect(effect));
        let (approval, waited) = match (&mut deciding).now_or_never() {
            Some(approval) => (approval, false),
            None => (deciding.await, true),
        };
        match approval {
            // The user approved the tool that was shown, and the answer may have taken a long time.
            Approval::Allowed if waited && self.current(tool).await?.is_some() => {
                info!(tool = call.name, "tool changed during the question");
                let reason = format!("{} was not run: it changed meanwhile.", tool.name());
                Err(ToolError::of_kind(ToolErrorKind::Denied, reason))
            }
            Approval::Allowed => Ok(()),
            Approval::Denied(reason) => {
                info!(tool = call.name, reason, "tool call denied");
                Err(ToolError::of_kind(ToolErrorKind::Denied, reason))
            }
        }
    }

    /// The effects of a call. A tool that does not report them in time is not assumed to be
    /// harmless.
    async fn effects(
        &self,
        tool: &dyn Tool,
        input: &ToolInput,
    ) -> Result<ToolAnnotations, ToolError> {
        let asking = AssertUnwindSafe(async { tool.annotations_of(input).await }).catch_unwind();
        match timeout(self.shared.options.timeout, asking).await {
            Ok(Ok(annotations)) => annotations.map_err(|error| friendly(tool.name(), error)),
            Ok(Err(_)) | Err(_) => Ok(ToolAnnotations {
                destructive: true,
                ..tool.annotations()
            }),
        }
    }

    /// The tool's own description of the effect of a call.
    async fn effect(&self, tool: &dyn Tool, input: &ToolInput) -> Option<String> {
        let asking = AssertUnwindSafe(async { tool.effect_of(input).await }).catch_unwind();
        timeout(self.shared.options.timeout, asking)
            .await
            .ok()?
            .ok()?
    }
}
