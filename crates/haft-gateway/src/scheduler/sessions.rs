//! Which upstream a conversation went to last: it has the conversation's beginning in its cache.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use haft_core::Message;

/// The maximum number of remembered conversations; a household has dozens, an office hundreds.
const KEPT: usize = 4096;

/// The conversations.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The upstream, and when it was used, counted in requests.
    used: HashMap<u64, (usize, u64)>,
}

impl Sessions {
    pub(super) fn upstream(&self, session: u64) -> Option<usize> {
        self.used.get(&session).map(|(upstream, _)| *upstream)
    }

    /// The conversation went to this upstream with the request of this number.
    pub(super) fn went(&mut self, session: u64, upstream: usize, number: u64) {
        self.used.insert(session, (upstream, number));
        if self.used.len() > KEPT {
            // All at once, so that it costs little for each.
            let mut numbers: Vec<u64> = self.used.values().map(|(_, number)| *number).collect();
            let middle = numbers.len() / 2;
            let (_, oldest_kept, _) = numbers.select_nth_unstable(middle);
            let oldest_kept = *oldest_kept;
            self.used.retain(|_, (_, number)| *number >= oldest_kept);
        }
    }
}

/// The conversation that these messages belong to, by its model and its beginning: what stands
/// before the first answer is the same in each of its requests.
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
