//! A reply that is nothing but thoughts: the question without tools, and without thinking where
//! that can be switched off.
//!
//! A call that stands in the thoughts is not made: a model thinks of many calls that it then
//! decides against.

use haft_core::{AiMessage, CallOptions, ContentBlock, Rung};

use super::Tried;
use crate::run::Run;

impl Run {
    /// The answer that the thoughts were about.
    pub(super) async fn thinking_only(&mut self, blank: &AiMessage) -> Tried {
        if !thought(blank) {
            return Tried::Not;
        }
        let options = CallOptions {
            without_thinking: true,
            ..CallOptions::default()
        };
        self.direct(Rung::ThinkingOnly, "the reply is only thinking", options)
            .await
    }
}

fn thought(reply: &AiMessage) -> bool {
    reply.content.blocks().iter().any(|block| match block {
        ContentBlock::Thinking { thinking, .. } => !thinking.trim().is_empty(),
        ContentBlock::RedactedThinking { .. } => true,
        _ => false,
    })
}
