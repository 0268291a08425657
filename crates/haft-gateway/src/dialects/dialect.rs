//! The trait of dialects, with its associated types.

use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use haft_core::ModelError;
use haft_models::{ClientRequest, PassThroughApi, ServerKind};
use serde_json::Value;

use super::format::ReplyFormat;
use super::frames::{event, line};
use crate::kept_replies::KeptReplies;
use crate::respond::{Refusal, error};

/// An API that clients use.
///
/// Only the first six methods are required; the others are for features beyond a conversation.
pub(crate) trait Dialect: fmt::Debug + Send + Sync {
    /// The name in metrics and in the access log.
    fn name(&self) -> &'static str;

    /// The path to which clients POST a conversation.
    fn path(&self) -> &'static str;

    /// Parses the body of a request, and creates the writer of its reply. `kept` has earlier
    /// replies, for requests that refer to them.
    ///
    /// # Errors
    ///
    /// A sentence for the client that names the problem.
    fn read(&self, body: &[u8], kept: &Arc<KeptReplies>) -> Result<Received, ModelError>;

    /// Adds what the headers of a request say to servers of the same API. Nothing by default.
    fn with_headers(&self, request: ClientRequest, _headers: &HeaderMap) -> ClientRequest {
        request
    }

    /// The prefix of the ids that the gateway generates for calls; some clients check it.
    fn call_prefix(&self) -> &'static str;

    /// How the events of a stream are separated.
    fn framing(&self) -> StreamFraming;

    /// The body of an error response.
    fn error_body(&self, status: u16, message: &str) -> Value;

    /// The body of an error with the words by which clients of the dialect recognize its cause.
    fn refusal_body(&self, refusal: &Refusal) -> Value {
        self.error_body(refusal.status, &refusal.message)
    }

    /// The body of an error for a request that could not be [parsed](Self::read).
    fn rejection(&self, error: &ModelError) -> Value {
        self.refusal_body(&Refusal::from(error))
    }

    /// Ends a stream with an error. Events that were already sent remain valid.
    fn stream_error(&self, refusal: &Refusal) -> Vec<u8> {
        let body = self.refusal_body(refusal);
        let mut out = Vec::new();
        match self.framing() {
            StreamFraming::Events => event(None, &body, &mut out),
            StreamFraming::Lines => line(&body, &mut out),
        }
        out
    }

    /// The response to a refused request.
    fn refused(&self, refusal: &Refusal) -> Response {
        let mut response = error(refusal.status, &self.refusal_body(refusal));
        if let Some(wait) = refusal.retry_after {
            // Rounded up: a client that comes a moment too early is refused again.
            let seconds = HeaderValue::from(wait.as_secs().saturating_add(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }

    /// The API of the model servers to which conversations may be passed through.
    fn pass_through(&self) -> Option<PassThroughApi> {
        None
    }

    /// The prefix of the paths whose errors have this dialect's form.
    fn root(&self) -> &'static str {
        self.path()
    }

    /// How requests below the [root](Self::root) are forwarded that haft does not answer itself.
    /// `None` by default: such paths do not exist.
    fn forwarding(&self) -> Option<Forwarding> {
        None
    }
}

/// A request that was read.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) request: ClientRequest,
    /// The writer of its reply.
    pub(crate) reply: Box<dyn ReplyFormat>,
    /// The parts of the request that haft cannot answer and left out.
    pub(crate) dropped: Vec<String>,
}

impl Received {
    /// A request whose parts are all answered.
    pub(crate) fn new(request: ClientRequest, reply: impl ReplyFormat + 'static) -> Self {
        Self {
            request,
            reply: Box::new(reply),
            dropped: Vec::new(),
        }
    }
}

/// How the events of a stream are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamFraming {
    /// Server-sent events.
    Events,
    /// One JSON object per line.
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

/// The requests of a dialect that are forwarded to a model server, and which of them need the
/// permission of the gateway's operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forwarding {
    /// The prefix of the paths.
    pub(crate) below: &'static str,
    /// The servers that have these paths, the preferred kind first.
    pub(crate) kinds: &'static [ServerKind],
    /// The first path segments after `below` of requests that change a server's models or settings.
    pub(crate) administrative: &'static [&'static str],
}

/// The message, after `sentence` if it lacks the `words` by which clients recognize it.
pub(super) fn worded(words: &str, sentence: &str, message: &str) -> String {
    if message.contains(words) {
        message.to_owned()
    } else {
        format!("{sentence}: {message}")
    }
}
