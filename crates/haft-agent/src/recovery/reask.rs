//! Asking once more in place of a reply that is no use.

use haft_core::{AiMessage, CallOptions, Message, Rung};

use crate::run::Run;

/// What the model is asked again, and why.
#[derive(Debug)]
pub(super) struct Reask {
    pub(super) rung: Rung,
    /// A phrase for whoever watches.
    pub(super) reason: &'static str,
    pub(super) messages: Vec<Message>,
    pub(super) options: CallOptions,
}

impl Run {
    /// Asks again. The reply comes back if `is_of_use`; a model that fails now has not failed the
    /// question.
    pub(super) async fn reask(
        &mut self,
        asked: Reask,
        is_of_use: impl Fn(&AiMessage) -> bool,
    ) -> Result<AiMessage, Option<AiMessage>> {
        let mut step = self.begin_step(asked.rung, asked.reason).await;
        let stream = self.toolset.model.stream(&asked.messages, &asked.options);
        let reply = self.receive(stream, &asked.options).await;
        step.retry = self.took;
        let reply = match reply {
            Ok(reply) if is_of_use(&reply) => Ok(reply),
            Ok(reply) => Err(Some(reply)),
            Err(error) => {
                tracing::warn!(rung = %asked.rung, %error, "the model failed when asked again");
                Err(None)
            }
        };
        step.recovered = reply.is_ok();
        self.end_step(step).await;
        reply
    }
}
