//! An empty reply: the question once more, without tools and with the request to answer directly.

use haft_core::{CallOptions, RecoveryStep};

use super::context::RecoveryContext;
use super::direct_answer::ask_directly;
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};

/// Asks for a direct answer.
#[derive(Debug)]
pub(super) struct WithoutTools;

#[async_trait::async_trait]
impl Recovery for WithoutTools {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::WithoutTools
    }

    fn cause(&self, situation: &Situation<'_>, _: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply { is_empty: true, .. } => Some("the reply is blank".into()),
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let reply = ask_directly(need, CallOptions::default(), context).await;
        reply.map_or(Decision::Continue, Decision::Replace)
    }
}
