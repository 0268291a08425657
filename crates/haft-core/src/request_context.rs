//! What is known about the request of a client while it passes through agent, adapter and HTTP.

use std::sync::{Arc, Mutex, PoisonError};

/// The request of a client on whose behalf models are asked. It takes headers that follow the
/// request, such as its id, to the model server, and the name of the asked server back.
#[derive(Debug, Default)]
pub struct RequestContext {
    headers: Vec<(&'static str, String)>,
    upstream: Mutex<Option<Arc<str>>>,
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

    /// Records which model server is asked now.
    pub fn set_upstream(&self, name: Arc<str>) {
        *self.upstream.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    /// The name of the model server that was asked last; `None` before the first.
    #[must_use]
    pub fn upstream(&self) -> Option<Arc<str>> {
        let upstream = self.upstream.lock();
        upstream.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl PartialEq for RequestContext {
    /// Compares what is sent; which server was asked is not part of it.
    fn eq(&self, other: &Self) -> bool {
        self.headers == other.headers
    }
}
