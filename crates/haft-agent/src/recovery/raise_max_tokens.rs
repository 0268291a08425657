//! An empty reply that reached the token limit: the request once more with a higher limit, unless a
//! client set the limit.

use haft_core::{CallOptions, RecoveryStep, ToolChoice};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};
use crate::model_requests::is_cut;

/// Asks again with a higher limit on tokens.
#[derive(Debug)]
pub(super) struct RaiseMaxTokens;

#[async_trait::async_trait]
impl Recovery for RaiseMaxTokens {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::RaiseMaxTokens
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply {
                reply,
                is_empty: true,
                ..
            } if is_cut(reply) && !context.requests.client.limits_tokens() => {
                Some("the reply ran out of tokens before it said anything".into())
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
