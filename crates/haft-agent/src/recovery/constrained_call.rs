//! Prose where a call was needed: the model is asked again, for a call or an explicit "none".
//!
//! The request omits the first reply, because a small model would repeat it. If the second reply
//! is "none", an invalid call or an error, the first reply is used, so a right answer is not lost.
//!
//! A model that must call a tool calls one. So tools that change something are only offered where
//! the user commands, others only if they read; without any the step is not taken. The call must
//! agree with the question, and the step helped only if the call then succeeds.

use std::sync::Arc;

use haft_core::{
    AiMessage, CallOptions, Generation, Message, RecoveryStep, StopReason, Tool, ToolCall,
    ToolChoice,
};
use haft_select::DialogueAct;
use haft_tools::{CheckedCall, ToolExecutor};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::agreement::Said;
use crate::model_requests::ModelRequest;
use crate::selection::Toolset;
use crate::tool_effect::reads;
use crate::verification::surely_needs_tool;

/// The token limit of the second reply, if none is set: a call that names a few values is short,
/// and a small model may never close a string.
const MAX_TOKENS: u32 = 512;

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
                    && needs_tool(request, context)
                    && !proposed(context).is_empty() =>
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
        let Some(tools) = toolset(context) else {
            return Decision::Continue;
        };
        let judge = CallJudge {
            said: Said::new(context.question, &request.messages),
            executor: context.executor().clone(),
        };
        let request = ModelRequest {
            tools,
            ..request.with_options(CallOptions {
                tool_choice: ToolChoice::OneOrNone,
                generation: Generation {
                    max_tokens: Some(MAX_TOKENS),
                    ..Generation::default()
                },
                ..CallOptions::default()
            })
        };
        let has_fitting_call =
            |reply: &AiMessage| reply.tool_calls.iter().any(|call| judge.fits(call));
        match context.try_again(need, request, has_fitting_call).await {
            Retried::Helped(mut reply) => {
                reply.tool_calls.retain(|call| judge.fits(call));
                reply.invalid_tool_calls.clear();
                // A client does not tell what comes of its call.
                if context.requests.client.is_there() {
                    context.end_pending(true).await;
                }
                Decision::Replace(reply)
            }
            _ => {
                context.end_pending(false).await;
                Decision::Continue
            }
        }
    }
}

/// Judges the calls of the second reply.
struct CallJudge {
    said: Said,
    executor: ToolExecutor,
}

impl CallJudge {
    /// True for a call that is valid and agrees with the question.
    fn fits(&self, call: &ToolCall) -> bool {
        let Ok(CheckedCall { call, .. }) = self.executor.check(call) else {
            return false;
        };
        let Some(tool) = self.executor.tools().find(&call.name) else {
            return false;
        };
        match self.said.agrees(&call, tool.as_ref()) {
            Ok(()) => true,
            Err(disagreement) => {
                tracing::info!(tool = call.name, %disagreement, "a call is not made");
                false
            }
        }
    }
}

/// The offered tools that the model may be made to call: all for a command, else those that read.
fn proposed(context: &RecoveryContext<'_>) -> Vec<Arc<dyn Tool>> {
    let is_command = DialogueAct::of(context.question) == DialogueAct::Command;
    let tools = context.executor().tools();
    let offered = context.tools.offered.names.iter();
    offered
        .filter_map(|name| tools.find(name))
        .filter(|tool| is_command || reads(tool.as_ref()))
        .cloned()
        .collect()
}

/// They, bound to the model; those that are bound already where none is left out.
fn toolset(context: &RecoveryContext<'_>) -> Option<Arc<Toolset>> {
    let tools = proposed(context);
    let offered = &context.tools.offered;
    if tools.len() == offered.names.len() {
        return Some(offered.clone());
    }
    let bound = context.tools.all.bind(&tools);
    bound
        .inspect_err(|error| tracing::warn!(%error, "the tools that read cannot be bound"))
        .ok()
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
    match request.messages.last() {
        Some(Message::Human(question)) => is_call_due(&question.content.text(), context),
        _ => false,
    }
}

/// True for a question that needs one of the offered tools.
pub(crate) fn is_call_due(question: &str, context: &RecoveryContext<'_>) -> bool {
    if context.tools.offered.names.is_empty() {
        return false;
    }
    let tools = context.executor().tools().get_tools();
    match &context.options.tool_need {
        Some(detector) => detector.needs_tool(question, tools),
        None => context.tools.all.is_call_due(question) || surely_needs_tool(question, tools),
    }
}
