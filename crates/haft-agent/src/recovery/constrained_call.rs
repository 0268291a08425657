//! Prose where a call was needed: the model is asked again, for a call or an explicit "none".
//!
//! The request omits the first reply, because a small model would repeat it. If the second reply
//! is "none", an invalid call or an error, the first reply is used, so a right answer is not lost.

use haft_core::{AiMessage, CallOptions, Message, RecoveryStep, StopReason, ToolChoice};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::model_requests::ModelRequest;

/// Asks again for a call or "none".
#[derive(Debug)]
pub(super) struct ConstrainedCall;

#[async_trait::async_trait]
impl Recovery for ConstrainedCall {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::ConstrainedCall
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply { reply, request, .. }
                if request.offers_tools()
                    && is_prose(reply, context)
                    && needs_tool(request, context) =>
            {
                Some("the reply talks where a call was due".into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let Situation::Reply { request, .. } = need.situation else {
            return Decision::Continue;
        };
        let request = request.with_options(CallOptions {
            tool_choice: ToolChoice::OneOrNone,
            ..CallOptions::default()
        });
        let executor = context.executor().clone();
        let has_valid_call = |reply: &AiMessage| {
            let mut calls = reply.tool_calls.iter();
            calls.any(|call| executor.check(call).is_ok())
        };
        match context.ask_again(need, request, has_valid_call).await {
            Retried::Helped(mut reply) => {
                let calls = &mut reply.tool_calls;
                calls.retain(|call| executor.check(call).is_ok());
                reply.invalid_tool_calls.clear();
                Decision::Replace(reply)
            }
            _ => Decision::Continue,
        }
    }
}

/// True for a reply with text alone. A reply that quotes a call is an answer; asked again, the
/// model would make the call.
fn is_prose(reply: &AiMessage, context: &RecoveryContext<'_>) -> bool {
    !reply.has_calls()
        && !reply.content.is_blank()
        && !context.requests.is_quoting
        && reply.stop_reason != Some(StopReason::Refusal)
}

/// True when the request ends with a question that needs a tool. After a call, prose is expected.
fn needs_tool(request: &ModelRequest, context: &RecoveryContext<'_>) -> bool {
    let question = match request.messages.last() {
        Some(Message::Human(question)) if !context.tools.offered.names.is_empty() => {
            question.content.text()
        }
        _ => return false,
    };
    match &context.options.tool_need {
        Some(detector) => detector.needs_tool(&question, context.executor().tools().get_tools()),
        None => context.tools.all.toolsets.is_call_due(&question),
    }
}
