//! The conversations of a server.
//!
//! Home Assistant opens a connection for each sentence and names the conversation that it belongs
//! to; other clients stay connected and send no name. Each connection without a name has a
//! conversation of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use crate::Assistant;

/// The maximum number of conversations; the ones that were idle for the longest time are dropped.
const MOST: usize = 256;
/// The maximum length of a name in bytes.
const MAX_NAME: usize = 256;

/// Conversations by name.
#[derive(Debug)]
pub(super) struct Conversations {
    /// The assistant that each conversation copies.
    assistant: Assistant,
    known: Mutex<HashMap<String, KnownConversation>>,
}

#[derive(Debug)]
struct KnownConversation {
    conversation: Arc<Conversation>,
    last_used: Instant,
}

/// One conversation; answers in it are given one at a time.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) assistant: Assistant,
    pub(super) turn: tokio::sync::Mutex<()>,
}

impl Conversations {
    pub(super) fn new(assistant: Assistant) -> Self {
        Self {
            assistant,
            known: Mutex::default(),
        }
    }

    /// A conversation without a name.
    pub(super) fn begin(&self) -> Arc<Conversation> {
        Arc::new(Conversation {
            assistant: self.assistant.with_own_conversation(),
            turn: tokio::sync::Mutex::default(),
        })
    }

    /// The conversation with this name; `None` for an invalid name.
    pub(super) fn named(&self, name: &str) -> Option<Arc<Conversation>> {
        if name.is_empty() || name.len() > MAX_NAME {
            return None;
        }
        let now = Instant::now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get_mut(name) {
            known.last_used = now;
            return Some(Arc::clone(&known.conversation));
        }
        if known.len() >= MOST {
            let oldest = known.iter().min_by_key(|(_, known)| known.last_used);
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.and_then(|name| known.remove(&name));
        }
        let conversation = self.begin();
        let entry = KnownConversation {
            conversation: Arc::clone(&conversation),
            last_used: now,
        };
        known.insert(name.to_owned(), entry);
        Some(conversation)
    }
}
