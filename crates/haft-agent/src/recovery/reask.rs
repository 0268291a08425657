//! Asking once more in place of a reply that is no use.

use haft_core::{AiMessage, CallOptions, Message, Rung};

use crate::run::Run;

/// What the model is asked again, and why.
#[derive(Debug)]
pub(crate) struct Reask {
    pub(crate) rung: Rung,
    /// A phrase for whoever watches.
    pub(crate) reason: &'static str,
    pub(crate) messages: Vec<Message>,
    pub(crate) options: CallOptions,
}

impl Run {
    /// Asks again. The reply comes back if `is_of_use`; a model that fails now has not failed the
    /// question.
    pub(crate) async fn reask(
        &mut self,
        asked: Reask,
        is_of_use: impl Fn(&AiMessage) -> bool,
    ) -> Result<AiMessage, Option<AiMessage>> {
        let mut step = self.begin_step(asked.rung, asked.reason).await;
        let stream = self
            .toolset
            .model
            .stream(&asked.messages, &self.as_wished(&asked.options));
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
