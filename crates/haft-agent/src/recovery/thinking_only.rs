//! A reply with reasoning only: the question without tools, and without reasoning if it can be
//! switched off.
//!
//! A call within the reasoning is not run, because models consider many calls that they then
//! reject.

use haft_core::{AiMessage, CallOptions, ContentBlock, RecoveryStep};

use super::context::RecoveryContext;
use super::direct_answer::ask_directly;
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};

/// Asks for the answer without reasoning.
#[derive(Debug)]
pub(super) struct ThinkingOnly;

#[async_trait::async_trait]
impl Recovery for ThinkingOnly {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::ThinkingOnly
    }

    fn cause(&self, situation: &Situation<'_>, _: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply {
                reply,
                is_empty: true,
                ..
            } if has_reasoning(reply) => Some("the reply is only thinking".into()),
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let options = CallOptions {
            without_thinking: true,
            ..CallOptions::default()
        };
        // In vain, the next step would send nearly the same request.
        let reply = ask_directly(need, options, context).await;
        reply.map_or(Decision::GiveUp, Decision::Replace)
    }
}

fn has_reasoning(reply: &AiMessage) -> bool {
    reply.content.blocks().iter().any(|block| match block {
        ContentBlock::Thinking { thinking, .. } => !thinking.trim().is_empty(),
        ContentBlock::RedactedThinking { .. } => true,
        _ => false,
    })
}
