//! Decodes responses into replies, one frame at a time.

use std::collections::HashMap;

use haft_core::{ChatChunk, ModelError, ModelErrorKind, StopReason, Usage};
use serde_json::Value;

use super::fields::FieldCollector;
use super::wire::{self, Block, Delta, Event};
use crate::http::{self, Frame};
use crate::reply::{Reading, ReplyBuilder};

/// The decoder of one response.
#[derive(Debug)]
pub(super) struct Decoder {
    reply: ReplyBuilder,
    /// Calls whose blocks are still open, by block index.
    calls: HashMap<u64, OpenCall>,
    usage: wire::Usage,
    /// Whether the token limit cut the reply.
    is_cut: bool,
    complete: bool,
    /// Collects the fields that haft does not handle, if a client wants them.
    fields: Option<FieldCollector>,
}

/// A call that is still being received.
#[derive(Debug)]
struct OpenCall {
    /// The call's index in the reply.
    index: usize,
    /// The arguments in the block's start event; used only if no deltas follow.
    input: Value,
}

impl Decoder {
    /// Creates a decoder for one response.
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            fields: reading.keeps_fields.then(FieldCollector::default),
            reply: ReplyBuilder::new(reading),
            calls: HashMap::new(),
            usage: wire::Usage::default(),
            is_cut: false,
            complete: false,
        }
    }

    /// Decodes the next frame.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`] if the frame does not match the API,
    /// [`ModelErrorKind::Server`] if it reports a failure.
    pub(super) fn push(&mut self, frame: &Frame) -> Result<(), ModelError> {
        if frame.whole {
            self.whole(http::parse(&frame.data)?);
        } else {
            self.event(http::parse(&frame.data)?)?;
        }
        if let Some(fields) = &mut self.fields {
            self.reply
                .server_fields(fields.of(&frame.data, frame.whole));
        }
        Ok(())
    }

    /// The chunks decoded since the last call.
    pub(super) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        self.reply.take_chunks()
    }

    /// Whether the reply is complete and no frame may follow.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The remaining chunks of the reply.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::CutStream`] if the response was not complete.
    pub(super) fn finish(self) -> Result<Vec<ChatChunk>, ModelError> {
        if !self.complete {
            return Err(ModelError::new(
                ModelErrorKind::CutStream,
                "The reply ended before it was complete",
            )
            .with_hint("try again; if it happens often, check the network and the server"));
        }
        Ok(self.reply.finish())
    }

    fn whole(&mut self, answer: wire::Response) {
        self.stopped(answer.stop_reason.as_deref());
        let last = answer.content.len().saturating_sub(1);
        for (place, block) in answer.content.into_iter().enumerate() {
            let number = u64::try_from(place).unwrap_or(u64::MAX);
            self.block(number, block);
            // The server completes the arguments of an unfinished call to an object, so nothing
            // shows whether the last call of a truncated reply is complete.
            match self.calls.get(&number) {
                Some(call) if self.is_cut && place == last => self.reply.cut_call(call.index),
                _ => self.block_end(number),
            }
        }
        self.count(answer.usage);
        self.complete = true;
    }

    fn event(&mut self, event: Event) -> Result<(), ModelError> {
        match event {
            Event::MessageStart { message } => self.count(message.usage),
            Event::ContentBlockStart {
                index,
                content_block,
            } => self.block(index, content_block),
            Event::ContentBlockDelta { index, delta } => self.delta(index, delta),
            Event::ContentBlockStop { index } => self.block_end(index),
            Event::MessageDelta { delta, usage } => {
                self.stopped(delta.stop_reason.as_deref());
                self.count(usage);
            }
            Event::MessageStop {} => self.complete = true,
            Event::Error { error } => {
                let message = format!("The model server failed: {}", error.message);
                return Err(ModelError::new(ModelErrorKind::Server, message));
            }
            Event::Ping {} | Event::Unknown => {}
        }
        Ok(())
    }

    fn block(&mut self, place: u64, block: Block) {
        match block {
            Block::Text { text } => self.reply.text(&text),
            Block::ToolUse { id, name, input } => {
                let index = self.reply.start_call(Some(&id), &name);
                self.calls.insert(place, OpenCall { index, input });
            }
            Block::Thinking {
                thinking,
                signature,
            } => {
                self.reply.start_thought();
                self.thought(&thinking, &signature);
            }
            Block::RedactedThinking { data } => self.reply.redacted_thinking(&data),
            _ => {}
        }
    }

    fn delta(&mut self, place: u64, delta: Delta) {
        match delta {
            Delta::Text { text } => self.reply.text(&text),
            Delta::Thinking { thinking } => self.thought(&thinking, ""),
            Delta::Signature { signature } => self.thought("", &signature),
            Delta::InputJson { partial_json } => {
                // Blocks of server-side tools have such deltas too.
                if let Some(call) = self.calls.get_mut(&place) {
                    if !partial_json.is_empty() {
                        call.input = Value::Null;
                    }
                    self.reply.extend_arguments(call.index, &partial_json);
                }
            }
            Delta::Unknown => {}
        }
    }

    fn block_end(&mut self, place: u64) {
        if let Some(call) = self.calls.remove(&place) {
            if matches!(&call.input, Value::Object(input) if !input.is_empty()) {
                self.reply
                    .extend_arguments(call.index, &call.input.to_string());
            }
            // The block of a truncated call ends like any other, and the stop reason comes later.
            // Incomplete arguments wait for it.
            if self.reply.has_whole_arguments(call.index) {
                self.reply.end_call(call.index);
            }
        }
    }

    /// Adds reasoning. An empty signature, as llama-server sends it, is ignored.
    fn thought(&mut self, thinking: &str, signature: &str) {
        self.reply.reasoning(thinking);
        if !signature.is_empty() {
            self.reply.signature(signature);
        }
    }

    fn stopped(&mut self, reason: Option<&str>) {
        match reason {
            Some("max_tokens" | "model_context_window_exceeded") => {
                self.is_cut = true;
                self.reply.stop(StopReason::MaxTokens);
            }
            Some("refusal") => self.reply.stop(StopReason::Refusal),
            _ => {}
        }
    }

    /// Updates the token counts; newer counts replace older ones.
    fn count(&mut self, report: wire::Usage) {
        let usage = &mut self.usage;
        usage.input_tokens = report.input_tokens.or(usage.input_tokens);
        usage.output_tokens = report.output_tokens.or(usage.output_tokens);
        usage.cache_read_input_tokens = report
            .cache_read_input_tokens
            .or(usage.cache_read_input_tokens);
        usage.cache_creation_input_tokens = report
            .cache_creation_input_tokens
            .or(usage.cache_creation_input_tokens);
        let read = usage.cache_read_input_tokens.unwrap_or(0);
        let prompt = [
            usage.input_tokens,
            usage.cache_creation_input_tokens,
            Some(read),
        ];
        self.reply.usage(Usage {
            input_tokens: prompt.iter().flatten().fold(0, |a, b| a.saturating_add(*b)),
            output_tokens: usage.output_tokens.unwrap_or(0),
            cached_input_tokens: read,
        });
    }
}

#[cfg(test)]
mod tests;
