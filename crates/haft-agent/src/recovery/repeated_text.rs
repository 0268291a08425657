//! A reply that repeats itself: the question once more, with a penalty on repeated tokens.
//!
//! The first reply was cut off at its first copy (`repetition.rs`). Replies for a client that runs
//! its own tools are not cut: the client reads the stream, and may end it.

use haft_core::{CallOptions, Generation, RecoveryStep};

use super::context::{RecoveryContext, Retried};
use super::situation::{Cause, Need, Situation};
use super::step::{Decision, Recovery};

/// The penalty on tokens by how often they were used: half of what providers permit.
const FREQUENCY_PENALTY: f64 = 1.0;

/// Asks again, so that the model takes other words.
#[derive(Debug)]
pub(super) struct RepeatedText;

#[async_trait::async_trait]
impl Recovery for RepeatedText {
    fn step(&self) -> RecoveryStep {
        RecoveryStep::RepeatedText
    }

    fn cause(&self, situation: &Situation<'_>, context: &RecoveryContext<'_>) -> Option<Cause> {
        match situation {
            Situation::Reply { .. } if context.requests.is_repeating => {
                Some("the reply repeats itself".into())
            }
            _ => None,
        }
    }

    async fn act(&self, need: Need<'_>, context: &mut RecoveryContext<'_>) -> Decision {
        let Situation::Reply { request, .. } = need.situation else {
            return Decision::Continue;
        };
        let request = request.with_options(CallOptions {
            generation: Generation {
                frequency_penalty: Some(FREQUENCY_PENALTY),
                ..request.options.generation.clone()
            },
            ..request.options.clone()
        });
        let retried = context.ask_again(need, request, |reply| !reply.is_blank());
        match retried.await {
            // Later steps look at it as at any reply: it may be prose where a call was due.
            Retried::Helped(reply) if !context.requests.is_repeating => Decision::LookAt(reply),
            _ => Decision::Continue,
        }
    }
}
