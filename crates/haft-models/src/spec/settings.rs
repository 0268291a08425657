//! What a model needs beside its name, and the environment variables that say it.

use std::net::Ipv6Addr;
use std::path::PathBuf;

use haft_core::ModelError;
use haft_extract::Format;
use url::{Host, Url};

use crate::http::{Limits, Secret, Transport};
use crate::ollama::LOCAL;
use crate::replay::Recorder;
use crate::tool_mode::ToolMode;

/// Where Ollama listens, without its usual scheme and host.
const OLLAMA_PORT: u16 = 11434;

/// Addresses, keys, limits and habits, for whichever model is opened.
///
/// ```
/// use haft_models::ModelSettings;
///
/// let settings = ModelSettings::from_lookup(|name| {
///     (name == "OLLAMA_HOST").then(|| "0.0.0.0:8000".to_owned())
/// });
/// assert_eq!(settings.ollama_host, "http://127.0.0.1:8000");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelSettings {
    /// How freely the model chooses its words, usually from 0 to 2; the server decides where it
    /// is missing.
    pub temperature: Option<f64>,
    /// The most tokens of a reply; the server decides where it is missing.
    pub max_tokens: Option<u32>,
    /// Tokens that prompt and reply may have together. Ollama is asked for exactly that many; where
    /// it is missing, for as many as a prompt needs.
    pub context: Option<u32>,
    /// How a model of Ollama or an OpenAI-compatible server is told of its tools; natively where
    /// it can by default.
    pub tool_mode: ToolMode,
    /// The format in which such a model writes calls into its text; found out by default.
    pub format: Format,
    /// The address of Ollama, `http://127.0.0.1:11434` unless told otherwise.
    pub ollama_host: String,
    /// A key for a proxy before Ollama.
    pub ollama_api_key: Option<Secret>,
    /// The address of the OpenAI-compatible server; OpenAI's own where it is missing.
    pub openai_base_url: Option<String>,
    /// The key for the OpenAI-compatible server.
    pub openai_api_key: Option<Secret>,
    /// The address of the Anthropic-compatible server; Anthropic's own where it is missing.
    pub anthropic_base_url: Option<String>,
    /// The key for Anthropic.
    pub anthropic_api_key: Option<Secret>,
    /// How long and how much a server may take.
    pub limits: Limits,
    /// A file to which all exchanges with a model server are added.
    pub record: Option<PathBuf>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            temperature: None,
            max_tokens: None,
            context: None,
            tool_mode: ToolMode::Auto,
            format: Format::AUTO,
            ollama_host: LOCAL.to_owned(),
            ollama_api_key: None,
            openai_base_url: None,
            openai_api_key: None,
            anthropic_base_url: None,
            anthropic_api_key: None,
            limits: Limits::default(),
            record: None,
        }
    }
}

impl ModelSettings {
    /// The settings in this process's environment: `OLLAMA_HOST`, `OLLAMA_API_KEY`,
    /// `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `ANTHROPIC_BASE_URL`, `ANTHROPIC_API_KEY`.
    #[must_use]
    pub fn from_env() -> Self {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// Like [`from_env`](Self::from_env), with the variables from elsewhere. Blank ones count as
    /// missing.
    #[must_use]
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let key = |name: &str| text(name).map(Secret::new);
        Self {
            ollama_host: text("OLLAMA_HOST")
                .map_or_else(|| LOCAL.to_owned(), |host| address(&host)),
            ollama_api_key: key("OLLAMA_API_KEY"),
            openai_base_url: text("OPENAI_BASE_URL"),
            openai_api_key: key("OPENAI_API_KEY"),
            anthropic_base_url: text("ANTHROPIC_BASE_URL"),
            anthropic_api_key: key("ANTHROPIC_API_KEY"),
            ..Self::default()
        }
    }

    /// The way to a server under these settings.
    pub(crate) fn transport(&self) -> Result<Transport, ModelError> {
        let transport = Transport::http().with_limits(self.limits.clone());
        Ok(match &self.record {
            Some(path) => transport.with_recorder(Recorder::create(path)?),
            None => transport,
        })
    }
}

/// The address that a value of `OLLAMA_HOST` means to a client: Ollama itself takes a host, a
/// port or both, with or without a scheme, and the server's "all interfaces"
/// (`ollama/ollama: envconfig/config.go`). What is no address at all stays, and is refused when
/// it is used.
fn address(host: &str) -> String {
    let host = host.trim().trim_matches(['"', '\'']);
    if host.contains("://") {
        return reachable(host, None).unwrap_or_else(|| host.to_owned());
    }
    let (authority, path) = host.split_once('/').unwrap_or((host, ""));
    let authority = if authority.parse::<Ipv6Addr>().is_ok() {
        format!("[{authority}]")
    } else if authority.starts_with(':') {
        format!("127.0.0.1{authority}")
    } else {
        authority.to_owned()
    };
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let port = (!has_port).then_some(OLLAMA_PORT);
    reachable(&format!("http://{authority}/{path}"), port).unwrap_or_else(|| host.to_owned())
}

/// The address with a host that can be connected to, and with `port` where one is given.
fn reachable(address: &str, port: Option<u16>) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    let local = match url.host()? {
        Host::Ipv4(host) if host.is_unspecified() => Some("127.0.0.1"),
        Host::Ipv6(host) if host.is_unspecified() => Some("[::1]"),
        _ => None,
    };
    if let Some(local) = local {
        url.set_host(Some(local)).ok()?;
    }
    if let Some(port) = port {
        url.set_port(Some(port)).ok()?;
    }
    Some(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests;
