//! The executor: answers every tool call, whatever goes wrong.
//!
//! The path of a call: the tool is looked up, the arguments are coerced and validated (`prepared`),
//! approval is requested (`judging`), and the tool runs within its time limit (`limits`). The limits
//! are in `options`. [`crate::results`] turns a result into text, [`crate::friendly`] an error into a
//! sentence, and [`crate::round`] makes tool messages of both.

mod judging;
mod limits;
mod options;
mod prepared;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use haft_core::{
    AiMessage, CallRepair, Emitter, Event, TRACES, Tool, ToolCall, ToolError, ToolErrorKind,
    ToolInput, ToolMessage, ToolOutput, ToolReport,
};
use haft_schema::CompiledSchema;
use tokio::time::Instant;
use tracing::{Instrument, Span, debug, field, info, warn};

pub use self::options::ExecutorOptions;
use self::prepared::{Prepared, compiled};
use crate::approval::Approve;
use crate::error::ToolsError;
use crate::manager::ToolManager;
use crate::redact::redacted;
use crate::results::{ResultText, capped, result_text};
use crate::round::answer_calls;
use crate::under_way::UnderWay;

/// Runs tools. Cheap to clone; all clones share the same tools.
#[derive(Clone)]
pub struct ToolExecutor {
    shared: Arc<Shared>,
}

/// A call as its tool receives it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckedCall {
    /// The call with the tool's own name and valid arguments.
    pub call: ToolCall,
    /// What was changed in the arguments.
    pub repairs: Vec<CallRepair>,
}

impl CheckedCall {
    /// The call as it was written.
    #[must_use]
    pub fn unchanged(call: ToolCall) -> Self {
        Self {
            call,
            repairs: Vec::new(),
        }
    }
}

struct Shared {
    tools: ToolManager,
    /// One schema per tool, compiled at its first call, because a home with hundreds of tools uses
    /// only a few.
    schemas: Vec<OnceLock<Option<Arc<CompiledSchema>>>>,
    options: ExecutorOptions,
    approve: Option<Approve>,
}

impl ToolExecutor {
    /// An executor for `tools` with the default limits. All calls run without approval.
    #[must_use]
    pub fn new(tools: ToolManager) -> Self {
        Self::with_options(tools, ExecutorOptions::default(), None)
    }

    /// An executor with custom limits and an optional callback that approves each call.
    #[must_use]
    pub fn with_options(
        tools: ToolManager,
        options: ExecutorOptions,
        approve: Option<Approve>,
    ) -> Self {
        let schemas = tools.get_tools().iter().map(|_| OnceLock::new()).collect();
        Self {
            shared: Arc::new(Shared {
                tools,
                schemas,
                options,
                approve,
            }),
        }
    }

    /// An executor with one more tool.
    ///
    /// # Errors
    ///
    /// [`ToolsErrorKind::Tool`](crate::ToolsErrorKind::Tool) when its name is taken.
    pub fn with_tool(&self, tool: Arc<dyn Tool>) -> Result<Self, ToolsError> {
        let Shared {
            tools,
            options,
            approve,
            ..
        } = self.shared.as_ref();
        let mut tools = tools.clone();
        tools.add(tool)?;
        Ok(Self::with_options(tools, *options, approve.clone()))
    }

    /// An executor with the current tools of its servers; `None` if nothing changed. See
    /// [`ToolManager::refreshed`].
    #[must_use]
    pub fn refreshed(&self, begins: bool) -> Option<Self> {
        let Shared {
            tools,
            options,
            approve,
            ..
        } = self.shared.as_ref();
        let tools = tools.refreshed(begins)?;
        Some(Self::with_options(tools, *options, approve.clone()))
    }

    /// The limits of this executor.
    #[must_use]
    pub fn options(&self) -> ExecutorOptions {
        self.shared.options
    }

    /// The tools that this executor runs.
    #[must_use]
    pub fn tools(&self) -> &ToolManager {
        &self.shared.tools
    }

