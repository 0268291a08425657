//! A model server: what kind it is, which models it has, and a model of it by name.

use std::fmt;
use std::sync::Arc;

use haft_core::{ChatModel, ModelError, ModelErrorKind};
use serde::Serialize;
use serde_json::Value;

use crate::http::{
    Api, Framing, Limits, Request, Secret, Transport, body_of, endpoint, is_loopback, safe_url,
};
use crate::ollama::Catalog;
use crate::relay::{Provider, Relay};
use crate::spec::{anthropic_model, ollama_model, openai_model};
use crate::{ChatAnthropic, ChatOpenAi, ModelSettings};

mod forward;

pub use forward::{ByteStream, ForwardBody};

/// Anthropic's own host, whose kind needs no asking.
const ANTHROPIC_HOST: &str = "api.anthropic.com";

/// What a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ServerKind {
    /// Ollama's own API.
    Ollama,
    /// Chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// A server, with what else its models need.
#[derive(Clone, Debug)]
pub struct ModelServer {
    kind: ServerKind,
    /// For Ollama the root, for the others what stands before the path of an API.
    url: String,
    settings: ModelSettings,
}

impl ModelServer {
    /// The server at this address, which may begin with `ollama:`, `openai:` or `anthropic:`;
    /// without that it is asked what it is.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Connect`] when nobody answers, [`ModelErrorKind::Configuration`] when the
    /// answer is of no kind that is known.
    pub async fn detect(address: &str, settings: &ModelSettings) -> Result<Self, ModelError> {
        let (kind, url) = told(address.trim());
        let url = url.trim_end_matches('/').to_owned();
        let parsed = endpoint(&url, "")?;
        if parsed.host_str() == Some(ANTHROPIC_HOST) {
            return Ok(Self::new(ServerKind::Anthropic, url, settings));
        }
        if let Some(kind) = kind {
            return Ok(Self::new(kind, url, settings));
        }
        let ollama = Self::new(ServerKind::Ollama, url.clone(), settings);
        let version = ollama.catalog().version().await;
        if let Err(error) = &version
            && error.kind() == ModelErrorKind::Connect
        {
            return version.map(|_| ollama);
        }
        // Others have some of Ollama's paths as well; only Ollama says that it is Ollama.
        let is_ollama = version.is_ok()
            && ollama
                .get("/")
                .await
                .is_ok_and(|text| text.contains("Ollama"));
        if is_ollama {
            return Ok(ollama);
        }
        for url in [format!("{}/v1", url.trim_end_matches("/v1")), url] {
            let server = Self::new(ServerKind::OpenAi, url, settings);
            // A server that wants a key is one, too.
            match server.models().await {
                Ok(_) => return Ok(server),
                Err(error) if error.kind() == ModelErrorKind::Unauthorized => return Ok(server),
                Err(_) => {}
            }
        }
        version.map(|_| ollama).map_err(|error| {
            let address = safe_url(&parsed);
            let message = format!("The server at {address} is no model server that is known");
            ModelError::new(ModelErrorKind::Configuration, message)
                .with_hint("say what it speaks: ollama:URL, openai:URL or anthropic:URL")
                .with_detail(error.detail())
        })
    }

    /// A server of a known kind.
    #[must_use]
    pub fn new(kind: ServerKind, url: impl Into<String>, settings: &ModelSettings) -> Self {
        Self {
            kind,
            url: url.into(),
            settings: settings.clone(),
        }
    }

    /// What it speaks.
    #[must_use]
    pub const fn kind(&self) -> ServerKind {
        self.kind
    }

