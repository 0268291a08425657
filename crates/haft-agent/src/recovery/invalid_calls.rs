//! A reply without a valid call: the model reads the errors and tries once more.
//!
//! In the loop each call is answered with its error anyway, and the next round shows whether that
//! helped. This step adds a limit: if the next calls fail with the same errors, the rounds after
//! them offer no tools. A client that runs its own tools cannot answer a call that it does not
//! understand; for it the model is asked again at once.

use haft_core::{AiMessage, CallOptions, Message, RecoveryStep, ToolMessage};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::model_requests::ModelRequest;

/// Lets the model read what is wrong with its calls.
#[derive(Debug)]
pub(super) struct InvalidCalls;

#[async_trait::async_trait]
impl Recovery for InvalidCalls {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::InvalidCalls
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Calls(round) => {
                let errors = round.errors()?;
                let first = errors.first().map_or("", String::as_str);
                let cause = if context.state.errors.as_ref() == Some(&errors) {
                    format!("the same error again, so the next turn goes without tools: {first}")
                } else {
                    format!("the model reads what is wrong: {first}")
                };
                Some(cause.into())
            }
            Situation::ClientCalls { .. } => {
                Some("the model reads what is wrong with its calls".into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        match need.situation {
            Situation::Calls(round) => {
                if context.state.errors == round.errors() {
                    context.withhold_tools();
                }
                context.begin_pending(need.step, need.cause).await;
                Decision::Continue
            }
            Situation::ClientCalls {
                reply,
                request,
                errors,
            } => {
                let mut request = request.with_options(CallOptions::default());
                request.messages.extend(with_errors(reply, errors));
                ask_for_valid_calls(need, request, context).await
            }
            _ => Decision::Continue,
        }
    }

    /// A reply that goes on: an answer, or a valid call.
    fn has_helped(&self, reply: &AiMessage, context: &RecoveryContext<'_>) -> bool {
        let mut calls = reply.tool_calls.iter();
        !reply.is_blank()
            && (!reply.has_calls() || calls.any(|call| context.executor().check(call).is_ok()))
    }
}

/// Asks again, for a reply whose calls are all valid.
async fn ask_for_valid_calls(
    need: Need<'_>,
    request: ModelRequest,
    context: &mut RecoveryContext<'_>,
) -> Decision {
    context.requests.client.asks_again();
    let executor = context.executor().clone();
    let is_valid = |reply: &AiMessage| {
        let mut calls = reply.tool_calls.iter();
        reply.invalid_tool_calls.is_empty()
            && !reply.is_blank()
            && calls.all(|call| executor.check(call).is_ok())
    };
    match context.ask_again(need, request, is_valid).await {
        Retried::Helped(reply) => Decision::Replace(reply),
        _ => Decision::Continue,
    }
}

/// The reply, and for each of its calls what is wrong.
fn with_errors(reply: &AiMessage, errors: &[String]) -> Vec<Message> {
    let error = errors.join("; ");
    let results = reply.tool_calls.iter().map(|_| {
        let message = format!("{error}. Call again with arguments that fit the schema.");
        Some(ToolMessage::error(&message, ""))
    });
    let results = haft_tools::answer_calls(reply, results);
    std::iter::once(reply.clone().into())
        .chain(results.into_iter().map(Message::from))
        .collect()
}
