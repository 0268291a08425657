//! The rounds that a client does not see: calls of tools that ran at the gateway, and their
//! results.
//!
//! If a reply also had calls for the client, the client sends them back with their results. The
//! hidden rounds are then inserted before the client's calls, so that the model sees the complete
//! history.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use haft_core::{AiMessage, Message};

/// The maximum number of stored replies: a conversation needs one for each turn with calls for both
/// sides.
const KEPT: usize = 256;

/// The stored rounds of each reply, the latest last.
#[derive(Debug, Default)]
pub(crate) struct HiddenRounds(Mutex<VecDeque<Rounds>>);

#[derive(Debug)]
struct Rounds {
    /// The id of the first call that the client got.
    call: String,
    messages: Vec<Message>,
}

impl HiddenRounds {
    /// Stores the messages of a turn that gave this call to the client.
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

    /// True if nothing is stored.
    pub(crate) fn is_empty(&self) -> bool {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.is_empty()
    }

    /// The conversation with its hidden rounds.
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
