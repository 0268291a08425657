//! Runs a prepared call, with its log lines and its span in traces.

use haft_core::{TRACES, ToolCall, ToolError, ToolInput, ToolOutput};
use tokio::time::Instant;
use tracing::{Instrument, Span, debug, field, info, warn};

use super::ToolExecutor;
use super::prepared::Prepared;
use crate::redact::redacted;
use crate::under_way::UnderWay;

impl ToolExecutor {
    /// Runs a prepared call within its limits.
    pub(super) async fn invoke(&self, prepared: &Prepared) -> Result<ToolOutput, ToolError> {
        let Prepared { tool, call, .. } = prepared;
        debug!(
            tool = call.name,
            arguments = redacted(&call.args),
            "tool starts"
        );
        let started = Instant::now();
        let under_way = UnderWay::begin(tool.name(), tool.annotations().read_only);
        let span = execute_tool(call);
        let input = ToolInput::from(call.args.clone());
        let options = &self.shared.options;
        let invoking = options.invoke(tool.as_ref(), input);
        let result = invoking.instrument(span.clone()).await;
        if let Err(error) = &result {
            span.record("error.type", field::debug(error.kind()));
            span.record("otel.status_code", "ERROR");
        }
        drop(under_way);
        let duration = started.elapsed();
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        match &result {
            Ok(output) => {
                let length = output.value.as_str().map_or_else(
                    || output.value.to_string().chars().count(),
                    |text| text.chars().count(),
                );
                info!(tool = call.name, duration_ms, length, "tool finished");
            }
            Err(error) => warn!(
                tool = call.name,
                duration_ms,
                kind = ?error.kind(),
                error = error.detail(),
                "tool failed"
            ),
        }
        if duration > options.slow {
            warn!(tool = call.name, duration_ms, "slow tool");
        }
        result
    }
}

/// The span of a call in traces, without arguments and result.
fn execute_tool(call: &ToolCall) -> Span {
    tracing::info_span!(
        target: TRACES,
        "execute_tool",
        otel.name = format_args!("execute_tool {}", call.name),
        otel.status_code = field::Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = call.id,
        error.type = field::Empty,
    )
}
