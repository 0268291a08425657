//! Requests to the model: each is sent, its reply streamed as events, measured and counted.
//!
//! Every request of a question goes through [`ModelRequests::send`]: those of the driver, of
//! recovery steps and of the web search. What to send is a [`ModelRequest`].

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Emitter, Event, Generation, Message, ModelError,
    ModelErrorKind, QuotedCall, StopReason, ToolChoice, Usage,
};
use tokio::time::Instant;
use tracing::Instrument;

use crate::attempts::recorder::AttemptRecorder;
use crate::client::Client;
use crate::error::AgentError;
use crate::repetition::RepetitionDetector;
use crate::selection::Toolset;
use crate::shared::Shared;
use crate::trace;

/// One request: the tools, the conversation as the model reads it, and the options of the call.
#[derive(Clone, Debug)]
pub(crate) struct ModelRequest {
    /// The tools that are bound; the options say whether they are offered.
    pub(crate) tools: Arc<Toolset>,
    pub(crate) messages: Vec<Message>,
    pub(crate) options: CallOptions,
}

impl ModelRequest {
    /// This request with other options.
    pub(crate) fn with_options(&self, options: CallOptions) -> Self {
        Self {
            options,
            ..self.clone()
        }
    }

    /// True when the reply may call tools.
    pub(crate) fn offers_tools(&self) -> bool {
        self.options.tool_choice != ToolChoice::None
    }

    /// True for a reply to this request with no text and no call. Calls do not count where no tool
    /// was offered.
    pub(crate) fn is_empty_reply(&self, reply: &AiMessage) -> bool {
        reply.content.is_blank() && (!self.offers_tools() || !reply.has_calls())
    }
}

/// True when the limit on tokens cut the reply.
pub(crate) fn is_cut(reply: &AiMessage) -> bool {
    reply.stop_reason == Some(StopReason::MaxTokens)
}

/// The reply with its text alone.
pub(crate) fn without_calls(reply: AiMessage) -> AiMessage {
    AiMessage {
        tool_calls: Vec::new(),
        invalid_tool_calls: Vec::new(),
        ..reply
    }
}

/// The requests of one question so far, and their replies added up.
#[derive(Debug)]
pub(crate) struct ModelRequests {
    events: Emitter<Event>,
    model: String,
    generation: Generation,
    /// The client that runs the tools, if any; it is sent calls while replies stream.
    pub(crate) client: Client,
    /// The number of requests, those of recovery steps included.
    pub(crate) count: u32,
    pub(crate) usage: Usage,
    /// Calls that the model only quoted, in order.
    pub(crate) quoted: Vec<QuotedCall>,
    /// Whether the latest reply has a quoted call.
    pub(crate) is_quoting: bool,
    /// Whether the latest reply repeated itself and was cut off there.
    pub(crate) is_repeating: bool,
    /// The time of the latest request.
    pub(crate) sent_at: Instant,
    /// The duration of the latest reply.
    pub(crate) reply_took: Duration,
}

impl ModelRequests {
    /// No requests yet, with the agent's sampling parameters.
    pub(crate) fn new(shared: &Shared, events: Emitter<Event>, client: Client) -> Self {
        Self {
            events,
            model: shared.model.id().to_owned(),
            generation: shared.options.generation.clone(),
            client,
            count: 0,
            usage: Usage::default(),
            quoted: Vec::new(),
            is_quoting: false,
            is_repeating: false,
            sent_at: Instant::now(),
            reply_took: Duration::ZERO,
        }
    }

    /// The model's full name.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// Sends a request to the model and returns the whole reply. Its chunks are events while they
    /// arrive.
    pub(crate) async fn send(
        &mut self,
        request: &ModelRequest,
        record: &mut AttemptRecorder,
    ) -> Result<AiMessage, AgentError> {
        let options = CallOptions {
            generation: self.generation_for(&request.options.generation),
            queue_share: self.client.queue_share(),
            client_document: self.client.document(),
            request_context: self.client.context(),
            ..request.options.clone()
        };
        // The bound model even without tools: some servers require the tools of earlier calls.
        let tools = &request.tools;
        let stream = tools.model.stream(&request.messages, &options);
        self.count += 1;
        let round = self.count;
        let offered = if request.offers_tools() {
            tools.names.clone()
        } else {
            Vec::new()
        };
        let tools = offered;
        self.events.emit(Event::RoundStarted { round, tools }).await;
        self.sent_at = Instant::now();
        let span = trace::chat(&self.model);
        let quoted_before = self.quoted.len();
        let collected = self.collect(stream, request.offers_tools(), record);
        let reply = collected.instrument(span.clone()).await;
        trace::end_chat(&span, &reply);
        self.is_quoting = self.quoted.len() > quoted_before;
        self.reply_took = self.sent_at.elapsed();
        let reply = reply?;
        record.replied(self.reply_took);
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

    /// The parameters of the agent, with those that a recovery step sets: its penalty of repetition
    /// counts, its token limit only where the user set none.
    fn generation_for(&self, step: &Generation) -> Generation {
        Generation {
            frequency_penalty: step.frequency_penalty.or(self.generation.frequency_penalty),
            max_tokens: self.generation.max_tokens.or(step.max_tokens),
            ..self.generation.clone()
        }
    }

    /// Emits the chunks of a reply. Calls go to the client, if there is one and the reply may
    /// have any.
    async fn collect(
        &mut self,
        mut stream: ChatStream,
        may_call: bool,
        record: &mut AttemptRecorder,
    ) -> Result<AiMessage, ModelError> {
        let to_client = may_call && self.client.is_there();
        self.client.begin_reply();
        self.is_repeating = false;
        let mut repetition = RepetitionDetector::default();
        while let Some(chunk) = stream.next().await {
            match chunk? {
                ChatChunk::Done(message) => {
                    if to_client {
                        let calls = &message.tool_calls;
                        self.client.complete(calls, &self.events).await;
                    }
                    return Ok(message);
                }
                ChatChunk::CallEnd { call, .. } if to_client => {
                    self.client.announce(call, &self.events).await;
                }
                ChatChunk::Quoted(quoted) => {
                    record.quoted_call();
                    self.quoted.push(quoted.clone());
                    self.events.emit(Event::QuotedCall(quoted)).await;
                }
                // A client reads the stream as the model sends it, and may end it.
                ChatChunk::Text(text) if !self.client.is_there() => {
                    let kept = repetition.push(&text);
                    self.events.emit(Event::Chunk(ChatChunk::Text(text))).await;
                    // Dropping the stream ends the request.
                    if let Some(kept) = kept {
                        self.is_repeating = true;
                        return Ok(AiMessage {
                            stop_reason: Some(StopReason::MaxTokens),
                            ..AiMessage::new(kept)
                        });
                    }
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
