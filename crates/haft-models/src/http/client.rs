//! Sends requests over shared connections, and describes connection failures.

use std::error::Error;
use std::io;
use std::net::Ipv4Addr;
use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use haft_core::{ModelError, ModelErrorKind};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, SERVER};
use reqwest::redirect::Policy;
use url::{Host, Url};

use super::{Api, Request, safe_url};

/// The connection timeout. Even a distant server accepts within a second; ten seconds cover a
/// laptop that is waking up.
const CONNECT: Duration = Duration::from_secs(10);

/// The `User-Agent` header.
const AGENT: &str = concat!("haft/", env!("CARGO_PKG_VERSION"));

/// The bytes of a response body as they arrive.
pub(crate) type Body = BoxStream<'static, Result<Bytes, ModelError>>;

/// A response: the headers in use, and the body.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    /// The `Server` header; empty if it is missing.
    pub(crate) server: String,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Body,
}

/// Sends `request` over the process's shared connections.
pub(crate) async fn send(request: &Request) -> Result<Response, ModelError> {
    let client = http_client(&request.url)?;
    // The builder takes a password out of the URL; `reqwest::Request::new` leaves it there, and in
    // the log.
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
        .map_err(|error| not_sent_to(request.api, &request.url, error))?;
    Ok(response.into())
}

impl From<reqwest::Response> for Response {
    fn from(response: reqwest::Response) -> Self {
        let text = |name: HeaderName| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        Self {
            status: response.status().as_u16(),
            content_type: text(CONTENT_TYPE).unwrap_or_default(),
            server: text(SERVER).unwrap_or_default(),
            retry_after: text(RETRY_AFTER),
            body: response.bytes_stream().map_err(cut).boxed(),
        }
    }
}

/// The error for a response body that broke off.
pub(crate) fn cut(error: reqwest::Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::CutStream,
        "The connection broke in the middle of the reply",
    )
    .with_hint("try again; if it happens often, check the model server's log")
    .with_detail(causes(&error.without_url()))
}

fn headers(request: &Request) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    for (name, secret) in &request.headers {
        let mut value = HeaderValue::from_str(secret.reveal()).map_err(|_| {
            ModelError::new(
                ModelErrorKind::Configuration,
                "The API key contains invalid characters",
            )
            .with_hint(request.api.key_hint)
        })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    for (name, value) in request.context.iter().flat_map(|client| client.headers()) {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    Ok(headers)
}

/// The HTTP client for a URL. Each client is created on first use, so that programs that use only
/// the builtin model do not pay for them.
pub(crate) fn http_client(url: &Url) -> Result<&'static reqwest::Client, ModelError> {
    static REMOTE: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    static LOOPBACK: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    static LOOPBACK_TLS: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    // A proxy cannot reach servers on this machine.
    let local = || reqwest::Client::builder().no_proxy();
    let client = match (is_loopback(url), url.scheme()) {
        // Reading the machine's certificates takes longer than the first request.
        (true, "http") => LOOPBACK.get_or_init(|| build(local().tls_certs_only([]))),
        (true, _) => LOOPBACK_TLS.get_or_init(|| build(local())),
        (false, _) => REMOTE.get_or_init(|| build(reqwest::Client::builder())),
    };
    client.as_ref().map_err(|detail| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "The HTTP client cannot be created",
        )
        .with_hint("check the machine's certificates and proxy settings")
        .with_detail(detail.clone())
    })
}

fn build(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, String> {
    // Fails if the program already installed a provider, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder
        .user_agent(AGENT)
        .connect_timeout(CONNECT)
        // Send small requests at once instead of waiting for a full packet.
        .tcp_nodelay(true)
        // Following a redirect would leak the key to another host, or lose the body.
        .redirect(Policy::none())
        .build()
        .map_err(|error| causes(&error.without_url()))
}

/// Whether the URL is on this machine, by name or number: proxies cannot reach it, and no data
/// leaves the machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether the URL is on this machine or in a private network, judged by its host alone. A name
/// without a dot is one of the local network, as in Docker Compose; so are the names that are
/// reserved for it (RFC 6762, RFC 8375, `internal` of ICANN, and `lan`, which routers use).
pub(crate) fn is_near(url: &Url) -> bool {
    const LOCAL_NAMES: [&str; 4] = [".local", ".home.arpa", ".internal", ".lan"];
    if is_loopback(url) {
        return true;
    }
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.') || LOCAL_NAMES.iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(address)) => is_near_ipv4(address),
        Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(address) => is_near_ipv4(address),
            None => address.is_unique_local() || address.is_unicast_link_local(),
        },
        None => false,
    }
}

/// Private, link-local and shared addresses; the shared ones (100.64.0.0/10, RFC 6598) are those of
/// virtual private networks such as Tailscale.
fn is_near_ipv4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || (first == 100 && (64..128).contains(&second))
}

/// The error for a request without a response.
pub(crate) fn not_sent_to(api: &Api, url: &Url, error: reqwest::Error) -> ModelError {
    let is_connecting = error.is_connect();
    // The URL may contain a key.
    let error = error.without_url();
    let is = |kind| io_kinds(&error).any(|found| found == kind);
    let (refused, timed_out) = (
        is(io::ErrorKind::ConnectionRefused),
        is(io::ErrorKind::TimedOut),
    );
    let detail = causes(&error);
    if !is_connecting {
        return ModelError::new(
            ModelErrorKind::CutStream,
            "The model server closed the connection before it replied",
        )
        .with_hint("try again; if it happens often, check the model server's log")
        .with_detail(detail);
    }
    let address = safe_url(url);
    let message = if refused {
        format!("No model server answers at {address}")
    } else if timed_out {
        format!("No model server answered at {address} within 10 s")
    } else if detail.contains("dns error") {
        let host = url.host_str().unwrap_or_default();
        format!("Cannot resolve the model server's host name \"{host}\"")
    } else if url.scheme() == "https" {
        format!("Cannot establish a TLS connection to the model server at {address}")
    } else {
        format!("Cannot connect to the model server at {address}")
    };
    ModelError::new(ModelErrorKind::Connect, message)
        .with_hint(api.connect_hint)
        .with_detail(detail)
}

fn io_kinds(error: &(dyn Error + 'static)) -> impl Iterator<Item = io::ErrorKind> {
    chain(error).filter_map(|cause| cause.downcast_ref().map(io::Error::kind))
}

/// The error and its causes, outermost first.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (**cause).source())
}

/// The error's causes in one line, without the URL, which may contain a key.
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