    /// The names of its models.
    ///
    /// # Errors
    ///
    /// Whatever keeps the server from answering; it is asked once.
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        match self.kind {
            ServerKind::Ollama => self.catalog().names().await,
            ServerKind::OpenAi => {
                let mut model = ChatOpenAi::new("").base_url(&self.url);
                if let Some(key) = &self.settings.openai_api_key {
                    model = model.api_key(key.reveal());
                }
                model.models().await
            }
            ServerKind::Anthropic => {
                let mut model = ChatAnthropic::new("").base_url(&self.url);
                if let Some(key) = &self.settings.anthropic_api_key {
                    model = model.api_key(key.reveal());
                }
                model.models().await
            }
        }
    }

    /// The model of this name.
    ///
    /// # Errors
    ///
    /// As [`open_model`](crate::open_model).
    pub fn open(&self, name: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(self.open_with_relay(name)?.0)
    }

    /// The model of this name, and the way to it for what may pass as it is.
    ///
    /// # Errors
    ///
    /// As [`open_model`](crate::open_model).
    pub fn open_with_relay(&self, name: &str) -> Result<(Arc<dyn ChatModel>, Relay), ModelError> {
        let mut settings = self.settings.clone();
        Ok(match self.kind {
            ServerKind::Ollama => {
                settings.ollama_host.clone_from(&self.url);
                let model = ollama_model(name, &settings)?;
                let relay = Provider::Ollama(model.clone());
                (Arc::new(model), Relay::new(relay))
            }
            ServerKind::OpenAi => {
                let model = openai_model(name, Some(&self.url), &settings)?;
                let relay = Provider::OpenAi(model.clone());
                (Arc::new(model), Relay::new(relay))
            }
            ServerKind::Anthropic => {
                settings.anthropic_base_url = Some(self.url.clone());
                let model = anthropic_model(name, &settings)?;
                let relay = Provider::Anthropic(model.clone());
                (Arc::new(model), Relay::new(relay))
            }
        })
    }

    /// The names of the models that an Ollama server holds in memory; none where the server does
    /// not tell, as no other kind does.
    ///
    /// # Errors
    ///
    /// Whatever keeps the server from answering; it is asked once.
    pub async fn loaded(&self) -> Result<Option<Vec<String>>, ModelError> {
        if self.kind != ServerKind::Ollama {
            return Ok(None);
        }
        let loaded = self.catalog().loaded().await?;
        Ok(Some(loaded.into_iter().map(|model| model.name).collect()))
    }

    /// The answer to a question beside the conversation, as text: `GET` of this path.
    ///
    /// # Errors
    ///
    /// Whatever keeps the server from answering; it is asked once.
    pub async fn get(&self, path: &str) -> Result<String, ModelError> {
        let request = Request::get(self.api(), endpoint(&self.url, path)?);
        self.transport().fetch(&self.signed(request)).await
    }

    /// The answer to a question beside the conversation, as text: `POST` of this body to this path.
    ///
    /// # Errors
    ///
    /// Whatever keeps the server from answering; it is asked once.
    pub async fn post(&self, path: &str, body: Value) -> Result<String, ModelError> {
        let url = endpoint(&self.url, path)?;
        let request = Request::post(self.api(), url, body_of(&body)?, Framing::Whole);
        self.transport().fetch(&self.signed(request)).await
    }

    /// Whether a reply that nobody reads before its end may be asked for
    /// [in one piece](haft_core::CallOptions::in_one_piece). Elsewhere only a stream keeps a
    /// connection open on which nothing is said for a minute, and only a stream shows that a
    /// server has stopped, where somebody waits for that less than usual.
    #[must_use]
    pub fn answers_in_one_piece(&self) -> bool {
        let is_patient = self.settings.limits.first_byte >= Limits::default().first_byte;
        is_patient && endpoint(&self.url, "").is_ok_and(|url| is_loopback(&url))
    }

    /// The same server, which is not asked again by itself after a transient failure: for those
    /// who ask another one.
    #[must_use]
    pub fn without_retries(mut self) -> Self {
        self.settings.limits.retries = 0;
        self
    }

    /// How long and how much it may take.
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

    fn api(&self) -> Api {
        match self.kind {
            ServerKind::Ollama => Api::Ollama,
            ServerKind::OpenAi => Api::OpenAi,
            ServerKind::Anthropic => Api::Anthropic,
        }
    }

    /// The server's key, if there is one, and the header that it goes in.
    fn key(&self) -> Option<(&'static str, String)> {
        let settings = &self.settings;
        let (key, name) = match self.kind {
            ServerKind::Ollama => (&settings.ollama_api_key, "authorization"),
            ServerKind::OpenAi => (&settings.openai_api_key, "authorization"),
            ServerKind::Anthropic => (&settings.anthropic_api_key, "x-api-key"),
        };
        let key = key.as_ref().map(Secret::reveal)?;
        let value = match self.kind {
            ServerKind::Anthropic => key.to_owned(),
            ServerKind::Ollama | ServerKind::OpenAi => format!("Bearer {key}"),
        };
        Some((name, value))
    }

    fn signed(&self, request: Request) -> Request {
        match self.key() {
            Some((name, value)) => request.with_header(name, value),
            None => request,
        }
    }

    fn catalog(&self) -> Catalog {
        Catalog {
            transport: self.transport(),
            base_url: self.url.clone(),
            api_key: self.settings.ollama_api_key.clone(),
        }
    }

    fn transport(&self) -> Transport {
        Transport::http().with_limits(self.settings.limits.clone())
    }
}

/// The kind that an address begins with, and the rest.
fn told(address: &str) -> (Option<ServerKind>, &str) {
    const KINDS: [(&str, ServerKind); 3] = [
        ("ollama:", ServerKind::Ollama),
        ("openai:", ServerKind::OpenAi),
        ("anthropic:", ServerKind::Anthropic),
    ];
    let found = KINDS
        .iter()
        .find_map(|(name, kind)| Some((Some(*kind), address.strip_prefix(name)?)));
    found.unwrap_or((None, address))
}

impl fmt::Display for ModelServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ServerKind::Ollama => "Ollama",
            ServerKind::OpenAi => "chat completions",
            ServerKind::Anthropic => "Anthropic",
        };
        match endpoint(&self.url, "") {
            Ok(url) => write!(formatter, "{kind} at {}", safe_url(&url)),
            Err(_) => formatter.write_str(kind),
        }
    }
}

#[cfg(test)]
mod tests;
