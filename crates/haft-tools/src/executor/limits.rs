//! One call of a tool within its time limits.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use haft_core::{Tool, ToolError, ToolErrorKind, ToolInput, ToolOutput};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::ExecutorOptions;
use crate::friendly::{friendly, timed_out};
use crate::progress::watched;

impl ExecutorOptions {
    /// Calls a tool within its own time limit, or the one of these options. Progress that the tool
    /// reports extends it, up to the total limit. A panic of the tool is an error.
    ///
    /// # Errors
    ///
    /// The tool's error as a sentence for the user, or one of the kinds [`ToolErrorKind::Timeout`]
    /// and [`ToolErrorKind::Panic`].
    pub async fn invoke(&self, tool: &dyn Tool, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let name = tool.name();
        let limit = tool.timeout().unwrap_or(self.timeout);
        let total = self.total_timeout.max(limit);
        let progress = Arc::new(Notify::new());
        // `invoke` is called inside the future, so that a panic before it returns a future is
        // caught as well.
        let run = async { tool.invoke(input).await };
        let mut work =
            std::pin::pin!(AssertUnwindSafe(watched(progress.clone(), run)).catch_unwind());
        let last = Instant::now() + total;
        let mut deadline = (Instant::now() + limit).min(last);
        loop {
            tokio::select! {
                biased;
                finished = timeout_at(deadline, &mut work) => {
                    return match finished {
                        Ok(Ok(result)) => result.map_err(|error| friendly(name, error)),
                        Ok(Err(_)) => Err(panicked(name)),
                        Err(_) if deadline == last => Err(timed_out(name, total)),
                        Err(_) => Err(timed_out(name, limit)),
                    };
                }
                () = progress.notified() => {
                    deadline = (Instant::now() + limit).min(last);
                }
            }
        }
    }
}

/// The error of a tool that panicked.
pub(super) fn panicked(tool: &str) -> ToolError {
    ToolError::of_kind(
        ToolErrorKind::Panic,
        format!("{tool} failed because of a fault of its own."),
    )
    .with_detail(format!("{tool} panicked"))
}
