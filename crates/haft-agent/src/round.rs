//! One exchange with the model.

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Event, ModelError, ModelErrorKind, ToolChoice,
};
use tokio::time::Instant;
use tracing::Instrument;

use crate::error::AgentError;
use crate::run::Run;

impl Run {
    /// Asks the model to continue the conversation, with or without its tools.
    pub(crate) async fn ask_model(&mut self, with_tools: bool) -> Result<AiMessage, AgentError> {
        let tool_choice = if with_tools {
            ToolChoice::Auto
        } else {
            ToolChoice::None
        };
        self.exchange(CallOptions {
            tool_choice,
            ..CallOptions::default()
        })
        .await
    }

    /// Takes a turn: sends the conversation with these options.
    pub(crate) async fn exchange(&mut self, options: CallOptions) -> Result<AiMessage, AgentError> {
        self.turns += 1;
        // The bound model even without tools: some wires must name the tools of earlier calls.
        let messages = self.shown().await;
        let stream = (self.toolset.model).stream(&messages, &self.as_wished(&options));
        self.receive(stream, &options).await
    }

    /// The options together with how the agent's replies are written.
    pub(crate) fn as_wished(&self, options: &CallOptions) -> CallOptions {
        CallOptions {
            generation: self.shared.options.generation.clone(),
            ..options.clone()
        }
    }

    /// Passes on a reply as it comes, and takes its time.
    pub(crate) async fn receive(
        &mut self,
        stream: ChatStream,
        options: &CallOptions,
    ) -> Result<AiMessage, AgentError> {
        self.rounds += 1;
        let round = self.rounds;
        let tools = match options.tool_choice {
            ToolChoice::None => Vec::new(),
            _ => self.toolset.names.clone(),
        };
        self.events.emit(Event::RoundStarted { round, tools }).await;
        self.asked = Instant::now();
        let span = tracing::info_span!("chat", round, model = self.shared.model.id());
        let may_call = options.tool_choice != ToolChoice::None;
        let reply = self.collect(stream, may_call).instrument(span).await;
        self.took = self.asked.elapsed();
        let reply = reply?;
        self.attempt.original.get_or_insert(self.took);
        if let Some(usage) = reply.usage {
            self.usage += usage;
        }
        tracing::debug!(
            round,
            calls = reply.tool_calls.len(),
            invalid_calls = reply.invalid_tool_calls.len(),
            stop_reason = ?reply.stop_reason,
            "model replied"
        );
        Ok(reply)
    }

    async fn collect(
        &mut self,
        mut stream: ChatStream,
        may_call: bool,
    ) -> Result<AiMessage, ModelError> {
        let mut told = Vec::new();
        while let Some(chunk) = stream.next().await {
            match chunk? {
                ChatChunk::Done(message) => {
                    if may_call && self.client.is_there() {
                        self.accept_rest(told, &message.tool_calls).await;
                    }
                    return Ok(message);
                }
                ChatChunk::CallEnd { call, .. } if may_call && self.client.is_there() => {
                    let is_out = self.accept(&call).await;
                    told.push((call, is_out));
                }
                chunk => self.events.emit(Event::Chunk(chunk)).await,
            }
        }
        Err(ModelError::new(
            ModelErrorKind::CutStream,
            "The reply ended before it was complete",
        ))
    }
}
