//! A WebSocket client: an HTTP request with an upgrade, then messages.
//!
//! The HTTP client is the one that is used for model servers, so TLS is supported as well;
//! `tungstenite` implements the frames.

use std::io::ErrorKind;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt, StreamExt};
use reqwest::header::{CONNECTION, UPGRADE};
use reqwest::{Client, StatusCode, Upgraded};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};

use super::address::Address;
use crate::error::{ZwaveError, ZwaveErrorKind};

/// The time limit of a connection attempt. A server in the local network answers in milliseconds.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// The time limit of sending a message; a server that accepts nothing for so long is gone.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// The maximum size of a message in bytes. The whole home is one message: 3 to 7 KB for each
/// recorded node, and more for one with many settings. Classic Z-Wave has up to 232 nodes, and
/// Z-Wave Long Range 4,000.
const MAX_MESSAGE: usize = 32 * 1024 * 1024;
/// The size of the read buffer in bytes. Events are short, and there is one connection for each
/// home.
const CHUNK: usize = 16 * 1024;
/// The suffix of the key from which a server computes its proof of a WebSocket handshake (RFC 6455,
/// section 1.3).
const PROOF: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

const START_IT: &str = "Check the address, and that the Z-Wave JS server is running.";

/// An open WebSocket. Pings are answered automatically.
#[derive(Debug)]
pub(super) struct Socket(WebSocketStream<Upgraded>);

impl Socket {
    /// Connects, without sending a message.
    pub(super) async fn open(address: &Address) -> Result<Self, ZwaveError> {
        let unreachable = |Cause { why, detail }: Cause| {
            let message = format!("The Z-Wave server at {address} cannot be reached{why}.");
            ZwaveError::new(ZwaveErrorKind::Unreachable, message, START_IT).with_detail(detail)
        };
        let other = |what: &str| {
            let message = format!("The server at {address} is not a Z-Wave JS server: {what}.");
            ZwaveError::new(ZwaveErrorKind::Incompatible, message, START_IT)
        };
        let key = STANDARD.encode(fastrand::u128(..).to_be_bytes());
        let request = client()
            .map_err(|error| unreachable(Cause::of(&error)))?
            .get(address.http().clone())
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", &key);
        let reply = timeout(CONNECT_LIMIT, request.send())
            .await
            .map_err(|_| unreachable(Cause::no_answer()))?
            .map_err(|error| unreachable(Cause::of(&error)))?;
        if reply.status() != StatusCode::SWITCHING_PROTOCOLS {
            let status = reply.status().as_u16();
            return Err(other(&format!("it answers with HTTP status {status}")));
        }
        let proof = reply.headers().get("sec-websocket-accept");
        if proof.is_none_or(|proof| proof.as_bytes() != expected_proof(&key).as_bytes()) {
            return Err(other("it does not know WebSocket"));
        }
        let stream = reply
            .upgrade()
            .await
            .map_err(|error| unreachable(Cause::of(&error)))?;
        let limits = WebSocketConfig::default()
            .read_buffer_size(CHUNK)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let socket = WebSocketStream::from_raw_socket(stream, Role::Client, Some(limits));
        Ok(Self(socket.await))
    }

    /// The next message; `None` for a control frame; an error with the reason if the connection
    /// ended. Dropping the future loses no message.
    pub(super) async fn receive(&mut self) -> Result<Option<Bytes>, String> {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => Ok(Some(text.into())),
            Some(Ok(Message::Binary(data))) => Ok(Some(data)),
            Some(Ok(Message::Close(_))) | None => Err(reason(&Error::ConnectionClosed)),
            Some(Ok(_)) => Ok(None),
            Some(Err(error)) => Err(reason(&error)),
        }
    }

    pub(super) async fn send(&mut self, text: String) -> Result<(), String> {
        self.put(Message::text(text)).await
    }

    pub(super) async fn ping(&mut self) -> Result<(), String> {
        self.put(Message::Ping(Bytes::new())).await
    }

    /// Sends a close frame.
    pub(super) async fn close(&mut self) -> Result<(), String> {
        self.put(Message::Close(None)).await
    }

    async fn put(&mut self, message: Message) -> Result<(), String> {
        match timeout(SEND_LIMIT, self.0.send(message)).await {
            Ok(sent) => sent.map_err(|error| reason(&error)),
            Err(_) => Err("it no longer accepts data".to_owned()),
        }
    }
}

fn client() -> Result<Client, reqwest::Error> {
    // An error only means that another provider is already installed, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(CONNECT_LIMIT)
        .redirect(reqwest::redirect::Policy::none())
        // A home is in the local network, and few proxies support WebSockets.
        .no_proxy()
        .build()
}

fn expected_proof(key: &str) -> String {
    let text = format!("{key}{PROOF}");
    STANDARD.encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()))
}

fn reason(error: &Error) -> String {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            let limit = MAX_MESSAGE / (1024 * 1024);
            format!("it sent a message of more than {limit} MB")
        }
        Error::Io(error) => error.to_string(),
        Error::ConnectionClosed | Error::AlreadyClosed => "it closed the connection".to_owned(),
        error => format!("it sent an invalid WebSocket frame: {error}"),
    }
}

/// Why a server cannot be reached.
struct Cause {
    /// The end of the sentence that the user reads.
    why: String,
    /// The full error for the log.
    detail: String,
}

impl Cause {
    fn no_answer() -> Self {
        Self {
            why: ": it does not answer".to_owned(),
            detail: String::new(),
        }
    }

    fn of(error: &reqwest::Error) -> Self {
        let mut all = error.to_string();
        let mut last = String::new();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            let io = cause.downcast_ref::<std::io::Error>();
            let refused = io.is_some_and(|io| io.kind() == ErrorKind::ConnectionRefused);
            all += &format!(": {cause}");
            last = match refused {
                true => String::new(),
                false => format!(": {cause}"),
            };
            source = cause.source();
        }
        Self {
            why: last,
            detail: all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handshake_proof_matches_the_standard() {
        // The example of RFC 6455, section 1.3.
        assert_eq!(
            expected_proof("dGhlIHNhbXBsZSBub25jZQ=="),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        );
    }
}
