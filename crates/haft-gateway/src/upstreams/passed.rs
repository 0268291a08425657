//! A request that passes as it is: to one of its upstreams, and its reply from there.
//!
//! The choice, the places, the breakers and who may take over are those of every request.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use haft_core::ModelError;
use haft_models::{PassedRequest, Relay, Relayed};

use super::{Taken, Upstreams};

/// A reply on its way, and the place that it takes until its end.
#[derive(Debug)]
pub(crate) struct Passed {
    reply: Relayed,
    taken: Option<Taken>,
    model: String,
}

impl Upstreams {
    /// The reply to a request that may pass; none where any of its upstreams would be told
    /// something else than the client says, or knows better what to do.
    ///
    /// A reply in one piece passes only where one is asked for in one piece.
    pub(crate) async fn passed(
        &self,
        request: PassedRequest,
    ) -> Result<Option<Passed>, ModelError> {
        if !request.stream && !self.answers_in_one_piece() {
            return Ok(None);
        }
        let Ok(choices) = self.choices(&request.model).await else {
            return Ok(None);
        };
        let mut relays: Vec<(usize, Arc<Relay>)> = Vec::with_capacity(choices.len());
        for choice in &choices {
            let member = self.0.members.get(choice.upstream);
            let relay = member.and_then(|member| member.relay(&request.model));
            match relay.filter(|relay| relay.takes(&request)) {
                Some(relay) => relays.push((choice.upstream, relay)),
                None => return Ok(None),
            }
        }
        let session = (!self.is_sole()).then_some(request.session);
        let request = Arc::new(request);
        let ask = |upstream| {
            let relay = relays.iter().find(|(place, _)| *place == upstream);
            let (relay, request) = (relay.map(|(_, relay)| relay.clone()), request.clone());
            async move {
                match relay {
                    Some(relay) => relay.open(&request).await,
                    None => Ok(None),
                }
            }
            .boxed()
        };
        let (reply, taken) = self.first(choices, session, ask).await?;
        Ok(reply.map(|reply| {
            taken.began();
            Passed {
                reply,
                taken: Some(taken),
                model: request.model.clone(),
            }
        }))
    }
}

impl Passed {
    /// More of the reply; none after its end or an error. May be dropped at any time and called
    /// again.
    pub(crate) async fn next(&mut self) -> Option<Result<Bytes, ModelError>> {
        let next = self.reply.next().await;
        match &next {
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                if let Some(taken) = self.taken.take() {
                    taken.failed(error);
                }
            }
            None => {
                if let Some(taken) = self.taken.take() {
                    taken.member().note_loaded(&self.model);
                    taken.done();
                }
            }
        }
        next
    }

    /// What is known of it so far.
    pub(crate) fn reply(&self) -> &Relayed {
        &self.reply
    }
}
