//! Conversations that pass as they are: the client speaks what the server speaks, and nothing is
//! to be done to the request or its reply.
//!
//! A request goes out as the client wrote it and the reply comes back byte for byte. It is only
//! watched: each event has to be one of the wire, a reply has to come to its end, and limits,
//! retries and errors are those of every other request. `request` tells what may pass,
//! `reply` hands the reply on, `seen` is what is noticed of it, `tools` tells
//! whether an adapter would rewrite tools. What a wire has of its own stands in each provider's
//! `pass_through.rs`. Nothing of a reply goes out before it says something: until then a failure is an
//! error, and the request can go another way.

mod reply;
mod request;
mod seen;
mod tools;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::{ModelError, ModelErrorKind};

pub use self::reply::PassThroughReply;
pub use self::request::PassThroughRequest;
pub(crate) use self::request::{are_own, is_free, session};
pub(crate) use self::seen::{Passing, Seen};
pub(crate) use self::tools::KnownTools;
use crate::ServerKind;
use crate::http::{Framing, Request, Transport, unread_output};

/// What a wire's replies are watched for.
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

/// A model whose client's requests may pass. What it learns about the server it shares with the
/// [model](haft_core::ChatModel) it was opened with.
pub struct PassThrough {
    to: Arc<dyn PassThroughModel>,
    /// The server answers in another form than it was asked for: that needs to be read.
    is_strange: AtomicBool,
}

/// A model to which a client's requests may pass unchanged.
pub(crate) trait PassThroughModel: fmt::Debug + Send + Sync {
    /// What its server speaks.
    fn kind(&self) -> ServerKind;

    /// How its replies are observed.
    fn wire(&self) -> &'static Wire;

    /// The transport to its server.
    fn transport(&self) -> &Transport;

    /// Whether haft would send this request of its dialect unchanged.
    fn passes(&self, request: &PassThroughRequest) -> bool;

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

    /// Whether a request may go to this model as it is.
    #[must_use]
    pub fn takes(&self, request: &PassThroughRequest) -> bool {
        !self.is_strange.load(Ordering::Relaxed)
            && self.to.kind() == request.kind
            && self.to.passes(request)
    }

    /// Sends a request that this [takes](Self::takes), until the reply says something or, where
    /// it is no stream, is whole. None where the model itself, which knows more of such servers,
    /// is to be asked instead.
    ///
    /// # Errors
    ///
    /// Those of every request to a model server.
    pub async fn open(
        &self,
        request: &PassThroughRequest,
    ) -> Result<Option<PassThroughReply>, ModelError> {
        let sent = self.to.request(request)?;
        let begin = |incoming| PassThroughReply::begin(incoming, self.to.wire(), request);
        match self.to.transport().begun(&sent, begin).await {
            Ok(None) => {
                self.is_strange.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) if is_for_the_model(&error) => Ok(None),
            reply => reply,
        }
    }
}

/// Whether a model answers all the same: without native tools, with a larger context, or out of
/// what the server could not read, and with better words for a model that is missing.
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
