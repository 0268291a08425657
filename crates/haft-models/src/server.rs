//! A model server: its kind, its models, and a model of it by name.
//!
//! `server/forward.rs` forwards requests that do not belong to a conversation.

use std::fmt;
use std::sync::Arc;

use haft_core::{ChatModel, ModelError};
use serde_json::Value;

use crate::client_request::ClientRequest;
use crate::http::{
    Api, Framing, Limits, Request, Transport, body_of, endpoint, is_loopback, is_near, safe_url,
};
use crate::pass_through::PassThrough;
use crate::provider::{LlamaCppPage, Provider};
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;

mod detection;
mod forward;

pub use forward::{ByteStream, ForwardBody};

/// A server, with the settings of its models.
#[derive(Clone, Debug)]
pub struct ModelServer {
    provider: &'static dyn Provider,
    /// The address as the provider's models take it: Ollama's root, or with `/v1` for chat
    /// completions.
    url: String,
    settings: ModelSettings,
}

/// A model of a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenedModel {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// Its pass-through, once per API.
    pub pass_through: Vec<Arc<PassThrough>>,
}

impl ModelServer {
    /// A server of a known kind.
    #[must_use]
    pub fn new(kind: ServerKind, url: impl Into<String>, settings: &ModelSettings) -> Self {
        Self::of(kind.provider(), url.into(), settings)
    }

    fn of(provider: &'static dyn Provider, url: String, settings: &ModelSettings) -> Self {
        let mut settings = settings.clone();
        settings.streams_at_once = true;
        Self {
            provider,
            url,
            settings,
        }
    }

    /// The API of the server.
    #[must_use]
    pub fn kind(&self) -> ServerKind {
        self.provider.about().kind
    }

    /// The names of its models.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        self.provider.models(&self.url, &self.settings).await
    }

    /// The model of this name.
    ///
    /// # Errors
    ///
    /// As [`open_model`](crate::open_model).
    pub fn open(&self, name: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(self.open_with_pass_through(name)?.model)
    }

    /// The model of this name, and its pass-through for requests that need no change.
    ///
    /// # Errors
    ///
    /// As [`open_model`](crate::open_model).
    pub fn open_with_pass_through(&self, name: &str) -> Result<OpenedModel, ModelError> {
        let opened = self.provider.open(name, &self.url, &self.settings)?;
        let pass_through = opened.pass_through.into_iter().map(PassThrough::new);
        Ok(OpenedModel {
            model: opened.model,
            pass_through: pass_through.map(Arc::new).collect(),
        })
    }

    /// The names of the models in the server's memory; `None` if its API does not report them,
    /// which only Ollama's does.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn loaded(&self) -> Result<Option<Vec<String>>, ModelError> {
        self.provider.loaded(&self.url, &self.settings).await
    }

    /// The body of the response to a `GET` of this path, for requests outside of conversations.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn get(&self, path: &str) -> Result<String, ModelError> {
        let request = Request::get(self.api(), endpoint(&self.url, path)?);
        self.transport().fetch(&self.signed(request)).await
    }

    /// The body of the response to a `POST` of `body` to this path, for requests outside of
    /// conversations.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn post(&self, path: &str, body: Value) -> Result<String, ModelError> {
        let url = endpoint(&self.url, path)?;
        let request = Request::post(self.api(), url, body_of(&body)?, Framing::Whole);
        self.transport().fetch(&self.signed(request)).await
    }

    /// Like [`post`](Self::post), but with the time of a conversation: for requests that the server
    /// computes, such as embeddings.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    pub async fn compute(&self, path: &str, body: Value) -> Result<String, ModelError> {
        let url = endpoint(&self.url, path)?;
        let request = Request::post(self.api(), url, body_of(&body)?, Framing::Whole);
        let request = self.signed(request);
        self.transport().fetch_computed(&request).await
    }

    /// The number of tokens of a conversation as the server counts them; `None` if it does not
    /// count. `request` has the server's own name of the model. Of servers of chat completions only
    /// llama.cpp's counts.
    ///
    /// # Errors
    ///
    /// Any error of the requests, which are not retried.
    pub async fn count_tokens(&self, request: &ClientRequest) -> Result<Option<u64>, ModelError> {
        let (url, settings) = (&self.url, &self.settings);
        self.provider.count_tokens(url, settings, request).await
    }

    /// A page of llama.cpp's server about itself, in JSON; `None` if it is another server.
    ///
    /// # Errors
    ///
    /// Any error of the requests, which are not retried.
    pub async fn llama_cpp_page(&self, page: &LlamaCppPage) -> Result<Option<String>, ModelError> {
        let (url, settings) = (&self.url, &self.settings);
        self.provider.llama_cpp_page(page, url, settings).await
    }

    /// Whether a reply that is not needed before its end may be requested [in one
    /// piece](haft_core::CallOptions::in_one_piece). Only on this machine: on the way to another
    /// one, a connection that is silent for a minute may be closed. And only with the default
    /// timeouts: with a shorter one, a stream shows earlier that the server has stopped.
    #[must_use]
    pub fn answers_in_one_piece(&self) -> bool {
        let is_patient = self.settings.limits.first_byte >= Limits::default().first_byte;
        is_patient && endpoint(&self.url, "").is_ok_and(|url| is_loopback(&url))
    }

    /// Whether the server is on this machine or in a private network, judged by its address alone.
    #[must_use]
    pub fn is_near(&self) -> bool {
        endpoint(&self.url, "").is_ok_and(|url| is_near(&url))
    }

    /// Whether this is Anthropic's own API, and not another server that speaks it.
    #[must_use]
    pub fn is_anthropics_own(&self) -> bool {
        let url = endpoint(&self.url, "");
        url.is_ok_and(|url| url.host_str() == Some("api.anthropic.com"))
    }

    /// A copy of this server without retries after transient failures, for callers that try
    /// another server instead.
    #[must_use]
    pub fn without_retries(mut self) -> Self {
        self.settings.limits.retries = 0;
        self
    }

    /// The limits for requests.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// Host and port, such as `127.0.0.1:11434`.
    #[must_use]
    pub fn host(&self) -> String {
        let parsed = endpoint(&self.url, "").ok();
        let host = parsed.and_then(|url| {
            let host = url.host_str()?.to_owned();
            let port = url.port().map(|port| format!(":{port}"));
            Some(host + port.as_deref().unwrap_or_default())
        });
        host.unwrap_or_else(|| "no address".to_owned())
    }

    fn api(&self) -> &'static Api {
        &self.provider.about().api
    }

    /// The header with the server's key, if it has one: its name and value.
    fn key(&self) -> Option<(&'static str, String)> {
        let key = self.settings.api_key_of(self.provider.about().name)?;
        Some(self.provider.key_header(key))
    }

    fn signed(&self, request: Request) -> Request {
        match self.key() {
            Some((name, value)) => request.with_header(name, value),
            None => request,
        }
    }

    fn transport(&self) -> Transport {
        Transport::http().with_limits(self.settings.limits.clone())
    }
}

impl fmt::Display for ModelServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.provider.about().title;
        match endpoint(&self.url, "") {
            Ok(url) => write!(formatter, "{title} at {}", safe_url(&url)),
            Err(_) => formatter.write_str(title),
        }
    }
}

#[cfg(test)]
mod tests;
