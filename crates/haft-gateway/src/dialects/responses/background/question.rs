//! The question that a run is asked.

use haft_core::{Message, ModelError};

use crate::dialects::responses::refused;

/// What a run is asked: the last message of a conversation.
pub(super) struct Question {
    pub(super) text: String,
    /// The conversation before it.
    pub(super) before: Vec<Message>,
}

impl Question {
    pub(super) fn of(mut messages: Vec<Message>) -> Result<Self, ModelError> {
        let Some(Message::Human(last)) = messages.pop() else {
            return Err(refused(
                "In the background the last item must be a message of the user",
            ));
        };
        let text = last.content.text();
        if last.content.images().next().is_some() {
            return Err(refused("In the background the last message must be text"));
        }
        if text.trim().is_empty() {
            return Err(refused("The last message is empty"));
        }
        Ok(Self {
            text,
            before: messages,
        })
    }
}
