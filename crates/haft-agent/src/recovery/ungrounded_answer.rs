//! An answer that contradicts the results of its question: the results are said in place of it.
//!
//! The model is not asked again: a model that writes "on" where it reads "off" does so again, and the
//! result is known. A client that runs its own tools has shown the reply already, so this step is
//! for questions that haft answers itself.

use haft_core::{AiMessage, Content, Event, RecoveryStep};

use super::context::RecoveryContext;
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::grounding::Evidence;

/// Says what the tools said.
#[derive(Debug)]
pub(super) struct UngroundedAnswer;

#[async_trait::async_trait]
impl Recovery for UngroundedAnswer {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::UngroundedAnswer
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply {
                reply,
                request,
                is_draft: false,
                ..
            } if !reply.has_calls()
                && !reply.content.is_blank()
                && !context.requests.client.is_there() =>
            {
                let evidence = Evidence::of(&request.messages)?;
                let fault = evidence.fault(&reply.content.text())?;
                Some(fault.to_string().into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let Situation::Reply { reply, request, .. } = need.situation else {
            return Decision::Continue;
        };
        let said = Evidence::of(&request.messages).map(|evidence| evidence.sentence());
        let Some(said) = said.filter(|said| !said.trim().is_empty()) else {
            return Decision::Continue;
        };
        let withdrawn = reply.content.text();
        context.begin_pending(need.step, need.cause).await;
        context.end_pending(true).await;
        let text = withdrawn.clone();
        context.events.emit(Event::TextWithdrawn { text }).await;
        context.state.withdrawn_text = Some(withdrawn);
        Decision::Replace(AiMessage {
            content: Content::from(said),
            ..AiMessage::clone(reply)
        })
    }
}
