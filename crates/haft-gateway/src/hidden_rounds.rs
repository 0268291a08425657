//! The rounds that a client does not see: calls of tools that ran here, and their results.
//!
//! A client that answers its own calls of such a reply sends back what it saw. The model is shown
//! what was: the rounds are put back where the client's calls stand.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use haft_core::{AiMessage, Message};

/// The maximum number of remembered replies: a conversation needs one for each turn in which both
/// sides had calls.
const KEPT: usize = 256;

/// The replies whose rounds are remembered, the latest last.
#[derive(Debug, Default)]
pub(crate) struct HiddenRounds(Mutex<VecDeque<Rounds>>);

#[derive(Debug)]
struct Rounds {
    /// The id of the first call that the client got.
    call: String,
    messages: Vec<Message>,
}

impl HiddenRounds {
    /// Remembers what the model said and was told in a turn that gave this call to the client.
    pub(crate) fn keep(&self, call: &str, messages: Vec<Message>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back(Rounds {
            call: call.to_owned(),
            messages,
        });
    }

    /// Whether nothing is remembered.
    pub(crate) fn is_empty(&self) -> bool {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.is_empty()
    }

    /// The conversation as the model knows it.
    pub(crate) fn restored(&self, messages: Vec<Message>) -> Vec<Message> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            return messages;
        }
        let mut restored = Vec::with_capacity(messages.len());
        for message in messages {
            let rounds = match &message {
                Message::Ai(reply) => first_call(reply)
                    .and_then(|call| kept.iter().rev().find(|rounds| rounds.call == call)),
                _ => None,
            };
            match rounds {
                Some(rounds) => restored.extend(rounds.messages.iter().cloned()),
                None => restored.push(message),
            }
        }
        restored
    }
}

fn first_call(reply: &AiMessage) -> Option<&str> {
    reply.tool_calls.first().map(|call| call.id.as_str())
}

#[cfg(test)]
mod tests;
