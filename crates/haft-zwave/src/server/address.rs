//! Parses the `ws://` or `wss://` address of a Z-Wave JS server.

use std::fmt;

use haft_core::mask_url;
use url::Url;

use crate::error::{ZwaveError, ZwaveErrorKind};

const HINT: &str = "Write it like ws://127.0.0.1:3000.";

/// The address of a server.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// The address with the scheme `http` or `https`, for the WebSocket handshake.
    http: Url,
    /// The address for messages: without the query, which may contain a secret.
    shown: String,
}

impl Address {
    pub(super) fn parse(text: &str) -> Result<Self, ZwaveError> {
        let invalid = |what: &str| {
            let shown = mask_url(text);
            let message = format!("The Z-Wave server's address \"{shown}\" {what}.");
            ZwaveError::new(ZwaveErrorKind::InvalidAddress, message, HINT)
        };
        let mut http = Url::parse(text).map_err(|_| invalid("is not an address"))?;
        let scheme = match http.scheme() {
            "ws" => "http",
            "wss" => "https",
            _ => return Err(invalid("does not begin with ws:// or wss://")),
        };
        if !http.username().is_empty() || http.password().is_some() {
            let message = "The Z-Wave server's address holds a user or a password.";
            let hint = "Leave it out: such a server asks for none.";
            return Err(ZwaveError::new(
                ZwaveErrorKind::InvalidAddress,
                message,
                hint,
            ));
        }
        let shown = match (http.host_str(), http.port()) {
            (Some(host), Some(port)) => format!("{}://{host}:{port}", http.scheme()),
            (Some(host), None) => format!("{}://{host}", http.scheme()),
            (None, _) => return Err(invalid("has no host")),
        };
        http.set_scheme(scheme)
            .map_err(|()| invalid("is not an address"))?;
        Ok(Self { http, shown })
    }

    /// The address for the HTTP request that starts the WebSocket.
    pub(super) fn http(&self) -> &Url {
        &self.http
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests;
