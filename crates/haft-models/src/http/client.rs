//! Sends a request: the process's connections, and what it means when there is none.

use std::error::Error;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use haft_core::{ModelError, ModelErrorKind};
use http::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, SERVER};
use reqwest::redirect::Policy;
use url::{Host, Url};

use super::{Api, Request, local, safe_url};

/// How long a server may take to accept a connection. Across the world it is under a second;
/// ten cover a sleeping laptop's first packet.
pub(super) const CONNECT: Duration = Duration::from_secs(10);

/// What this program calls itself.
pub(super) const AGENT: &str = concat!("haft/", env!("CARGO_PKG_VERSION"));

/// The bytes of a reply as they arrive.
pub(crate) type Body = BoxStream<'static, Result<Bytes, ModelError>>;

/// The head of a reply, and its bytes.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    /// The program that answers, as it calls itself.
    pub(crate) server: String,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Body,
}

/// Sends `request` over the process's connections.
pub(crate) async fn send(request: &Request) -> Result<Response, ModelError> {
    if local::is_for(&request.url) {
        return local::send(request).await;
    }
    let client = http_client(&request.url)?;
    let builder = match &request.body {
        Some(body) => client
            .post(request.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body.clone()),
        None => client.get(request.url.clone()),
    };
    let response = builder
        .headers(headers(request)?)
        .send()
        .await
        .map_err(|error| not_sent_to((request.api, &request.url), error))?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.bytes_stream().map_err(cut).boxed();
    Ok(Response::new(status, &headers, body))
}

impl Response {
    /// A reply with what is of use of its head.
    pub(super) fn new(status: StatusCode, headers: &HeaderMap, body: Body) -> Self {
        let text = |name: HeaderName| {
            let value = headers.get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        Self {
            status: status.as_u16(),
            content_type: text(CONTENT_TYPE).unwrap_or_default(),
            server: text(SERVER).unwrap_or_default(),
            retry_after: text(RETRY_AFTER),
            body,
        }
    }
}

/// The error of a reply whose bytes stopped without an end.
pub(crate) fn cut(error: reqwest::Error) -> ModelError {
    cut_by(&error.without_url())
}

/// The same of any error, whose words hold no address.
pub(super) fn cut_by(error: &(dyn Error + 'static)) -> ModelError {
    ModelError::new(
        ModelErrorKind::CutStream,
        "The connection broke in the middle of the reply",
    )
    .with_hint("ask again; if it happens often, look at the model server's log")
    .with_detail(causes(error))
}

/// The headers of a request.
pub(super) fn headers(request: &Request) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    for (name, secret) in &request.headers {
        let mut value = HeaderValue::from_str(secret.reveal()).map_err(|_| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "The key contains characters that no key has",
            )
            .with_hint(request.api.key_hint())
        })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

/// The client for an address. Both are built when first needed, so that a program that only
/// uses the embedded model never pays for them.
pub(crate) fn http_client(url: &Url) -> Result<&'static reqwest::Client, ModelError> {
    static REMOTE: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    static LOOPBACK: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    let client = if is_loopback(url) {
        // A proxy cannot reach this machine's own servers.
        LOOPBACK.get_or_init(|| build(reqwest::Client::builder().no_proxy()))
    } else {
        REMOTE.get_or_init(|| build(reqwest::Client::builder()))
    };
    client.as_ref().map_err(|detail| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "This machine cannot make HTTP connections",
        )
        .with_hint("look at its certificates and proxy settings")
        .with_detail(detail.clone())
    })
}

fn build(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, String> {
    // Fails when the program has chosen a provider of its own before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder
        .user_agent(AGENT)
        .connect_timeout(CONNECT)
        // A request goes out when it is written, not when a packet is full.
        .tcp_nodelay(true)
        // A redirected request would carry its key, or lose its body.
        .redirect(Policy::none())
        .build()
        .map_err(|error| causes(&error.without_url()))
}

/// True for this machine, by name or number: no proxy can reach it, and nothing leaves it.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The error of a request that got no reply.
pub(crate) fn not_sent_to((api, url): (Api, &Url), error: reqwest::Error) -> ModelError {
    let is_connecting = error.is_connect();
    not_connected((api, url), is_connecting, &error.without_url())
}

/// The same of any error, whose words hold no address.
pub(super) fn not_connected(
    (api, url): (Api, &Url),
    is_connecting: bool,
    error: &(dyn Error + 'static),
) -> ModelError {
    let is = |kind| io_kinds(error).any(|found| found == kind);
    let (refused, timed_out) = (
        is(io::ErrorKind::ConnectionRefused),
        is(io::ErrorKind::TimedOut),
    );
    let detail = causes(error);
    if !is_connecting {
        return ModelError::new(
            ModelErrorKind::CutStream,
            "The model server closed the connection before it replied",
        )
        .with_hint("ask again; if it happens often, look at the model server's log")
        .with_detail(detail);
    }
    let address = safe_url(url);
    let message = if refused {
        format!("No model server answers at {address}")
    } else if timed_out {
        format!("No model server answered at {address} within 10 s")
    } else if detail.contains("dns error") {
        let host = url.host_str().unwrap_or_default();
        format!("Nobody knows the model server's name \"{host}\"")
    } else if url.scheme() == "https" {
        format!("No secure connection to the model server at {address}")
    } else {
        format!("No connection to the model server at {address}")
    };
    ModelError::new(ModelErrorKind::Connect, message)
        .with_hint(api.connect_hint())
        .with_detail(detail)
}

fn io_kinds(error: &(dyn Error + 'static)) -> impl Iterator<Item = io::ErrorKind> {
    let told = |cause: &(dyn Error + 'static)| cause.downcast_ref().map(io::Error::kind);
    chain(error).filter_map(told)
}

/// The causes of an error, from the nearest on.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (**cause).source())
}

/// The error and its causes in one line, without the address, which may hold a key.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in chain(error) {
        text.push_str(": ");
        text.push_str(&cause.to_string());
    }
    text
}

#[cfg(test)]
mod tests;
