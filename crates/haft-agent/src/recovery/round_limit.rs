//! The last round: it offers no tools, so that the question ends in an answer.

use haft_core::RecoveryStep;

use super::context::RecoveryContext;
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};

/// Offers no tools in the last round.
#[derive(Debug)]
pub(super) struct RoundLimit;

#[async_trait::async_trait]
impl Recovery for RoundLimit {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::RoundLimit
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::RoundAhead if context.budget.is_last() => {
                let limit = context.budget.limit();
                Some(format!("the last of {limit} rounds goes without tools").into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        context.withhold_tools();
        context.begin_pending(need.step, need.cause).await;
        Decision::Continue
    }
}
