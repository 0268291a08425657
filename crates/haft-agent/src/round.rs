//! One exchange with the model.

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Event, ModelError, ModelErrorKind, ToolChoice,
};
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
            response_schema: None,
        })
        .await
    }

    /// Sends the conversation with these options and passes on the reply as it comes.
    pub(crate) async fn exchange(&mut self, options: CallOptions) -> Result<AiMessage, AgentError> {
        self.rounds += 1;
        let round = self.rounds;
        let tools = match options.tool_choice {
            ToolChoice::None => Vec::new(),
            _ => self.shared.tool_names.clone(),
        };
        self.events.emit(Event::RoundStarted { round, tools }).await;
        // The bound model even without tools: some wires must name the tools of earlier calls.
        let stream = self.shared.bound.stream(&self.messages, &options);
        let span = tracing::info_span!("chat", round, model = self.shared.model.id());
        let reply = self.collect(stream).instrument(span).await?;
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

    async fn collect(&self, mut stream: ChatStream) -> Result<AiMessage, ModelError> {
        while let Some(chunk) = stream.next().await {
            match chunk? {
                ChatChunk::Done(message) => return Ok(message),
                chunk => self.events.emit(Event::Chunk(chunk)).await,
            }
        }
        Err(ModelError::new(
            ModelErrorKind::CutStream,
            "The reply ended before it was complete",
        ))
    }
}
