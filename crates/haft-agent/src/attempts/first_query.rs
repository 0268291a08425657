//! Which question is the first one of its conversation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::Message;

/// The mark that a conversation's first question has yet to be counted. All clones are the same
/// mark, so of several questions at once only one is the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstQuery(Arc<AtomicBool>);

impl FirstQuery {
    /// The mark of a conversation that somebody else keeps: one in which the model has already
    /// spoken has had its first question.
    pub(crate) fn of(messages: &[Message]) -> Self {
        let counted = messages
            .iter()
            .any(|message| matches!(message, Message::Ai(_)));
        Self(Arc::new(AtomicBool::new(counted)))
    }

    /// True as long as nobody has come.
    pub(crate) fn is_ahead(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// True for whoever comes first, and never again.
    pub(crate) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::Relaxed)
    }
}
