//! The messages of one question, and which of them a request omits.
//!
//! The conversation itself stays complete. If prompt and reply would not fit into the model's
//! context, [`Conversation::fit`] omits results of earlier calls from the requests, oldest first;
//! the model reads a note in their place.

use std::collections::BTreeSet;

use haft_core::{Content, Message, ToolMessage, estimated_tokens};

use crate::context::{AROUND_MESSAGE, SHARE, tokens_of};

/// The text in place of an omitted result.
const MARK: &str =
    "[This earlier result was left out to make room. Call the tool again if needed.]";

/// A conversation that only grows.
#[derive(Debug)]
pub(crate) struct Conversation {
    messages: Vec<Message>,
    /// Indexes of the tool results that are omitted from requests.
    left_out: BTreeSet<usize>,
}

impl Conversation {
    pub(crate) fn new(messages: Vec<Message>) -> Self {
        Self {
            messages,
            left_out: BTreeSet::new(),
        }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Takes the messages out, for the answer.
    pub(crate) fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    pub(crate) fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The latest message of the user.
    pub(crate) fn question(&self) -> Option<&Content> {
        let mut messages = self.messages.iter().rev();
        messages.find_map(|message| match message {
            Message::Human(question) => Some(&question.content),
            _ => None,
        })
    }

    /// The messages as a request has them.
    pub(crate) fn to_send(&self) -> Vec<Message> {
        let as_sent = |(index, message): (usize, &Message)| match message {
            Message::Tool(result) if self.left_out.contains(&index) => Message::Tool(ToolMessage {
                content: MARK.into(),
                ..result.clone()
            }),
            other => other.clone(),
        };
        self.messages.iter().enumerate().map(as_sent).collect()
    }

    /// Omits earlier results when messages and tools leave too little of a context of this size
    /// for the reply, and returns a phrase for each result that is omitted now.
    ///
    /// Results are omitted until the rest takes half of the context: more than needed keeps the
    /// prompt stable for longer, which the server's prompt cache needs.
    pub(crate) fn fit(&mut self, context: u64, tokens_of_tools: u64) -> Vec<String> {
        let mut size = tokens_of_tools;
        for (index, message) in self.messages.iter().enumerate() {
            size += if self.left_out.contains(&index) {
                estimated_tokens(MARK) + AROUND_MESSAGE
            } else {
                tokens_of(message)
            };
        }
        if size <= context - context / SHARE {
            return Vec::new();
        }
        // The model has not read the results of the latest calls yet: those stay.
        let latest = |message: &Message| matches!(message, Message::Ai(reply) if reply.has_calls());
        let latest = self.messages.iter().rposition(latest).unwrap_or(0);
        let mut omitted = Vec::new();
        for (index, message) in self.messages.iter().enumerate().take(latest) {
            let Message::Tool(result) = message else {
                continue;
            };
            let saved = tokens_of(message).saturating_sub(estimated_tokens(MARK));
            if size <= context / 2 || saved == 0 || !self.left_out.insert(index) {
                continue;
            }
            size = size.saturating_sub(saved);
            let name = result.name.as_deref().unwrap_or("a tool");
            omitted.push(format!("an earlier result of {name}"));
        }
        omitted
    }
}

#[cfg(test)]
mod tests;
