//! The tools of one question: all there are, and those that the model is offered.

use std::sync::Arc;

use haft_core::{Emitter, Event, Message, ModelError};

use crate::selection::{Toolset, Toolsets};

/// The tools of one question: all there are, and those that the model is offered now.
#[derive(Debug)]
pub(crate) struct QuestionTools {
    pub(crate) all: Arc<Toolsets>,
    pub(crate) offered: Arc<Toolset>,
}

impl QuestionTools {
    /// Offers all tools, until [`choose`](Self::choose) selects some.
    pub(crate) fn new(all: Arc<Toolsets>) -> Self {
        Self {
            offered: all.whole.clone(),
            all,
        }
    }

    /// Selects the tools of a conversation and reports those left out.
    pub(crate) async fn choose(
        &mut self,
        conversation: &[Message],
        events: &Emitter<Event>,
    ) -> Result<(), ModelError> {
        let chosen = self.all.choose(conversation)?;
        self.offered = chosen.toolset;
        if chosen.left_out.is_empty() {
            return Ok(());
        }
        let reason = chosen.reason.unwrap_or_default();
        let bound = self.offered.names.clone();
        let whole = self.all.whole.tokens;
        let tokens_saved = whole.saturating_sub(self.offered.tokens);
        tracing::info!(
            reason,
            tokens_saved,
            bound = bound.join(", "),
            "tools chosen"
        );
        let left_out = chosen.left_out;
        let event = Event::ToolsChosen {
            bound,
            left_out,
            reason,
            tokens_saved,
        };
        events.emit(event).await;
        Ok(())
    }
}
