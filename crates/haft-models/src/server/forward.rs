//! Forwards a request that is not part of a conversation to a server, and its response back.
//!
//! The content is not parsed. Headers that belong to a single connection (RFC 9110, 7.6.1), and all
//! keys but the server's own, are removed.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use haft_core::{HIDDEN, ModelError, ModelErrorKind, Secrets};
use http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, EXPECT, HOST, ORIGIN,
    REFERER, SET_COOKIE, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::{BodyDataStream, Either, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use tokio::time::timeout;

use super::ModelServer;
use crate::ServerKind;
use crate::http::{cut, endpoint, http_client};

/// The bytes of a body as they arrive.
pub type ByteStream = BoxStream<'static, Result<Bytes, io::Error>>;

/// Headers of a single connection (RFC 9110, 7.6.1, and older ones), and headers that identify the
/// client.
const LEFT_BEHIND: [HeaderName; 16] = [
    AUTHORIZATION,
    CONNECTION,
    COOKIE,
    EXPECT,
    HOST,
    ORIGIN,
    REFERER,
    SET_COOKIE,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-authorization"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("x-api-key"),
];

/// The version of Anthropic's API for clients that send none; the only one since 2023.
const ANTHROPIC_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("anthropic-version"),
    HeaderValue::from_static("2023-06-01"),
);

/// The maximum size of an error response, which is searched for the server's key.
const ERROR_BYTES: usize = 64 << 10;

/// The body of a forwarded request.
#[non_exhaustive]
pub enum ForwardBody {
    /// The complete body.
    Whole(Bytes),
    /// A stream.
    Stream(ByteStream),
}

impl std::fmt::Debug for ForwardBody {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ForwardBody")
    }
}

impl ModelServer {
    /// Forwards a request and returns the response, whatever its status. The path is the client's,
    /// such as `/v1/embeddings`; it must not contain `..`. The response must begin within
    /// `time_limit`, and may then pause as long as [`Limits::idle`](crate::Limits::idle). The
    /// server's key and password are masked in errors and headers.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Connect`], [`ModelErrorKind::CutStream`] and [`ModelErrorKind::Timeout`]
    /// if no response begins.
    pub async fn forward(
        &self,
        request: http::Request<ForwardBody>,
        time_limit: Duration,
    ) -> Result<http::Response<ByteStream>, ModelError> {
        let (head, body) = request.into_parts();
        let path = match self.kind() {
            // The address of such a server contains the version already.
            ServerKind::OpenAi => head.uri.path().trim_start_matches("/v1"),
            ServerKind::Ollama | ServerKind::Anthropic => head.uri.path(),
        };
        let url = endpoint(&self.url, path)?;
        let url = url.with_query(|url| url.set_query(head.uri.query()))?;
        let mut headers = passed_on(&head.headers);
        if self.kind() == ServerKind::Anthropic && !headers.contains_key(ANTHROPIC_VERSION.0) {
            headers.insert(ANTHROPIC_VERSION.0, ANTHROPIC_VERSION.1);
        }
        self.add_key(&mut headers)?;
        let secrets = self.secrets();
        if !secrets.is_empty() {
            // A key could not be found in a compressed response.
            headers.remove(ACCEPT_ENCODING);
        }
        let body = match body {
            ForwardBody::Whole(bytes) => {
                headers.remove(CONTENT_LENGTH);
                Either::Left(Full::new(bytes))
            }
            ForwardBody::Stream(stream) => {
                Either::Right(StreamBody::new(stream.map_ok(Frame::data).boxed()))
            }
        };
        let mut request = http::Request::new(body);
        *request.method_mut() = head.method;
        *request.headers_mut() = headers;
        let sending = http_client(&url)?.exchange(self.api(), &url, request);
        let answer = timeout(time_limit, sending).await.map_err(|_| {
            let message = format!(
                "The model server sent nothing for {} s",
                time_limit.as_secs()
            );
            ModelError::new(ModelErrorKind::Timeout, message)
        })?;
        Ok(self.answered(answer?, secrets))
    }

    fn add_key(&self, headers: &mut HeaderMap) -> Result<(), ModelError> {
        if let Some((name, value)) = self.key() {
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                let message = "The key contains characters that no key has";
                ModelError::new(ModelErrorKind::Configuration, message)
                    .with_hint(self.api().key_hint)
            })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(())
    }

    /// The server's secrets, which a client must not see.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        if let Some((_, key)) = self.key() {
            secrets.add_header(&key);
        }
        secrets.add_url(&self.url);
        secrets
    }

    fn answered(
        &self,
        answer: http::Response<Incoming>,
        secrets: Secrets,
    ) -> http::Response<ByteStream> {
        let is_error = !answer.status().is_success();
        let idle = self.limits().idle;
        let mut response = http::Response::new(stream::empty().boxed());
        *response.status_mut() = answer.status();
        let mut headers = passed_on(answer.headers());
        hide(&mut headers, &secrets);
        let body = BodyDataStream::new(answer.into_body());
        let pieces = stream::unfold(Some(body), move |pieces| async move {
            let mut pieces = pieces?;
            match timeout(idle, pieces.next()).await {
                Ok(Some(Ok(piece))) => Some((Ok(piece), Some(pieces))),
                Ok(Some(Err(error))) => Some((Err(io::Error::other(cut(&error))), None)),
                Ok(None) => None,
                Err(_) => Some((Err(io::ErrorKind::TimedOut.into()), None)),
            }
        });
        *response.body_mut() = if is_error && !secrets.is_empty() {
            headers.remove(CONTENT_LENGTH);
            masked(pieces.boxed(), secrets)
        } else {
            pieces.boxed()
        };
        *response.headers_mut() = headers;
        response
    }
}

/// The beginning of a body with `secrets` masked.
fn masked(mut pieces: ByteStream, secrets: Secrets) -> ByteStream {
    let body = async move {
        let mut body = Vec::new();
        while body.len() < ERROR_BYTES
            && let Some(piece) = pieces.next().await
        {
            body.extend_from_slice(&piece?);
        }
        Ok(Bytes::from(secrets.mask(&String::from_utf8_lossy(&body))))
    };
    stream::once(body).boxed()
}

fn hide(headers: &mut HeaderMap, secrets: &Secrets) {
    for value in headers.values_mut() {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        let hidden = secrets.mask(&text);
        if hidden != text {
            *value =
                HeaderValue::from_str(&hidden).unwrap_or_else(|_| HeaderValue::from_static(HIDDEN));
        }
    }
}

/// The headers that are forwarded.
fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    let mut passed = headers.clone();
    for name in LEFT_BEHIND {
        passed.remove(name);
    }
    for name in named {
        passed.remove(name);
    }
    passed
}

#[cfg(test)]
mod tests;
