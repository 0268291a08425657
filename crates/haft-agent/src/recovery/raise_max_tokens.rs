//! A reply that reached the token limit before it was of use: the request once more with a higher
//! limit, unless a client set the limit. That is an empty reply, or a call that was cut by a limit of
//! haft's own.

use haft_core::{AiMessage, CallOptions, RecoveryStep, ToolChoice};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::model_requests::{ModelRequest, is_cut};

/// True where the reply has no whole call, and a part of one: an invalid one, or the name of an
/// offered tool in its text.
fn is_call_cut(reply: &AiMessage, request: &ModelRequest) -> bool {
    let text = reply.content.text();
    let names = || request.tools.names.iter().any(|name| text.contains(name));
    reply.tool_calls.is_empty() && (!reply.invalid_tool_calls.is_empty() || names())
}

/// Asks again with a higher limit on tokens.
#[derive(Debug)]
pub(super) struct RaiseMaxTokens;

#[async_trait::async_trait]
impl Recovery for RaiseMaxTokens {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::RaiseMaxTokens
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        if context.requests.client.limits_tokens() {
            return None;
        }
        match situation {
            Situation::Reply {
                reply,
                is_empty: true,
                ..
            } if is_cut(reply) => {
                Some("the reply ran out of tokens before it said anything".into())
            }
            Situation::Reply { reply, request, .. }
                if is_cut(reply)
                    && request.options.generation.max_tokens.is_some()
                    && is_call_cut(reply, request) =>
            {
                Some("the reply ran out of tokens within a call".into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let Situation::Reply { request, .. } = need.situation else {
            return Decision::Continue;
        };
        let tool_choice = if request.offers_tools() {
            ToolChoice::Auto
        } else {
            ToolChoice::None
        };
        let longer = request.with_options(CallOptions {
            tool_choice,
            raise_max_tokens: true,
            ..CallOptions::default()
        });
        let retried = context.ask_again(need, longer, |reply| !request.is_empty_reply(reply));
        match retried.await {
            Retried::Helped(reply) => Decision::Replace(reply),
            Retried::InVain(reply) => Decision::LookAt(reply),
            Retried::Failed => Decision::Continue,
        }
    }
}
