//! Conversations that pass as they are: the client speaks what the server speaks, and nothing is
//! to be done to the request or its reply.
//!
//! A request goes out as the client wrote it and the reply comes back byte for byte. It is only
//! watched: each event has to be one of the wire, a reply has to come to its end, and limits,
//! retries and errors are those of every other request. `request` tells what may pass,
//! `reply` hands the reply on, `events` cuts it, `seen` is what is noticed of it, `tools` tells
//! whether an adapter would rewrite tools. What a wire has of its own stands in each provider's
//! `relay.rs`. Nothing of a reply goes out before it says something: until then a failure is an
//! error, and the request can go another way.

mod events;
mod reply;
mod request;
mod seen;
mod tools;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::{ModelError, ModelErrorKind};

pub use self::reply::Relayed;
pub use self::request::PassedRequest;
pub(crate) use self::request::{are_own, is_free, session};
pub(crate) use self::seen::{Passing, Seen};
pub(crate) use self::tools::KnownTools;
use crate::http::{Framing, Request, Transport, unread_output};
use crate::{ChatAnthropic, ChatOllama, ChatOpenAi, Dialect};

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
pub struct Relay {
    to: Provider,
    /// The server answers in another form than it was asked for: that needs to be read.
    is_strange: AtomicBool,
}

#[derive(Debug)]
pub(crate) enum Provider {
    Ollama(ChatOllama),
    OpenAi(ChatOpenAi),
    Anthropic(ChatAnthropic),
}

impl fmt::Debug for Relay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Relay").field(&self.to).finish()
    }
}

impl Relay {
    pub(crate) fn new(to: Provider) -> Self {
        Self {
            to,
            is_strange: AtomicBool::new(false),
        }
    }

    /// Whether a request may go to this model as it is.
    #[must_use]
    pub fn takes(&self, request: &PassedRequest) -> bool {
        !self.is_strange.load(Ordering::Relaxed)
            && match (&self.to, request.dialect) {
                (Provider::Ollama(model), Dialect::Ollama) => model.passes(request),
                (Provider::OpenAi(model), Dialect::OpenAi) => model.passes(request),
                (Provider::Anthropic(model), Dialect::Anthropic) => model.passes(request),
                _ => false,
            }
    }

    /// Sends a request that this [takes](Self::takes), until the reply says something or, where
    /// it is no stream, is whole. None where the model itself, which knows more of such servers,
    /// is to be asked instead.
    ///
    /// # Errors
    ///
    /// Those of every request to a model server.
    pub async fn open(&self, request: &PassedRequest) -> Result<Option<Relayed>, ModelError> {
        let (wire, transport, sent) = self.sent(request)?;
        let begin = |incoming| Relayed::begin(incoming, wire, request);
        match transport.begun(&sent, begin).await {
            Ok(None) => {
                self.is_strange.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) if is_for_the_model(&error) => Ok(None),
            reply => reply,
        }
    }

    fn sent(
        &self,
        request: &PassedRequest,
    ) -> Result<(&'static Wire, &Transport, Request), ModelError> {
        Ok(match &self.to {
            Provider::Ollama(model) => {
                let (transport, sent) = model.passed(request)?;
                (&crate::ollama::WIRE, transport, sent)
            }
            Provider::OpenAi(model) => {
                let (transport, sent) = model.passed(request)?;
                (&crate::openai::WIRE, transport, sent)
            }
            Provider::Anthropic(model) => {
                let (transport, sent) = model.passed(request)?;
                (&crate::anthropic::WIRE, transport, sent)
            }
        })
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
