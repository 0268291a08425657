//! Decides which requests are accepted: those with the key, if one is set, and none from foreign
//! web pages.
//!
//! A page on any website can make its visitor's browser send requests to 127.0.0.1, and with a host
//! name that suddenly points there (DNS rebinding) read the replies. The headers `Origin` and
//! `Host` reveal such requests.

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};

use crate::respond::Refusal;

/// The header in which Anthropic's clients send their key.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

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
    token: Option<String>,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Guard")
    }
}

impl Guard {
    pub(crate) fn new(token: Option<String>) -> Self {
        Self { token }
    }

    /// The reason for refusing a request, if there is one.
    pub(crate) fn refuses(&self, headers: &HeaderMap) -> Option<Refusal> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(origin) = text(ORIGIN).filter(|origin| !is_local_origin(origin)) {
            tracing::warn!(origin, "a web page was turned away");
            return Some(Refusal::new(
                403,
                "Requests from this web page are not answered",
            ));
        }
        match &self.token {
            Some(token) => {
                let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
                let given = bearer.or_else(|| text(X_API_KEY)).unwrap_or_default();
                (!is_same(given.trim(), token))
                    .then(|| Refusal::new(401, "The key is missing or wrong"))
            }
            // With a key, the key decides. Without one, only host names of this machine are
            // accepted.
            None => {
                let host = text(HOST).unwrap_or_default();
                (!is_local(host))
                    .then(|| Refusal::new(403, "Requests to this host name are not answered"))
            }
        }
    }
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

/// True for a name or address of this machine, with or without a port.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let is_address = name
        .parse::<std::net::IpAddr>()
        .is_ok_and(|address| address.is_loopback());
    is_address || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests;
