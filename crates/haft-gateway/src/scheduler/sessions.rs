//! Remembers the last upstream of each conversation, which has the conversation's beginning in its
//! cache.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use haft_core::Message;

/// The maximum number of remembered conversations; a household has dozens, an office hundreds.
const KEPT: usize = 4096;

/// The conversations.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The upstream of each conversation, and the number of the request that used it last.
    used: HashMap<u64, (usize, u64)>,
}

impl Sessions {
    pub(super) fn upstream(&self, session: u64) -> Option<usize> {
        self.used.get(&session).map(|(upstream, _)| *upstream)
    }

    /// Records that the conversation used this upstream with the request of this number.
    pub(super) fn went(&mut self, session: u64, upstream: usize, number: u64) {
        self.used.insert(session, (upstream, number));
        if self.used.len() > KEPT {
            // Old entries are removed in one go, so that the cost per request is low.
            let mut numbers: Vec<u64> = self.used.values().map(|(_, number)| *number).collect();
            let middle = numbers.len() / 2;
            let (_, oldest_kept, _) = numbers.select_nth_unstable(middle);
            let oldest_kept = *oldest_kept;
            self.used.retain(|_, (_, number)| *number >= oldest_kept);
        }
    }
}

/// Identifies a conversation by its model and its messages before the first answer, which are the
/// same in each of its requests once the lines that change with every request are left out
/// ([`StablePrefix::stable`](haft_models::StablePrefix::stable)).
pub(super) fn session_of(model: &str, messages: &[Message]) -> u64 {
    let mut hasher = DefaultHasher::new();
    model.hash(&mut hasher);
    for message in messages {
        match message {
            Message::Ai(_) | Message::Tool(_) => break,
            Message::System(_) | Message::Human(_) => {}
        }
        message.content().text().hash(&mut hasher);
        if matches!(message, Message::Human(_)) {
            break;
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
