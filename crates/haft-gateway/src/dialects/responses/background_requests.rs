//! Requests about replies in the background: the reply, its events, the items before it, its end
//! (OpenAI's API reference, "Get", "Cancel" and "Delete a model response").

use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::Responses;
use super::background::{BackgroundReply, wanted_events};
use super::background_events::stream;
use crate::access::Caller;
use crate::dialects::dialect::Dialect;
use crate::respond::{self, Refusal};
use crate::run_visitor::{Visitor, refusal};
use crate::shared::Shared;

/// What is asked about a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The reply as it is now, or its events.
    Reply,
    Cancel,
    Delete,
}

/// A request about a reply, which may be in the background.
pub(super) struct BackgroundRequest {
    id: String,
    caller: Option<Caller>,
    address: Uri,
}

impl BackgroundRequest {
    pub(super) fn new(id: &str, request: &Request) -> Self {
        Self {
            id: id.to_owned(),
            caller: request.extensions().get().cloned(),
            address: request.uri().clone(),
        }
    }

    /// The items before the reply; `None` if it is not in the background.
    pub(super) async fn input(&self, shared: &Shared) -> Option<Vec<Value>> {
        Some(self.find(shared).await.ok()??.reply.input())
    }

    /// The response; `None` if the reply is not in the background.
    pub(super) async fn answer(&self, shared: &Shared, about: About) -> Option<Response> {
        let answered = self.try_answer(shared, about).await;
        answered.unwrap_or_else(|refusal| Some(Responses.refused(&refusal)))
    }

    async fn try_answer(&self, shared: &Shared, about: About) -> Result<Option<Response>, Refusal> {
        let id = &self.id;
        let Some(Found { visitor, reply }) = self.find(shared).await? else {
            return Ok(None);
        };
        let store = &visitor.store;
        if about != About::Reply && !reply.run_state().has_ended() {
            store.cancel(id).await.map_err(|error| refusal(&error))?;
        }
        Ok(Some(match about {
            About::Reply => match wanted_events(&self.address) {
                Some(events) => stream(visitor, &reply, events, shared),
                None => respond::json(&reply.object()),
            },
            About::Cancel => {
                let reply = BackgroundReply::find(&visitor, id).await?;
                return Ok(reply.map(|reply| respond::json(&reply.object())));
            }
            About::Delete => {
                store.erase(id).await.map_err(|error| refusal(&error))?;
                respond::json(&json!({"id": id, "object": "response", "deleted": true}))
            }
        }))
    }

    async fn find(&self, shared: &Shared) -> Result<Option<Found>, Refusal> {
        let (Some(caller), true) = (&self.caller, shared.has_runs()) else {
            return Ok(None);
        };
        let visitor = Visitor::new(shared, caller.clone())?;
        let reply = BackgroundReply::find(&visitor, &self.id).await?;
        Ok(reply.map(|reply| Found { visitor, reply }))
    }
}

/// A reply, and who asks about it.
struct Found {
    visitor: Visitor,
    reply: BackgroundReply,
}
