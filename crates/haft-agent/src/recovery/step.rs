//! What a recovery step is: a cause and an act.
//!
//! A step is one file that implements [`Recovery`], and one line in the list of `recovery.rs`.
//! The driver shows every step each [`Situation`] in turn. A step that finds its cause in it acts,
//! unless it is switched off, and its [`Decision`] tells the driver what to go on with.

use haft_core::{AiMessage, RecoveryStep, ToolMessage};

use super::context::RecoveryContext;
use super::situation::{Cause, Need, Situation};

#[async_trait::async_trait]
pub(crate) trait Recovery: Sync {
    /// The step's name in settings, events and counters.
    fn step(&self) -> RecoveryStep;

    /// Why the step is needed in this situation; `None` if it is not. Needs are counted even while
    /// the step is switched off.
    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause>;

    /// Does something about the cause that [`cause`](Self::cause) found.
    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision;

    /// Whether the next reply shows that the step helped, for steps that do not ask again
    /// themselves: by default a reply with text.
    fn has_helped(&self, reply: &AiMessage, _context: &RecoveryContext<'_>) -> bool {
        !reply.content.is_blank()
    }
}

/// What the loop goes on with after a step.
#[derive(Debug)]
pub(crate) enum Decision {
    /// As before: the step changed nothing, and the next step looks at the situation.
    Continue,
    /// This reply in place of the one in the situation. No further step looks at it.
    Replace(AiMessage),
    /// This reply in place of the one in the situation. The next step looks at it.
    LookAt(AiMessage),
    /// The reply as it is: no later step could do more.
    GiveUp,
    /// These answers to the calls of the reply, which therefore do not run any more.
    Answers(Vec<ToolMessage>),
}
