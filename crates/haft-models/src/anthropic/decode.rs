//! Answers to replies: a push decoder, one frame at a time.

use std::collections::HashMap;

use haft_core::{ChatChunk, ModelError, ModelErrorKind, StopReason, Usage};
use serde_json::Value;

use super::wire::{self, Block, Delta, Event};
use crate::http::{self, Frame};
use crate::reply::{Reading, ReplyBuilder};

/// The decoder of one answer.
#[derive(Debug)]
pub(super) struct Decoder {
    reply: ReplyBuilder,
    /// Calls whose blocks are open, by the place of the block.
    calls: HashMap<u64, OpenCall>,
    usage: wire::Usage,
    complete: bool,
}

/// A call on its way.
#[derive(Debug)]
struct OpenCall {
    /// Its index in the reply.
    index: usize,
    /// The arguments that came with its start, which count only if nothing follows.
    input: Value,
}

impl Decoder {
    /// A decoder of one answer.
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            reply: ReplyBuilder::new(reading),
            calls: HashMap::new(),
            usage: wire::Usage::default(),
            complete: false,
        }
    }

    /// Takes the next frame.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`] when it is not of this API, [`ModelErrorKind::Server`] when
    /// it reports a failure.
    pub(super) fn push(&mut self, frame: &Frame) -> Result<(), ModelError> {
        if frame.whole {
            self.whole(http::parse(&frame.data)?);
            return Ok(());
        }
        self.event(http::parse(&frame.data)?)
    }

    /// What there is to tell since the last time.
    pub(super) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        self.reply.take_chunks()
    }

    /// True when nothing may follow.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The rest of the reply.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::CutStream`] when the answer was not complete.
    pub(super) fn finish(self) -> Result<Vec<ChatChunk>, ModelError> {
        if !self.complete {
            return Err(ModelError::new(
                ModelErrorKind::CutStream,
                "The reply ended before it was complete",
            )
            .with_hint("ask again; if it happens often, look at the network and the server"));
        }
        Ok(self.reply.finish())
    }

    fn whole(&mut self, answer: wire::Response) {
        for (place, block) in (0..).zip(answer.content) {
            self.block(place, block);
            self.block_end(place);
        }
        self.stopped(answer.stop_reason.as_deref());
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
                // Blocks of tools that the server runs by itself have such deltas too.
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
            self.reply.end_call(call.index);
        }
    }

    /// An empty signature, as llama-server sends it, signs nothing.
    fn thought(&mut self, thinking: &str, signature: &str) {
        self.reply.reasoning(thinking);
        if !signature.is_empty() {
            self.reply.signature(signature);
        }
    }

    fn stopped(&mut self, reason: Option<&str>) {
        match reason {
            Some("max_tokens" | "model_context_window_exceeded") => {
                self.reply.stop(StopReason::MaxTokens);
            }
            Some("refusal") => self.reply.stop(StopReason::Refusal),
            _ => {}
        }
    }

    /// Takes what a report says over what an earlier one said.
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
