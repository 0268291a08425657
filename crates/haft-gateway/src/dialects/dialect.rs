//! What makes an API a dialect of the gateway.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use haft_core::ModelError;
use haft_models::{ClientRequest, ServerKind};
use serde_json::Value;

use super::format::{ReplyFormat, ReplyHead};
use super::frames::{event, line};
use crate::respond::{Refusal, error};
use crate::shared::Shared;

/// An API that clients speak.
///
/// Only the first seven methods have to be written; the others are for what an API has beyond a
/// conversation.
pub(crate) trait Dialect: fmt::Debug + Send + Sync {
    /// Its name in metrics and in the access log.
    fn name(&self) -> &'static str;

    /// The path to which clients POST a conversation.
    fn path(&self) -> &'static str;

    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// A sentence for the client that names the problem.
    fn read(&self, body: &[u8]) -> Result<ClientRequest, ModelError>;

    /// Begins to write a reply.
    fn reply(&self, head: ReplyHead) -> Box<dyn ReplyFormat>;

    /// How the ids that the gateway makes up begin.
    fn id_prefixes(&self) -> IdPrefixes;

    /// How the pieces of a stream are told apart.
    fn framing(&self) -> StreamFraming;

    /// The body of an answer with an error status.
    fn error_body(&self, status: u16, message: &str) -> Value;

    /// The body of an error for a request that could not be [read](Self::read).
    fn rejection(&self, error: &ModelError) -> Value {
        let refusal = Refusal::from(error);
        self.error_body(refusal.status, &refusal.message)
    }

    /// Ends a stream with an error. Pieces that were already sent remain valid.
    fn stream_error(&self, refusal: &Refusal) -> Vec<u8> {
        let body = self.error_body(refusal.status, &refusal.message);
        let mut out = Vec::new();
        match self.framing() {
            StreamFraming::Events => event(None, &body, &mut out),
            StreamFraming::Lines => line(&body, &mut out),
        }
        out
    }

    /// The answer to a request that is turned away.
    fn refused(&self, refusal: &Refusal) -> Response {
        error(
            refusal.status,
            &self.error_body(refusal.status, &refusal.message),
        )
    }

    /// The kind of model server that speaks this dialect too, if a conversation may go there
    /// unchanged.
    fn pass_through(&self) -> Option<ServerKind> {
        None
    }

    /// How the paths begin whose errors have this dialect's form.
    fn root(&self) -> &'static str {
        self.path()
    }

    /// What becomes of requests below the [root](Self::root) that haft has no answer to. None by
    /// default: there is nothing at such a path.
    fn forwarding(&self) -> Option<Forwarding> {
        None
    }

    /// Adds the paths that are answered beside the conversation, such as lists of models.
    fn routes(&self, router: Router<Arc<Shared>>) -> Router<Arc<Shared>> {
        router
    }
}

/// How the ids that the gateway makes up begin, so that clients which check them accept them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdPrefixes {
    /// Of a reply.
    pub(crate) reply: &'static str,
    /// Of a call.
    pub(crate) call: &'static str,
}

/// How the pieces of a stream are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamFraming {
    /// Server-sent events.
    Events,
    /// A JSON object in each line.
    Lines,
}

impl StreamFraming {
    /// The content type of a stream.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Events => "text/event-stream",
            Self::Lines => "application/x-ndjson",
        }
    }
}

/// Which requests of a dialect go to a model server, and which of them need the administrator's
/// consent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forwarding {
    /// How the paths begin.
    pub(crate) below: &'static str,
    /// The servers that have such paths, the preferred kind first.
    pub(crate) kinds: &'static [ServerKind],
    /// The first segments below `below` that change what a server has or whose it is.
    pub(crate) administrative: &'static [&'static str],
}
