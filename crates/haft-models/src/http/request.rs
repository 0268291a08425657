//! What goes out: one request in a provider's dialect.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind};
use serde::Serialize;
use serde_json::Value;
use url::Url;

use super::{Framing, Secret};

/// The dialect a request is in; its text form names it in recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    Ollama,
    OpenAi,
    Anthropic,
}

impl Api {
    /// The name in recordings.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ollama => "ollama-chat",
            Self::OpenAi => "openai-chat",
            Self::Anthropic => "anthropic-messages",
        }
    }

    /// What to do when nobody answers.
    pub(crate) fn connect_hint(self) -> &'static str {
        match self {
            Self::Ollama => {
                "is the server running? start it with `ollama serve`, or name another address \
                 in OLLAMA_HOST"
            }
            Self::OpenAi => {
                "is the server running, and is the address right? it comes from \
                 `openai:NAME@BASE_URL`, or from OPENAI_BASE_URL"
            }
            Self::Anthropic => "is this machine online, and is ANTHROPIC_BASE_URL right, if set?",
        }
    }

    /// What to do when the key is not accepted.
    pub(crate) fn key_hint(self) -> &'static str {
        match self {
            Self::Ollama => "the server, or a proxy before it, wants a key: set OLLAMA_API_KEY",
            Self::OpenAi => "set OPENAI_API_KEY to a key that this server accepts",
            Self::Anthropic => "set ANTHROPIC_API_KEY to a valid key",
        }
    }
}

impl FromStr for Api {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        [Self::Ollama, Self::OpenAi, Self::Anthropic]
            .into_iter()
            .find(|api| api.as_str() == name)
            .ok_or(())
    }
}

/// One request. Header values are secrets: they are neither shown nor recorded.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) api: Api,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(&'static str, Secret)>,
    /// The JSON to POST; without one the request is a GET.
    pub(crate) body: Option<Bytes>,
    pub(crate) framing: Framing,
}

impl Request {
    /// A POST of `body`, answered in one piece or as a stream.
    pub(crate) fn post(api: Api, url: Url, body: Bytes, framing: Framing) -> Self {
        Self {
            api,
            url,
            headers: Vec::new(),
            body: Some(body),
            framing,
        }
    }

    /// A GET, answered in one piece.
    pub(crate) fn get(api: Api, url: Url) -> Self {
        Self {
            api,
            url,
            headers: Vec::new(),
            body: None,
            framing: Framing::Whole,
        }
    }

    /// The body as data, for recordings.
    pub(crate) fn body(&self) -> Value {
        let body = self.body.as_deref().unwrap_or_default();
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The same request with one more header.
    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, Secret::new(value)));
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("api", &self.api)
            .field("url", &super::safe_url(&self.url))
            .finish_non_exhaustive()
    }
}

/// The body of a request as JSON.
pub(crate) fn body_of(request: &impl Serialize) -> Result<Bytes, ModelError> {
    let body = serde_json::to_vec(request).map(Bytes::from);
    body.map_err(|error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "The request cannot be written as JSON",
        )
        .with_detail(error.to_string())
    })
}

/// So many addresses are remembered, which saves a twentieth of a short request: those of the
/// model servers in use.
const ADDRESSES: usize = 32;

/// `path` below `base`, whether or not the base ends with a slash.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] when `base` is not an `http` or `https` address.
pub(crate) fn endpoint(base: &str, path: &str) -> Result<Url, ModelError> {
    static KNOWN: Mutex<Vec<(String, String, Url)>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |(one, other, _): &&(String, String, Url)| one == base && other == path;
    if let Some((.., url)) = known().iter().find(is_it) {
        return Ok(url.clone());
    }
    let url = parsed(base, path)?;
    let mut known = known();
    if known.len() >= ADDRESSES {
        known.clear();
    }
    known.push((base.to_owned(), path.to_owned(), url.clone()));
    Ok(url)
}

fn parsed(base: &str, path: &str) -> Result<Url, ModelError> {
    let wrong = |why: &str| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("The model server's address is not usable: {why}"),
        )
        .with_hint("write it like http://127.0.0.1:8080/v1")
    };
    // The address itself is not repeated: a part that cannot be parsed may be a password.
    let mut url = Url::parse(base.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must begin with http:// or https://"));
    }
    let joined = format!(
        "{}/{}",
        url.path().trim_end_matches('/'),
        path.trim_start_matches('/')
    );
    url.set_path(&joined);
    Ok(url)
}

#[cfg(test)]
mod tests;
