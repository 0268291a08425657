//! Decodes replies into chunks, one line of a stream or one whole reply at a time.

use haft_core::{ChatChunk, ModelError, ModelErrorKind, StopReason, Usage};

use super::fields::fields_of;
use super::prompt::Prompt;
use super::wire::ChatResponse;
use crate::reply::{Reading, ReplyBuilder};

#[derive(Debug)]
pub(crate) struct ReplyDecoder {
    builder: ReplyBuilder,
    prompt: Prompt,
    complete: bool,
    /// Whether the server only reported that it loaded the model.
    loaded: bool,
}

impl ReplyDecoder {
    /// Creates a decoder for the reply to `prompt`.
    pub(super) fn new(reading: Reading, prompt: Prompt) -> Self {
        Self {
            builder: ReplyBuilder::new(reading),
            prompt,
            complete: false,
            loaded: false,
        }
    }

    /// Decodes the next piece. `whole` pieces are complete unless they say otherwise.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::ContextOverflow`] if the server did not read the whole prompt.
    pub(crate) fn push(&mut self, piece: &ChatResponse, whole: bool) -> Result<(), ModelError> {
        let message = &piece.message;
        self.builder
            .reasoning(message.thinking.as_deref().unwrap_or_default());
        self.builder.text(&message.content);
        for call in &message.tool_calls {
            let function = &call.function;
            self.builder
                .whole_call(call.id.as_deref(), &function.name, &function.arguments);
        }
        if !piece.done.unwrap_or(whole) {
            return Ok(());
        }
        if piece.done_reason.as_deref() == Some("load") && self.builder.is_empty() {
            self.loaded = true;
            return Ok(());
        }
        self.end(piece)
    }

    /// Collects the fields of a piece that haft does not handle, if a client wants them.
    pub(super) fn note_fields(&mut self, data: &str) {
        if self.builder.keeps_fields() {
            self.builder.server_fields(fields_of(data));
        }
    }

    fn end(&mut self, piece: &ChatResponse) -> Result<(), ModelError> {
        self.complete = true;
        if piece.prompt_eval_count.is_some() || piece.eval_count.is_some() {
            self.builder.usage(Usage {
                input_tokens: piece.prompt_eval_count.unwrap_or_default(),
                output_tokens: piece.eval_count.unwrap_or_default(),
                cached_input_tokens: 0,
            });
        }
        if piece.done_reason.as_deref() == Some("length") {
            self.builder.stop(StopReason::MaxTokens);
        }
        self.prompt.check(piece.prompt_eval_count)
    }

    /// Whether the server's end marker was received.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The chunks decoded since the last call.
    pub(crate) fn take_chunks(&mut self) -> Vec<ChatChunk> {
        self.builder.take_chunks()
    }

    /// Completes the reply with the output that the server reports in an error because it could not
    /// parse it; any other error is returned.
    pub(crate) fn recovered(self, error: ModelError) -> Result<Vec<ChatChunk>, ModelError> {
        self.builder.recovered(error)
    }

    /// The last chunks of a complete reply.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::CutStream`] if the end marker is missing, [`ModelErrorKind::EmptyBody`] if
    /// the server only loaded the model.
    pub(crate) fn finish(self) -> Result<Vec<ChatChunk>, ModelError> {
        if self.complete {
            return Ok(self.builder.finish());
        }
        if self.loaded && self.builder.is_empty() {
            return Err(ModelError::new(
                ModelErrorKind::EmptyBody,
                "The model server loaded the model and gave no reply",
            )
            .with_hint("try again"));
        }
        Err(ModelError::new(
            ModelErrorKind::CutStream,
            "The reply ended before it was complete",
        )
        .with_hint("try again; if it happens often, check the log of `ollama serve`"))
    }
}

#[cfg(test)]
mod tests;
