//! Replies of the chat completions wire, whole or in chunks, read into a [`ReplyBuilder`].
//!
//! Which call a piece belongs to is decided in `calls.rs`. The `finish_reason` never decides
//! whether there are calls: services write `stop`, `tool_calls` and nothing at all beside them.

use haft_core::{ChatChunk, ModelError, ModelErrorKind, StopReason};
use haft_wire::openai::{CallPiece, Reply, ReplyChoice, ReplyPiece};
use serde_json::Value;

use super::calls::Calls;
use crate::http::{Frame, not_of_api};
use crate::reply::{Reading, ReplyBuilder};

/// A reply that is being read.
#[derive(Debug)]
pub(super) struct Decoder {
    builder: ReplyBuilder,
    calls: Calls,
    progress: Progress,
}

/// How far a reply has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing of a reply was seen.
    Nothing,
    /// It goes on.
    Started,
    /// It is complete as far as the model is concerned; a count of tokens may follow.
    Finished,
    /// The server says that nothing follows.
    Closed,
}

impl Decoder {
    /// A decoder of one reply.
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            calls: Calls::new(&reading.names),
            builder: ReplyBuilder::new(reading),
            progress: Progress::Nothing,
        }
    }

    /// Ends the reply with what the server could not read of it.
    pub(super) fn recover(mut self, output: &str) -> Vec<ChatChunk> {
        self.builder.recover(output);
        self.builder.finish()
    }

    /// Reads a frame and returns what it brought.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`] when it is not of this wire.
    pub(super) fn frame(&mut self, frame: &Frame) -> Result<Vec<ChatChunk>, ModelError> {
        if frame.data.trim() == "[DONE]" {
            if self.progress != Progress::Nothing {
                self.progress = Progress::Closed;
            }
            return Ok(Vec::new());
        }
        let response = Reply::read(&frame.data);
        let response = response.map_err(|error| not_of_api(&frame.data, &error))?;
        if let Some(usage) = response.usage() {
            self.builder.usage(usage);
        }
        let choices = response.choices.unwrap_or_default();
        // Only one alternative was asked for; the others would be mixed into it.
        let mut choices = choices.into_iter();
        let first = choices.find(|choice| choice.index.unwrap_or(0) == 0);
        match first {
            Some(choice) => self.choice(choice, frame.whole),
            None if frame.whole => return Err(no_choice(&frame.data)),
            None => {}
        }
        if frame.whole {
            self.progress = Progress::Closed;
        }
        Ok(self.builder.take_chunks())
    }

    /// How far the reply has come.
    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    /// Ends the reply.
    pub(super) fn finish(self) -> Vec<ChatChunk> {
        self.builder.finish()
    }

    fn choice(&mut self, choice: ReplyChoice, whole: bool) {
        // Some servers repeat the whole message so far beside each delta.
        let (piece, other) = if whole {
            (choice.message, choice.delta)
        } else {
            (choice.delta, choice.message)
        };
        if self.progress == Progress::Nothing {
            self.progress = Progress::Started;
        }
        if let Some(piece) = piece.or(other) {
            self.piece(piece);
        }
        let reason = choice.finish_reason.as_deref().unwrap_or_default();
        match reason {
            "length" => self.builder.stop(StopReason::MaxTokens),
            "content_filter" => self.builder.stop(StopReason::Refusal),
            _ => {}
        }
        if !reason.is_empty() {
            self.progress = Progress::Finished;
        }
    }

    fn piece(&mut self, piece: ReplyPiece) {
        // Servers that send both say the same twice.
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

    /// A part of a content that is a list: text, or thinking that is a list again (Mistral).
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
    .with_hint("is this address really an OpenAI-compatible server?")
    .with_detail(data.chars().take(500).collect::<String>())
}

#[cfg(test)]
mod tests;
