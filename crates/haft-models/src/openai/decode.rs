//! Decodes whole or streamed chat completions into a [`ReplyBuilder`].
//!
//! `calls.rs` assigns pieces to calls. `finish_reason` does not decide whether there are calls:
//! with calls, services send `stop`, `tool_calls` or nothing.

use std::mem::take;

use super::wire::{CallPiece, Reply, ReplyChoice, ReplyPiece};
use haft_core::{ChatChunk, ModelError, ModelErrorKind, ServerFields, StopReason};
use serde_json::Value;

use super::calls::Calls;
use super::fields::FieldCollector;
use crate::http::{Frame, parse};
use crate::reply::{Reading, ReplyBuilder};

#[derive(Debug)]
pub(super) struct Decoder {
    builder: ReplyBuilder,
    calls: Calls,
    progress: Progress,
    /// Collects the fields that haft does not handle, if a client wants them.
    fields: Option<FieldCollector>,
}

/// The state of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing was received yet.
    Nothing,
    /// The reply has begun.
    Started,
    /// The model has finished; token counts may follow.
    Finished,
    /// The server ended the stream.
    Closed,
}

impl Decoder {
    /// Creates a decoder for one reply.
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            calls: Calls::new(&reading.names),
            fields: reading.keeps_fields.then(FieldCollector::default),
            builder: ReplyBuilder::new(reading),
            progress: Progress::Nothing,
        }
    }

    /// Completes the reply with the output that the server reports in an error because it could not
    /// parse it; any other error is returned.
    pub(super) fn recovered(self, error: ModelError) -> Result<Vec<ChatChunk>, ModelError> {
        self.builder.recovered(error)
    }

    /// Decodes a frame and returns its chunks.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`] if the frame does not match the API.
    pub(super) fn frame(&mut self, frame: &Frame) -> Result<Vec<ChatChunk>, ModelError> {
        if frame.data.trim() == "[DONE]" {
            if self.progress != Progress::Nothing {
                self.progress = Progress::Closed;
            }
            return Ok(Vec::new());
        }
        let mut reply: Reply = parse(&frame.data)?;
        if let Some(usage) = reply.usage() {
            self.builder.usage(usage);
        }
        let fields = self.fields.as_mut();
        let fields = fields
            .map(|fields| fields.of(&mut reply, frame.whole))
            .unwrap_or_default();
        // A refusal is known as one before its text.
        let (before, after) = if fields.message.contains_key("refusal") {
            (fields, ServerFields::default())
        } else {
            (ServerFields::default(), fields)
        };
        self.builder.server_fields(before);
        match reply.choice() {
            Some(choice) => self.choice(choice, frame.whole),
            None if frame.whole => return Err(no_choice(&frame.data)),
            None => {}
        }
        self.builder.server_fields(after);
        if frame.whole {
            self.progress = Progress::Closed;
        }
        Ok(self.builder.take_chunks())
    }

    /// The state of the reply.
    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    /// Ends the reply and returns its last chunks.
    pub(super) fn finish(self) -> Vec<ChatChunk> {
        self.builder.finish()
    }

    fn choice(&mut self, choice: &mut ReplyChoice, whole: bool) {
        if self.progress == Progress::Nothing {
            self.progress = Progress::Started;
        }
        if let Some(piece) = choice.piece(whole) {
            self.piece(take(piece));
        }
        let reason = choice.finish_reason.as_deref().unwrap_or_default();
        match reason {
            // As OpenAI has it, then Mistral, then gateways before other models.
            "length" | "model_length" | "max_tokens" | "MAX_TOKENS" => {
                self.builder.stop(StopReason::MaxTokens);
            }
            "content_filter" => self.builder.stop(StopReason::Refusal),
            _ => {}
        }
        if !reason.is_empty() {
            self.progress = Progress::Finished;
        }
    }

    fn piece(&mut self, piece: ReplyPiece) {
        // Servers that send both fields repeat the text.
        let thought = [&piece.reasoning_content, &piece.reasoning];
        let thought = thought.into_iter().flatten().find(|text| !text.is_empty());
        if let Some(thought) = thought {
            self.builder.reasoning(thought);
        }
        match &piece.content {
            Some(Value::String(text)) => self.builder.text(text),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part)),
            _ => {}
        }
        if let Some(refusal) = piece.refusal.as_deref().filter(|text| !text.is_empty()) {
            self.builder.text(refusal);
            self.builder.stop(StopReason::Refusal);
        }
        if let (true, Some(function)) = (piece.tool_calls.is_empty(), piece.function_call) {
            let call = CallPiece {
                function: Some(function),
                ..CallPiece::default()
            };
            self.calls.piece(call, &mut self.builder);
        }
        for call in piece.tool_calls {
            self.calls.piece(call, &mut self.builder);
        }
    }

    /// A part of a content list: text, or reasoning, which is again a list (Mistral).
    fn part(&mut self, part: &Value) {
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            self.builder.text(text);
        }
        match part.get("thinking") {
            Some(Value::String(text)) => self.builder.reasoning(text),
            Some(Value::Array(thoughts)) => {
                for text in thoughts
                    .iter()
                    .filter_map(|part| part.get("text")?.as_str())
                {
                    self.builder.reasoning(text);
                }
            }
            _ => {}
        }
    }
}

fn no_choice(data: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Malformed,
        "The model server's reply holds no answer",
    )
    .with_hint("check that the address is an OpenAI-compatible server")
    .with_detail(data.chars().take(500).collect::<String>())
}

#[cfg(test)]
mod tests;
