//! The parts of a reply that were sent so far, in the form in which the client will send them back.

use haft_core::{AiMessage, ChatChunk, Content, ContentBlock, Message, ToolCall};

/// The parts that were sent so far.
pub(super) struct Sent {
    pub(super) message: AiMessage,
    /// The ids of the calls that were streamed in pieces, in order.
    pub(super) in_pieces: Vec<String>,
    /// Calls that were sent with another id.
    renamed: Vec<Renamed>,
}

/// A call whose id the conversation already had.
struct Renamed {
    /// The id from the model.
    from: String,
    /// The id that the client received.
    to: String,
}

impl Default for Sent {
    fn default() -> Self {
        Self {
            message: AiMessage::new(Content::Blocks(Vec::new())),
            in_pieces: Vec::new(),
            renamed: Vec::new(),
        }
    }
}

impl Sent {
    /// Records a chunk; returns false if it must not be sent.
    pub(super) fn note(&mut self, chunk: &ChatChunk) -> bool {
        let Content::Blocks(blocks) = &mut self.message.content else {
            return false;
        };
        match (chunk, blocks.last_mut()) {
            (ChatChunk::Text(more), Some(ContentBlock::Text { text })) => text.push_str(more),
            (ChatChunk::Text(text), _) => blocks.push(ContentBlock::Text { text: text.clone() }),
            (
                ChatChunk::Reasoning(more),
                Some(ContentBlock::Thinking {
                    thinking,
                    signature: None,
                }),
            ) => thinking.push_str(more),
            (ChatChunk::Reasoning(thinking), _) => blocks.push(ContentBlock::Thinking {
                thinking: thinking.clone(),
                signature: None,
            }),
            (ChatChunk::Signature(more), Some(ContentBlock::Thinking { signature, .. })) => {
                signature.get_or_insert_default().push_str(more);
            }
            (ChatChunk::Signature(new), _) => blocks.push(ContentBlock::Thinking {
                thinking: String::new(),
                signature: Some(new.clone()),
            }),
            (ChatChunk::RedactedThinking(data), _) => {
                blocks.push(ContentBlock::RedactedThinking { data: data.clone() });
            }
            _ => return false,
        }
        true
    }

    /// Whether any part was recorded.
    pub(super) fn has_begun(&self) -> bool {
        !self.message.content.blocks().is_empty()
            || !self.message.tool_calls.is_empty()
            || !self.in_pieces.is_empty()
    }

    /// Records a whole call; the model's id for it is `id`.
    pub(super) fn call(&mut self, id: String, call: ToolCall) {
        if call.id != id {
            let to = call.id.clone();
            self.renamed.push(Renamed { from: id, to });
        }
        self.message.tool_calls.push(call);
    }

    /// Withdraws a call that was not sent yet.
    pub(super) fn retract(&mut self, place: usize) {
        if place < self.message.tool_calls.len() {
            self.message.tool_calls.remove(place);
        }
    }

    /// Whether this call was streamed in pieces.
    pub(super) fn is_out_in_pieces(&self, id: &str) -> bool {
        self.in_pieces.iter().any(|out| out == id)
    }

    /// True if no call was sent whole.
    pub(super) fn is_all_in_pieces(&self) -> bool {
        let mut calls = self.message.tool_calls.iter();
        calls.all(|call| self.is_out_in_pieces(&call.id))
    }

    /// The model's messages with the ids that were sent.
    pub(super) fn as_sent(&self, messages: &[Message]) -> Vec<Message> {
        let mut messages = messages.to_vec();
        for message in &mut messages {
            if let Message::Ai(reply) = message {
                for call in &mut reply.tool_calls {
                    if let Some(renamed) = self.renamed.iter().find(|one| one.from == call.id) {
                        call.id.clone_from(&renamed.to);
                    }
                }
            }
        }
        messages
    }
}
