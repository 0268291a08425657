//! The list of all providers, and lookups in it.
//!
//! A new provider is a folder with its implementation of [`Provider`], and a line in
//! [`PROVIDERS`]. Everything else is derived from the list: model specs, the environment
//! variables, the detection of servers and the replay of recordings.

use bytes::Bytes;

use crate::anthropic::Anthropic;
use crate::http::Secret;
use crate::ollama::Ollama;
use crate::openai::OpenAi;
use crate::pass_through::{PassThroughApi, PassThroughRequest};
use crate::provider::Provider;
use crate::server_kind::ServerKind;
use crate::settings::{ModelSettings, ServerSettings};

/// Every provider. Servers are detected in this order, and hints list them in it.
pub(crate) const PROVIDERS: &[&dyn Provider] = &[&Ollama, &OpenAi, &Anthropic];

pub(crate) fn by_name(name: &str) -> Option<&'static dyn Provider> {
    let mut providers = PROVIDERS.iter().copied();
    providers.find(|provider| provider.about().name == name)
}

/// One text for each provider, as a list in a sentence: `a, b or c`.
pub(crate) fn listed(item: impl Fn(&dyn Provider) -> String) -> String {
    let mut items: Vec<_> = PROVIDERS.iter().map(|provider| item(*provider)).collect();
    match (items.pop(), items.is_empty()) {
        (Some(last), false) => format!("{} or {last}", items.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

impl ServerKind {
    /// The provider with the name of this API.
    pub(crate) fn provider(self) -> &'static dyn Provider {
        match self {
            Self::Ollama => &Ollama,
            Self::OpenAi => &OpenAi,
            Self::Anthropic => &Anthropic,
        }
    }
}

impl ModelSettings {
    /// Reads the settings from this process's environment: for each provider the address and the
    /// key of its server, such as `OLLAMA_HOST`, `OPENAI_BASE_URL` and `ANTHROPIC_API_KEY`.
    #[must_use]
    pub fn from_env() -> Self {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// Like [`from_env`](Self::from_env), with the variables from elsewhere. Blank variables count
    /// as missing.
    ///
    /// ```
    /// use haft_models::{ModelSettings, ServerKind};
    ///
    /// let settings = ModelSettings::from_lookup(|name| {
    ///     (name == "OLLAMA_HOST").then(|| "0.0.0.0:8000".to_owned())
    /// });
    /// assert_eq!(settings.url(ServerKind::Ollama), "http://127.0.0.1:8000");
    /// ```
    #[must_use]
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let mut settings = Self::default();
        for provider in PROVIDERS {
            let about = provider.about();
            let server = ServerSettings {
                url: text(about.url_variable).map(|value| provider.address(&value)),
                api_key: text(about.key_variable).map(Secret::new),
            };
            settings.servers.insert(about.name, server);
        }
        settings
    }

    /// The address and key of the servers of the provider with the name of this API.
    #[must_use]
    pub fn server(&self, kind: ServerKind) -> &ServerSettings {
        self.server_of(kind.provider().about().name)
    }

    /// Changes what [`server`](Self::server) returns.
    pub fn server_mut(&mut self, kind: ServerKind) -> &mut ServerSettings {
        let name = kind.provider().about().name;
        self.servers.entry(name).or_default()
    }

    /// The address of a server of this kind: the configured one, else the provider's default.
    #[must_use]
    pub fn url(&self, kind: ServerKind) -> &str {
        kind.provider().about().url(self)
    }

    /// Sets one key for the servers of every provider, or none: for a server that has its own key
    /// and must not see those of the environment.
    pub fn set_every_key(&mut self, key: Option<&Secret>) {
        for provider in PROVIDERS {
            let server = self.servers.entry(provider.about().name).or_default();
            server.api_key = key.cloned();
        }
    }
}

impl PassThroughRequest {
    /// Parses a request that may pass through. `None` if haft must handle it (a required call, a
    /// format of the answer, several replies), or if the request lacks something that some servers
    /// need, such as the id of the answered call. [`PassThrough::takes`](crate::PassThrough::takes)
    /// decides for a particular model.
    #[must_use]
    pub fn read(api: PassThroughApi, body: &Bytes) -> Option<Self> {
        let request = match api {
            PassThroughApi::ChatCompletions => crate::openai::passable(body),
            PassThroughApi::Responses => crate::openai::responses::passable(body),
            PassThroughApi::OllamaChat => crate::ollama::passable(body),
            PassThroughApi::Messages => crate::anthropic::passable(body),
        }?;
        (!request.model.trim().is_empty()).then_some(request)
    }
}

#[cfg(test)]
mod tests;
