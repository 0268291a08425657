//! Requests to model servers.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind, RequestContext, Secrets};
use serde::Serialize;
use serde_json::Value;

use super::{Endpoint, Framing, Secret};

/// What the HTTP layer needs to know about a provider's API. Each provider's folder has its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Api {
    /// The API's name in recordings.
    pub(crate) name: &'static str,
    /// A suggestion if the server cannot be reached.
    pub(crate) connect_hint: &'static str,
    /// A suggestion if the key is rejected.
    pub(crate) key_hint: &'static str,
}

/// A request. Header values are secrets: they are neither shown nor recorded.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) api: &'static Api,
    pub(crate) url: Arc<Endpoint>,
    pub(crate) headers: Vec<(&'static str, Secret)>,
    /// The JSON body of a POST; without a body the request is a GET.
    pub(crate) body: Option<Bytes>,
    pub(crate) framing: Framing,
    /// The request of the client on whose behalf this one is sent.
    pub(crate) context: Option<Arc<RequestContext>>,
}

impl Request {
    /// A POST of `body`, with a whole or streamed response.
    pub(crate) fn post(
        api: &'static Api,
        url: Arc<Endpoint>,
        body: Bytes,
        framing: Framing,
    ) -> Self {
        Self {
            api,
            url,
            headers: Vec::new(),
            body: Some(body),
            framing,
            context: None,
        }
    }

    /// A GET with a whole response.
    pub(crate) fn get(api: &'static Api, url: Arc<Endpoint>) -> Self {
        Self {
            api,
            url,
            headers: Vec::new(),
            body: None,
            framing: Framing::Whole,
            context: None,
        }
    }

    /// The body as JSON, for recordings.
    pub(crate) fn body(&self) -> Value {
        let body = self.body.as_deref().unwrap_or_default();
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The request's secrets, which servers may repeat in their responses.
    pub(crate) fn secrets(&self) -> Secrets {
        self.address().secrets()
    }

    /// The address, for errors in the reply.
    pub(crate) fn address(&self) -> Address {
        Address {
            headers: self.headers.clone(),
            url: self.url.clone(),
        }
    }

    /// Adds a header.
    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, Secret::new(value)));
        self
    }

    /// Sends the request on behalf of a client's request.
    pub(crate) fn for_client(mut self, context: Option<&Arc<RequestContext>>) -> Self {
        self.context = context.cloned();
        self
    }

    /// Adds a header in place of an earlier one with this name.
    pub(crate) fn with_only_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.with_header(name, value)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("api", &self.api.name)
            .field("url", &super::safe_url(&self.url))
            .finish_non_exhaustive()
    }
}

/// Where a request went, and with which keys. Most replies have no error, so the secrets in it are
/// looked for only then.
#[derive(Clone)]
pub(crate) struct Address {
    headers: Vec<(&'static str, Secret)>,
    url: Arc<Endpoint>,
}

impl Address {
    /// The secrets, which servers may repeat in their responses.
    pub(crate) fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        for (_, secret) in &self.headers {
            secrets.add_header(secret.reveal());
        }
        secrets.add_url(self.url.as_str());
        secrets
    }
}

pub(crate) fn body_of(request: &impl Serialize) -> Result<Bytes, ModelError> {
    let body = serde_json::to_vec(request).map(Bytes::from);
    body.map_err(|error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "The request cannot be serialized as JSON",
        )
        .with_detail(error.to_string())
    })
}

#[cfg(test)]
mod tests;
