//! Marks the first question of a conversation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::Message;

/// Whether the first question of a conversation was counted. Clones share the mark, so only one
/// question of a conversation is counted as the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstQuery(Arc<AtomicBool>);

impl FirstQuery {
    /// The mark of a conversation that the caller keeps. If it has a reply of the model, its first
    /// question was counted before.
    pub(crate) fn of(messages: &[Message]) -> Self {
        let counted = messages
            .iter()
            .any(|message| matches!(message, Message::Ai(_)));
        Self(Arc::new(AtomicBool::new(counted)))
    }

    /// True until the first question is counted.
    pub(crate) fn is_ahead(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// Counts a question: true for the first, false for all later ones.
    pub(crate) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::Relaxed)
    }
}
