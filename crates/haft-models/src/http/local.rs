//! Sends a request to a model server on this machine: without encryption, proxies or redirects
//! there is less to do.

use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use haft_core::{ModelError, ModelErrorKind};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue, USER_AGENT};
use http::{Method, Uri};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use url::Url;

use super::client::{AGENT, CONNECT, cut_by, headers, is_loopback, not_connected};
use super::{Request, Response};

/// How long a connection is kept for the next request, as in `reqwest`.
const KEPT: Duration = Duration::from_secs(90);

type Local = Client<HttpConnector, Full<Bytes>>;

/// Whether this is the way for an address.
pub(super) fn is_for(url: &Url) -> bool {
    url.scheme() == "http"
        && url.username().is_empty()
        && url.password().is_none()
        && is_loopback(url)
}

/// Sends `request` over the process's connections.
pub(super) async fn send(request: &Request) -> Result<Response, ModelError> {
    let wrong = |error: http::Error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            "The model server's address is not usable",
        )
        .with_hint("write it like http://127.0.0.1:8080/v1")
        .with_detail(error.to_string())
    };
    let uri = Uri::try_from(request.url.as_str()).map_err(|error| wrong(error.into()))?;
    let mut sent = http::Request::new(Full::new(request.body.clone().unwrap_or_default()));
    *sent.uri_mut() = uri;
    *sent.headers_mut() = headers(request)?;
    let fields = sent.headers_mut();
    fields.insert(ACCEPT, HeaderValue::from_static("*/*"));
    fields.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    if request.body.is_some() {
        let json = HeaderValue::from_static("application/json");
        sent.headers_mut().insert(CONTENT_TYPE, json);
        *sent.method_mut() = Method::POST;
    }
    let answer = client().request(sent).await.map_err(|error| {
        let is_connecting = error.is_connect();
        not_connected((request.api, &request.url), is_connecting, &error)
    })?;
    let (head, body) = answer.into_parts();
    let cut = |error: hyper::Error| cut_by(&error);
    let body = body.into_data_stream().map_err(cut).boxed();
    Ok(Response::new(head.status, &head.headers, body))
}

fn client() -> &'static Local {
    static CLIENT: OnceLock<Local> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT));
        // A request goes out when it is written, not when a packet is full.
        connector.set_nodelay(true);
        Client::builder(TokioExecutor::new())
            .pool_idle_timeout(KEPT)
            .pool_timer(TokioTimer::new())
            .build(connector)
    })
}
