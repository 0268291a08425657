//! Prose where a call was due: the model decides once more, between the bound tools and none.
//!
//! The first reply is not shown to it again: a small model would only repeat itself. "None", a
//! call that is not valid, or an error keeps the first text, so a right answer is not lost.

use haft_core::{AiMessage, CallOptions, Message, Rung, StopReason, ToolChoice};

use super::reask::Reask;
use crate::run::Run;

impl Run {
    /// The call that should have been made, if the model makes it now.
    pub(super) async fn constrained_call(&mut self, reply: &AiMessage) -> Option<AiMessage> {
        if !self.is_prose_for_call(reply) || !self.sees(Rung::ConstrainedCall) {
            return None;
        }
        let asked = Reask {
            rung: Rung::ConstrainedCall,
            reason: "the reply talks where a call was due",
            messages: self.shown().await,
            options: CallOptions {
                tool_choice: ToolChoice::OneOrNone,
                ..CallOptions::default()
            },
        };
        let executor = self.tooling.executor.clone();
        let is_valid = |reply: &AiMessage| {
            let mut calls = reply.tool_calls.iter();
            calls.any(|call| executor.check(call).is_ok())
        };
        let mut decided = self.reask(asked, is_valid).await.ok()?;
        decided
            .tool_calls
            .retain(|call| executor.check(call).is_ok());
        decided.invalid_tool_calls.clear();
        Some(decided)
    }

    /// True for the first words about a question that surely calls for a tool.
    fn is_prose_for_call(&self, reply: &AiMessage) -> bool {
        let is_prose = !reply.has_calls()
            && !reply.content.is_blank()
            && reply.stop_reason != Some(StopReason::Refusal);
        let tools = self.tooling.executor.tools().get_tools();
        match self.messages.last() {
            Some(Message::Human(question)) if is_prose && !self.toolset.names.is_empty() => {
                let question = question.content.text();
                match &self.shared.options.call_due {
                    Some(due) => due.is_due(&question, tools),
                    None => self.tooling.toolsets.is_call_due(&question),
                }
            }
            // After a call the model may well talk.
            _ => false,
        }
    }
}