    /// Answers every call of `message`: one [`ToolMessage`] for each, in the order of the calls,
    /// including the invalid ones. Calls run concurrently, except for a sequential tool, which
    /// starts after all calls before it have ended and delays all calls after it. `events` reports
    /// when a tool starts and finishes. Dropping the future stops everything.
    pub async fn run_round(
        &self,
        message: &AiMessage,
        events: &Emitter<Event>,
    ) -> Vec<ToolMessage> {
        let mut results = Vec::with_capacity(message.tool_calls.len());
        let mut rest = message.tool_calls.as_slice();
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(self.batch_length(rest));
            rest = later;
            // Approval is requested for one call after the other and before any of them runs: a
            // user answers one question at a time, and no other output interrupts it.
            let mut prepared = Vec::with_capacity(batch.len());
            for call in batch {
                prepared.push(self.prepare(call).await);
            }
            let runs: Vec<_> = batch
                .iter()
                .zip(prepared)
                .map(|(call, prepared)| self.answer(call, prepared, events))
                .collect();
            let parallel = self.shared.options.parallel.max(1);
            let answers: Vec<_> = stream::iter(runs).buffered(parallel).collect().await;
            results.extend(answers.into_iter().map(Some));
        }
        let answers = answer_calls(message, results);
        for (call, answer) in message
            .invalid_tool_calls
            .iter()
            .zip(answers.iter().skip(message.tool_calls.len()))
        {
            warn!(tool = call.name, error = call.error, "invalid tool call");
            let call = ToolCall::new(&call.name, serde_json::Value::Null, &call.id);
            let report = ToolReport {
                call,
                message: answer.clone(),
                duration: Duration::ZERO,
                coercions: Vec::new(),
            };
            events.emit(Event::ToolFinished(report)).await;
        }
        answers
    }

    /// Runs one call by itself, without events.
    ///
    /// # Errors
    ///
    /// A [`ToolError`] whose message is for the model.
    pub async fn execute(&self, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let prepared = self.prepare(call).await?;
        self.invoke(&prepared).await
    }

    /// How many of the next `calls` may run together: all up to the next sequential tool, or that
    /// tool alone.
    fn batch_length(&self, calls: &[ToolCall]) -> usize {
        let sequential = |call: &ToolCall| {
            self.tools()
                .find(&call.name)
                .is_some_and(|tool| tool.annotations().sequential)
        };
        calls
            .iter()
            .position(sequential)
            .map_or(calls.len(), |index| index.max(1))
    }

    async fn answer(
        &self,
        call: &ToolCall,
        prepared: Result<Prepared, ToolError>,
        events: &Emitter<Event>,
    ) -> ToolMessage {
        let started = Instant::now();
        let (call, coercions, result) = match prepared {
            Ok(prepared) => {
                events
                    .emit(Event::ToolStarted {
                        call: prepared.call.clone(),
                    })
                    .await;
                let result = self.invoke(&prepared).await;
                let changes = prepared.coercions.into_iter().map(|repair| repair.what);
                (prepared.call, changes.collect(), result)
            }
            Err(error) => (call.clone(), Vec::new(), Err(error)),
        };
        let message = match result {
            Ok(output) => {
                let ResultText { text, artifact } = result_text(output);
                let text = capped(text, self.shared.options.max_output);
                ToolMessage {
                    artifact,
                    ..ToolMessage::success(text, &call.id)
                }
            }
            Err(error) => {
                let message = capped(error.message().to_owned(), self.shared.options.max_output);
                ToolMessage::error(&message, &call.id)
            }
        };
        let message = message.with_name(&call.name);
        let duration = started.elapsed();
        let report = ToolReport {
            call,
            message: message.clone(),
            duration,
            coercions,
        };
        events.emit(Event::ToolFinished(report)).await;
        message
    }

    /// The call as its tool would receive it: with the tool's own name and repaired, validated
    /// arguments. Nothing runs and no approval is requested.
    ///
    /// # Errors
    ///
    /// The [`ToolError`] that the model would read in place of a result.
    pub fn check(&self, call: &ToolCall) -> Result<CheckedCall, ToolError> {
        let Prepared {
            tool,
            call,
            coercions,
        } = self.checked(call)?;
        let name = tool.name().to_owned();
        Ok(CheckedCall {
            call: ToolCall { name, ..call },
            repairs: coercions,
        })
    }

    /// Looks up the tool, repairs and validates the arguments, and asks for approval.
    async fn prepare(&self, call: &ToolCall) -> Result<Prepared, ToolError> {
        let checked = match &self.shared.approve {
            None => self.checked(call),
            Some(_) => self.checked_now(call).await,
        };
        let prepared = checked.inspect_err(|error| self.log_refusal(call, error))?;
        let Prepared {
            tool,
            call,
            coercions,
        } = &prepared;
        for coercion in coercions {
            debug!(
                tool = call.name,
                coercion = coercion.what,
                "arguments repaired"
            );
        }
        if let Some(approve) = &self.shared.approve {
            self.ask(approve, call, tool).await?;
        }
        Ok(prepared)
    }

    fn log_refusal(&self, call: &ToolCall, error: &ToolError) {
        let tool = &call.name;
        if error.kind() == ToolErrorKind::UnknownTool {
            let tools = self.tools().get_tools().iter();
            let available: Vec<_> = tools.map(Tool::name).collect();
            warn!(tool, available = available.join(", "), "unknown tool");
        } else {
            let arguments = redacted(&call.args);
            warn!(tool, arguments, %error, "invalid arguments");
        }
    }

    /// Looks up the tool, repairs and validates the arguments.
    fn checked(&self, call: &ToolCall) -> Result<Prepared, ToolError> {
        let (index, tool) = self.found(call)?;
        Prepared::new(call, tool, self.schema(index, tool.as_ref()), self.tools())
    }

    /// The called tool and its index.
    fn found(&self, call: &ToolCall) -> Result<(usize, &Arc<dyn Tool>), ToolError> {
        let tools = &self.shared.tools;
        let position = tools.position(&call.name);
        let found = position.and_then(|index| Some((index, tools.get_tools().get(index)?)));
        found.ok_or_else(|| {
            let sentence = format!("Unknown tool \"{}\"", call.name);
            ToolError::of_kind(ToolErrorKind::UnknownTool, sentence)
        })
    }

    fn schema(&self, index: usize, tool: &dyn Tool) -> Option<&CompiledSchema> {
        self.shared
            .schemas
            .get(index)?
            .get_or_init(|| compiled(tool))
            .as_deref()
    }

    /// Runs a prepared call within its limits.
    async fn invoke(&self, prepared: &Prepared) -> Result<ToolOutput, ToolError> {
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

impl fmt::Debug for ToolExecutor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolExecutor")
            .field("tools", &self.shared.tools)
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
