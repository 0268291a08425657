//! What is known about the request of a client while it passes through agent, adapter and HTTP.

use crate::RawReply;

/// The request of a client on whose behalf models are asked. It takes headers that follow the
/// request, such as its id, to the model server, and what the model wrote back.
#[derive(Debug, Default)]
pub struct RequestContext {
    headers: Vec<(&'static str, String)>,
    raw_reply: RawReply,
}

impl RequestContext {
    /// Sends this header on to every model server. The name is in lower case; the value is no
    /// secret.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The headers for model servers: names in lower case, and values.
    #[must_use]
    pub fn headers(&self) -> &[(&'static str, String)] {
        &self.headers
    }

    /// The servers that were asked, and what the model wrote.
    #[must_use]
    pub fn raw_reply(&self) -> &RawReply {
        &self.raw_reply
    }
}

impl PartialEq for RequestContext {
    /// Compares what is sent; the reply is not part of it.
    fn eq(&self, other: &Self) -> bool {
        self.headers == other.headers
    }
}
