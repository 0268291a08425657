//! The trait [`Provider`], implemented once in each provider's folder, and the types of its
//! methods.
//!
//! `providers.rs` lists the providers. A model spec (`spec.rs`), a model server (`server.rs`), the
//! environment settings and a recording (`replay/open.rs`) each look up their provider in that list
//! and use it through this trait, so that no code outside a provider's folder names it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{ChatModel, ModelError, ModelErrorKind};
use url::Url;

use crate::client_request::ClientRequest;
use crate::description::ModelDescription;
use crate::http::Api;
use crate::pass_through::PassThroughModel;
use crate::replay::Recorded;
use crate::server_kind::ServerKind;
use crate::settings::ModelSettings;

/// The facts about a provider that apply to all of its servers and models.
#[derive(Debug)]
pub(crate) struct About {
    /// The name before the colon in `ollama:qwen3`, in lower case.
    pub(crate) name: &'static str,
    /// What its servers speak.
    pub(crate) kind: ServerKind,
    /// The name of its API in messages.
    pub(crate) title: &'static str,
    /// The forms of its model specs, for hints.
    pub(crate) forms: &'static str,
    /// The address of its server if the settings name none.
    pub(crate) default_url: &'static str,
    /// The environment variable with the address of the server.
    pub(crate) url_variable: &'static str,
    /// The environment variable with the key.
    pub(crate) key_variable: &'static str,
    /// What the HTTP layer needs to know.
    pub(crate) api: Api,
}

impl About {
    /// The address of the provider's server: the configured one, else the default.
    pub(crate) fn url<'a>(&'a self, settings: &'a ModelSettings) -> &'a str {
        let url = settings.server_of(self.name).url.as_deref();
        url.unwrap_or(self.default_url)
    }

    /// The error for a missing key that is certainly needed.
    pub(crate) fn missing_key(&self, provider: &str) -> ModelError {
        ModelError::new(
            ModelErrorKind::Unauthorized,
            format!(
                "{provider} needs a key, and {} is not set",
                self.key_variable
            ),
        )
    }
}

/// A provider of models.
///
/// A provider whose servers have a known API, such as chat completions, needs little more than its
/// [`About`]: it opens the model type of that API with its own address and headers.
#[async_trait]
pub(crate) trait Provider: fmt::Debug + Send + Sync {
    /// The facts about the provider.
    fn about(&self) -> &'static About;

    /// Parses the part of a model spec after the colon, which is not empty.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if it names no model.
    fn model_name(&self, text: &str) -> Result<ModelName, ModelError> {
        Ok(ModelName {
            name: text.to_owned(),
            base_url: None,
        })
    }

    /// The address for the user's value of [`About::url_variable`].
    fn address(&self, value: &str) -> String {
        value.to_owned()
    }

    /// The header with the key: its name and value.
    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }

    /// Opens a model of the server at `url`, without a request.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Unauthorized`] if a key is certainly needed and missing.
    fn open(&self, name: &str, url: &str, settings: &ModelSettings) -> Result<Opened, ModelError>;

    /// The model of a recording, which answers from the recording.
    fn replay(&self, recorded: &Recorded<'_>) -> Arc<dyn ChatModel>;

    /// The names of the models of the server at `url`.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    async fn models(&self, url: &str, settings: &ModelSettings) -> Result<Vec<String>, ModelError>;

    /// What the server at `url` tells about a model.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    async fn describe(
        &self,
        name: &str,
        url: &str,
        settings: &ModelSettings,
    ) -> Result<ModelDescription, ModelError>;

    /// The names of the models in the server's memory; `None` if its API does not report them.
    ///
    /// # Errors
    ///
    /// Any error of the request, which is not retried.
    async fn loaded(
        &self,
        _url: &str,
        _settings: &ModelSettings,
    ) -> Result<Option<Vec<String>>, ModelError> {
        Ok(None)
    }

    /// The number of tokens of a conversation as the server at `url` counts them; `None` if it does
    /// not count. `request` has the server's own name of the model.
    ///
    /// # Errors
    ///
    /// Any error of the requests, which are not retried.
    async fn count_tokens(
        &self,
        _url: &str,
        _settings: &ModelSettings,
        _request: &ClientRequest,
    ) -> Result<Option<u64>, ModelError> {
        Ok(None)
    }

    /// The page of llama.cpp's server at `url`; `None` if it is another server.
    ///
    /// # Errors
    ///
    /// Any error of the requests, which are not retried.
    async fn llama_cpp_page(
        &self,
        _page: &LlamaCppPage,
        _url: &str,
        _settings: &ModelSettings,
    ) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// Whether an address belongs to this provider by its host alone, so that no request is needed.
    fn owns(&self, _url: &Url) -> bool {
        false
    }

    /// Whether the server at `url` is one of this provider's, judged by its replies.
    async fn detect(&self, _url: &str, _settings: &ModelSettings) -> Detected {
        Detected::No(None)
    }
}

impl PartialEq for dyn Provider {
    fn eq(&self, other: &Self) -> bool {
        self.about().name == other.about().name
    }
}

impl Eq for dyn Provider {}

/// The part of a model spec after its colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelName {
    pub(crate) name: String,
    /// The address in the spec itself, as in `openai:NAME@BASE_URL`.
    pub(crate) base_url: Option<String>,
}

/// A page of llama.cpp's server about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LlamaCppPage {
    /// Which one.
    pub kind: LlamaCppPageKind,
    /// The model, for a server with several.
    pub model: Option<String>,
}

/// Which page of llama.cpp's server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlamaCppPageKind {
    /// `GET /props`: the settings and the chat template.
    Props,
    /// `GET /slots`: what it is working on.
    Slots,
}

impl LlamaCppPage {
    /// The page of this kind.
    #[must_use]
    pub fn new(kind: LlamaCppPageKind, model: Option<String>) -> Self {
        Self { kind, model }
    }

    /// The path at the server.
    pub(crate) fn path(&self) -> &'static str {
        match self.kind {
            LlamaCppPageKind::Props => "props",
            LlamaCppPageKind::Slots => "slots",
        }
    }
}

/// A model of a provider: as a chat model, and once per API whose requests may pass through
/// unchanged. All share what they learn about their server.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) pass_through: Vec<Arc<dyn PassThroughModel>>,
}

impl<M: ChatModel + PassThroughModel + Clone + 'static> From<M> for Opened {
    fn from(model: M) -> Self {
        Self {
            pass_through: vec![Arc::new(model.clone())],
            model: Arc::new(model),
        }
    }
}

/// The result of [`Provider::detect`].
#[derive(Debug)]
pub(crate) enum Detected {
    /// Yes, at this address, which may differ from the given one by `/v1`.
    Yes(String),
    /// Possibly: it answers like one, but so do others. Yes if no other provider matches.
    Perhaps,
    /// No, with the error if it was asked.
    No(Option<ModelError>),
}

/// Whether `url` is on one of these hosts of clouds, which refuse requests without a key.
pub(crate) fn is_at(url: &str, hosts: &[&str]) -> bool {
    Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(|host| hosts.contains(&host)))
}
