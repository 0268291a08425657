//! Conversations that pass through unchanged: client and server have the same API, and nothing has
//! to be done to the request or its reply.
//!
//! The server receives the client's request, and the client receives the reply byte for byte. The
//! reply is only observed: each event must be valid, the reply must be complete, and limits,
//! retries and errors are those of every other request. `request` decides which requests may pass
//! through, `reply` passes the reply on, `seen` is what was observed of it, and `tools` decides
//! whether an adapter would rewrite the tools. The specifics of an API are in each provider's
//! `pass_through.rs`. Nothing is passed on before the reply has content: until then a failure is an
//! error, and the request can be handled in another way.

mod reply;
mod request;
mod seen;
mod tools;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use haft_core::{ModelError, ModelErrorKind};

pub use self::reply::PassThroughReply;
pub use self::request::{PassThroughApi, PassThroughRequest};
pub(crate) use self::request::{are_own, is_free};
pub(crate) use self::seen::{Passing, Seen};
pub(crate) use self::tools::KnownTools;
use crate::http::{Framing, Request, Transport, unread_output};

/// How replies of an API are observed.
#[derive(Debug)]
pub(crate) struct Wire {
    /// The form of a stream.
    pub(crate) framing: Framing,
    /// Takes an event of a stream.
    pub(crate) event: fn(&str, &mut Seen) -> Result<Passing, ModelError>,
    /// Takes a whole reply.
    pub(crate) whole: fn(&str, &mut Seen) -> Result<(), ModelError>,
    /// What is missing at the end of a reply that is complete for the model, where servers may
    /// leave it out.
    pub(crate) end: Option<&'static str>,
}

/// A model with requests that may pass through. It shares with the [model](haft_core::ChatModel)
/// that it was opened with what is learned about the server.
pub struct PassThrough {
    to: Arc<dyn PassThroughModel>,
    /// The server answers in another form than requested, so its replies must be parsed, or does not
    /// have the API.
    is_strange: AtomicBool,
}

/// A model to which a client's requests may pass through.
#[async_trait]
pub(crate) trait PassThroughModel: fmt::Debug + Send + Sync {
    /// The API of the requests that it takes.
    fn api(&self) -> PassThroughApi;

    /// How its replies are observed.
    fn wire(&self) -> &'static Wire;

    /// The transport to its server.
    fn transport(&self) -> &Transport;

    /// Whether haft would send this request of its dialect unchanged.
    fn passes(&self, request: &PassThroughRequest) -> bool;

    /// Learns, once, what has to be known before the first request with tools.
    async fn learn(&self) {}

    /// Whether an error means that the server does not have the API at all.
    fn lacks_api(&self, _error: &ModelError) -> bool {
        false
    }

    /// The request to its server.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if the server's address is invalid.
    fn request(&self, request: &PassThroughRequest) -> Result<Request, ModelError>;
}

impl fmt::Debug for PassThrough {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("PassThrough")
            .field(&self.to)
            .finish()
    }
}

impl PassThrough {
    pub(crate) fn new(to: Arc<dyn PassThroughModel>) -> Self {
        Self {
            to,
            is_strange: AtomicBool::new(false),
        }
    }

    /// The API of the requests that may pass through.
    #[must_use]
    pub fn api(&self) -> PassThroughApi {
        self.to.api()
    }

    /// Whether a request may pass through to this model.
    #[must_use]
    pub fn takes(&self, request: &PassThroughRequest) -> bool {
        !self.is_strange.load(Ordering::Relaxed)
            && self.to.api() == request.api
            && self.to.passes(request)
    }

    /// Sends a request that this [takes](Self::takes), and waits until the reply has content or,
    /// without streaming, is complete. `None` if the model itself should answer, because it can
    /// handle such a server.
    ///
    /// # Errors
    ///
    /// See [`ModelErrorKind`]; the errors are those of every request.
    pub async fn open(
        &self,
        request: &PassThroughRequest,
    ) -> Result<Option<Box<PassThroughReply>>, ModelError> {
        if request.tools.is_some() {
            self.to.learn().await;
            if !self.takes(request) {
                return Ok(None);
            }
        }
        let sent = self.to.request(request)?;
        let sent = sent.for_client(request.context.as_ref());
        let begin = |incoming| PassThroughReply::begin(incoming, self.to.wire(), request);
        match self.to.transport().begun(&sent, begin).await {
            Ok(None) => {
                self.is_strange.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) if self.to.lacks_api(&error) => {
                self.is_strange.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) if is_for_the_model(&error) => Ok(None),
            reply => reply,
        }
    }
}

/// Whether the model may succeed where the pass-through failed: with tools as text, with a larger
/// context, by recovering output that the server could not parse, or with a better error for a
/// missing model.
fn is_for_the_model(error: &ModelError) -> bool {
    use ModelErrorKind as Kind;
    let kinds = [
        Kind::ToolsUnsupported,
        Kind::ContextOverflow,
        Kind::ModelNotFound,
    ];
    kinds.contains(&error.kind()) || unread_output(error).is_some()
}

#[cfg(test)]
mod tests;
