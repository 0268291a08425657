//! The settings of models beside their names: sampling, tools, servers and limits.
//!
//! `providers.rs` reads the servers from the environment.

use std::collections::BTreeMap;

use haft_extract::{BareCalls, Format};

use crate::http::{Limits, Secret, Transport};
use crate::replay::Recorder;
use crate::tool_mode::ToolMode;

/// The address and key of a provider's server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSettings {
    /// The server's address; if not set, the provider's default.
    pub url: Option<String>,
    /// The key; if not set, none is sent.
    pub api_key: Option<Secret>,
}

/// The settings of any model that is opened.
///
/// ```
/// use haft_models::{ModelSettings, ServerKind};
///
/// let mut settings = ModelSettings::default();
/// settings.temperature = Some(0.2);
/// settings.server_mut(ServerKind::OpenAi).url = Some("http://127.0.0.1:8080/v1".to_owned());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelSettings {
    /// The sampling temperature, usually from 0 to 2; if not set, the server decides.
    pub temperature: Option<f64>,
    /// The maximum number of tokens of a reply; if not set, the server decides.
    pub max_tokens: Option<u32>,
    /// The context size in tokens, for prompt and reply together. Ollama is asked for exactly this
    /// size; if not set, for as much as a prompt needs.
    pub context: Option<u32>,
    /// How tools are offered to a model of Ollama or an OpenAI-compatible server; natively by
    /// default, if the model supports it.
    pub tool_mode: ToolMode,
    /// The format in which such a model writes calls into its text; detected by default.
    pub format: Format,
    /// How calls that a model writes into its text without a marker are handled; judged by the
    /// words around them by default.
    pub bare_calls: BareCalls,
    /// Whether a reply of nothing but a closed thought makes the calls that end it, if all of their
    /// tools only read; off by default.
    pub thought_calls: bool,
    /// The limits for requests to a server.
    pub limits: Limits,
    /// The recording to which all exchanges with a model server are added.
    pub record: Option<Recorder>,
    /// Whether a reply reaches its reader without any delay, as a gateway promises.
    pub(crate) streams_at_once: bool,
    /// The servers by their provider's name.
    pub(crate) servers: BTreeMap<&'static str, ServerSettings>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            temperature: None,
            max_tokens: None,
            context: None,
            tool_mode: ToolMode::Auto,
            format: Format::Auto,
            bare_calls: BareCalls::default(),
            thought_calls: false,
            limits: Limits::default(),
            record: None,
            streams_at_once: false,
            servers: BTreeMap::new(),
        }
    }
}

impl ModelSettings {
    /// The settings of the server of the provider with this name.
    pub(crate) fn server_of(&self, provider: &str) -> &ServerSettings {
        const NONE: &ServerSettings = &ServerSettings {
            url: None,
            api_key: None,
        };
        self.servers.get(provider).unwrap_or(NONE)
    }

    /// The key for the server of the provider with this name.
    pub(crate) fn api_key_of(&self, provider: &str) -> Option<&str> {
        self.server_of(provider)
            .api_key
            .as_ref()
            .map(Secret::reveal)
    }

    /// The transport to a server under these settings.
    pub(crate) fn transport(&self) -> Transport {
        let transport = Transport::http().with_limits(self.limits.clone());
        match &self.record {
            Some(recorder) => transport.with_recorder(recorder.clone()),
            None => transport,
        }
    }
}
