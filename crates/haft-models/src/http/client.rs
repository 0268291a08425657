//! Sends requests over shared connections, and describes connection failures.

use std::error::Error;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use haft_core::{ModelError, ModelErrorKind};
use http::header::{
    AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION,
    USER_AGENT,
};
use http::uri::Scheme;
use http::{Method, Uri};
use http_body_util::{BodyDataStream, Either, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::client::legacy;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use percent_encoding::percent_decode_str;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
use rustls_platform_verifier::BuilderVerifierExt;
use url::Url;

use super::connect::{CONNECT, Connector};
use super::{Api, Endpoint, Request, is_loopback, safe_url};

/// How long a connection that nobody uses stays open.
const IDLE: Duration = Duration::from_secs(90);

/// The `User-Agent` header.
const AGENT: HeaderValue = HeaderValue::from_static(concat!("haft/", env!("CARGO_PKG_VERSION")));

/// The bytes of a response body as they arrive.
pub(crate) type Body = BoxStream<'static, Result<Bytes, ModelError>>;

/// The body of a request: complete, or as it arrives from a client.
pub(crate) type RequestBody =
    Either<Full<Bytes>, StreamBody<BoxStream<'static, Result<Frame<Bytes>, io::Error>>>>;

/// A response with its body as it arrives.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
}

/// The value of a header, if it is text.
pub(crate) fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Sends `request` over the process's shared connections.
pub(crate) async fn send(request: &Request) -> Result<Response, ModelError> {
    let body = request.body.clone();
    let mut sent = http::Request::new(Either::Left(Full::new(body.unwrap_or_default())));
    *sent.headers_mut() = headers(request)?;
    if request.body.is_some() {
        *sent.method_mut() = Method::POST;
        let json = HeaderValue::from_static("application/json");
        sent.headers_mut().insert(CONTENT_TYPE, json);
    }
    let response = http_client(&request.url)?
        .exchange(request.api, &request.url, sent)
        .await?;
    Ok(response.into())
}

impl From<http::Response<Incoming>> for Response {
    fn from(response: http::Response<Incoming>) -> Self {
        let (head, body) = response.into_parts();
        Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body: BodyDataStream::new(body)
                .map_err(|error| cut(&error))
                .boxed(),
        }
    }
}

/// The error for a response body that broke off.
pub(crate) fn cut(error: &hyper::Error) -> ModelError {
    ModelError::new(
        ModelErrorKind::CutStream,
        "The connection broke in the middle of the reply",
    )
    .with_hint("try again; if it happens often, check the model server's log")
    .with_detail(causes(error))
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

/// The user and password of a URL as a header (RFC 7617).
fn password(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut text: Vec<u8> = percent_decode_str(url.username()).collect();
    text.push(b':');
    text.extend(percent_decode_str(url.password().unwrap_or_default()));
    let text = format!("Basic {}", BASE64_STANDARD.encode(text));
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Connections to a group of servers, and the proxies in between.
pub(crate) struct HttpClient {
    connections: legacy::Client<Connector, RequestBody>,
    proxies: Option<Arc<Matcher>>,
}

impl HttpClient {
    pub(super) fn new(tls: ClientConfig, proxies: Option<Matcher>) -> Self {
        let proxies = proxies.map(Arc::new);
        let connections = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(Connector::new(Arc::new(tls), proxies.clone()));
        Self {
            connections,
            proxies,
        }
    }

    /// Sends `request` to `url` and waits for the head of the response. Redirects are not followed:
    /// that would leak the key to another host, or lose the body. A user and a password of the URL
    /// are sent as a header, unless there is a key.
    pub(crate) async fn exchange(
        &self,
        api: &Api,
        url: &Endpoint,
        mut request: http::Request<RequestBody>,
    ) -> Result<http::Response<Incoming>, ModelError> {
        let headers = request.headers_mut();
        headers.insert(HOST, url.host.clone());
        headers.entry(USER_AGENT).or_insert(AGENT);
        if let Some(password) = password(url) {
            headers.entry(AUTHORIZATION).or_insert(password);
        }
        if let Some(password) = self.proxy_password(&url.uri) {
            headers.insert(PROXY_AUTHORIZATION, password);
        }
        *request.uri_mut() = url.uri.clone();
        let response = self.connections.request(request).await;
        response.map_err(|error| not_sent_to(api, url, &error))
    }

    /// The password for a proxy that reads the request. Other proxies get theirs when a tunnel is
    /// asked for.
    fn proxy_password(&self, uri: &Uri) -> Option<HeaderValue> {
        let proxies = self.proxies.as_ref()?;
        if uri.scheme() != Some(&Scheme::HTTP) {
            return None;
        }
        proxies.intercept(uri)?.basic_auth().cloned()
    }
}

/// The HTTP client for a URL. Each client is created on first use, so that programs that use only
/// the builtin model do not pay for them.
pub(crate) fn http_client(url: &Url) -> Result<&'static HttpClient, ModelError> {
    static REMOTE: OnceLock<Result<HttpClient, rustls::Error>> = OnceLock::new();
    static LOOPBACK: OnceLock<Result<HttpClient, rustls::Error>> = OnceLock::new();
    static LOOPBACK_TLS: OnceLock<Result<HttpClient, rustls::Error>> = OnceLock::new();
    // A proxy cannot reach servers on this machine.
    let client = match (is_loopback(url), url.scheme()) {
        // Reading the machine's certificates takes longer than the first request.
        (true, "http") => LOOPBACK.get_or_init(|| Ok(HttpClient::new(no_tls()?, None))),
        (true, _) => LOOPBACK_TLS.get_or_init(|| Ok(HttpClient::new(system_tls()?, None))),
        (false, _) => {
            REMOTE.get_or_init(|| Ok(HttpClient::new(system_tls()?, Some(Matcher::from_system()))))
        }
    };
    client.as_ref().map_err(|error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "The HTTP client cannot be created",
        )
        .with_hint("check the machine's certificates and proxy settings")
        .with_detail(error.to_string())
    })
}

/// Trusts whom the system trusts.
fn system_tls() -> Result<ClientConfig, rustls::Error> {
    Ok(tls()?.with_platform_verifier()?.with_no_client_auth())
}

/// Trusts nobody, for connections without TLS.
pub(super) fn no_tls() -> Result<ClientConfig, rustls::Error> {
    let nobody = RootCertStore::empty();
    Ok(tls()?.with_root_certificates(nobody).with_no_client_auth())
}

fn tls() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()
}

/// The error for a request without a response.
fn not_sent_to(api: &Api, url: &Url, error: &legacy::Error) -> ModelError {
    let is = |kind| io_kinds(error).any(|found| found == kind);
    let (refused, timed_out) = (
        is(io::ErrorKind::ConnectionRefused),
        is(io::ErrorKind::TimedOut),
    );
    let detail = causes(error);
    if !error.is_connect() {
        return ModelError::new(
            ModelErrorKind::CutStream,
            "The model server closed the connection before it replied",
        )
        .with_hint("try again; if it happens often, check the model server's log")
        .with_detail(detail);
    }
    let (address, seconds) = (safe_url(url), CONNECT.as_secs());
    let message = if refused {
        format!("No model server answers at {address}")
    } else if timed_out {
        format!("No model server answered at {address} within {seconds} s")
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

/// The error and its causes in one line.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in chain(error) {
        text.push_str(": ");
        text.push_str(&cause.to_string());
    }
    text
}
