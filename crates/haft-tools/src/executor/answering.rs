//! Answers the calls of a reply: in batches that run together, with events about each call.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use haft_core::{AiMessage, Emitter, Event, ToolCall, ToolError, ToolMessage, ToolReport};
use tokio::time::Instant;
use tracing::warn;

use super::ToolExecutor;
use super::prepared::Prepared;
use crate::results::{ResultText, capped, result_text};
use crate::round::answer_calls;

impl ToolExecutor {
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
}
