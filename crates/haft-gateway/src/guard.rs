//! Decides which requests are accepted: those with a key, if keys are in use, and none from foreign
//! web pages.
//!
//! A page on any website can make its visitor's browser send requests to 127.0.0.1, and with a host
//! name that suddenly points there (DNS rebinding) read the replies. The headers `Origin` and
//! `Host` reveal such requests.

use std::sync::Arc;

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};

use crate::access::{Caller, KnownKeys};
use crate::cors::AllowedOrigins;
use crate::host::is_local;
use crate::respond::Refusal;

/// The header in which Anthropic's clients send their key.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The status of a request whose key is missing or wrong.
const UNAUTHORIZED: u16 = 401;

/// What is said of a request without a key.
const NO_KEY: &str = "No key was sent: send it as `Authorization: Bearer KEY` or `x-api-key: KEY`";

/// What is said of a key that nobody has.
const WRONG_KEY: &str = "This key is unknown or was revoked: ask whoever runs the gateway";

/// Origins of local applications that are allowed by default, as in Ollama (`ollama/ollama:
/// envconfig/config.go`).
const OWN_PAGES: [&str; 5] = [
    "app://",
    "file://",
    "tauri://",
    "vscode-webview://",
    "vscode-file://",
];

/// The rules.
#[derive(Clone)]
pub(crate) struct Guard {
    /// The key of the operator, who may do everything.
    token: Option<String>,
    /// The keys of users.
    keys: Option<Arc<KnownKeys>>,
    /// Web pages beside those of this machine.
    pub(crate) origins: AllowedOrigins,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Guard")
    }
}

impl Guard {
    /// A guard with this token; a blank one is none.
    pub(crate) fn new(token: Option<String>) -> Self {
        let token = token.filter(|token| !token.trim().is_empty());
        Self {
            token,
            keys: None,
            origins: AllowedOrigins::default(),
        }
    }

    pub(crate) fn with_keys(self, keys: Option<Arc<KnownKeys>>) -> Self {
        Self { keys, ..self }
    }

    pub(crate) fn with_origins(self, origins: Vec<String>) -> Self {
        let origins = AllowedOrigins::new(origins);
        Self { origins, ..self }
    }

    /// Whether every request needs a key.
    pub(crate) fn needs_a_key(&self) -> bool {
        self.token.is_some() || self.keys_in_use().is_some()
    }

    fn keys_in_use(&self) -> Option<&Arc<KnownKeys>> {
        self.keys.as_ref().filter(|keys| keys.are_in_use())
    }

    /// Whether the files of the page may be read: by everybody who could send a key, since they
    /// are public and have no data.
    ///
    /// # Errors
    ///
    /// The reason for refusing the request.
    pub(crate) fn admit_to_files(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match self.admit(headers) {
            Err(refusal) if refusal.status != UNAUTHORIZED => Err(refusal),
            _ => Ok(()),
        }
    }

    /// The keys of users, if the gateway has a store of them.
    pub(crate) fn keys(&self) -> Option<&Arc<KnownKeys>> {
        self.keys.as_ref()
    }

    /// Who sent a request.
    ///
    /// # Errors
    ///
    /// The reason for refusing it.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<Caller, Refusal> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        // Where a key is needed, the gateway's own page has it, and no other page does.
        let is_own = |origin: &str| self.needs_a_key() && is_origin_of(host, origin);
        let is_foreign = |origin: &&str| {
            !is_local_origin(origin) && !self.origins.has(origin) && !is_own(origin)
        };
        if let Some(origin) = text(ORIGIN).filter(is_foreign) {
            tracing::debug!(origin, "a web page was turned away");
            let message = "Requests from this web page are not answered";
            return Err(Refusal::new(403, message));
        }
        let given = text(AUTHORIZATION).and_then(bearer);
        let given = given.or_else(|| text(X_API_KEY)).unwrap_or_default().trim();
        let token = self.token.as_deref();
        if token.is_some_and(|token| is_same(given, token)) {
            return Ok(Caller::Operator);
        }
        let keys = self.keys_in_use();
        if let Some(holder) = keys.and_then(|keys| keys.holder(given)) {
            return Ok(Caller::Holder(holder));
        }
        if self.needs_a_key() {
            let message = if given.is_empty() { NO_KEY } else { WRONG_KEY };
            return Err(Refusal::new(UNAUTHORIZED, message));
        }
        // Without any key, only host names of this machine are accepted.
        if is_local(host) {
            return Ok(Caller::Operator);
        }
        let message = "Requests to this host name are not answered";
        Err(Refusal::new(403, message))
    }
}

/// Whether a page of this origin was loaded from this host.
fn is_origin_of(host: &str, origin: &str) -> bool {
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// The key in a header `Authorization`. The name of the scheme is in any case (RFC 9110, section
/// 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, key) = value.trim_start().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key)
}

/// Compares in constant time, so that the duration reveals nothing about the key.
fn is_same(given: &str, token: &str) -> bool {
    let differing = given
        .bytes()
        .zip(token.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differing == 0
}

fn is_local_origin(origin: &str) -> bool {
    if OWN_PAGES.iter().any(|scheme| origin.starts_with(scheme)) {
        return true;
    }
    let host = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    host.is_some_and(is_local)
}

#[cfg(test)]
mod tests;
