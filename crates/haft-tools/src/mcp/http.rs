//! A server at an address: the HTTP client, and what its failures mean.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::{Action, Attempt, Policy};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};

use super::config::HttpEndpoint;
use super::failure::Problem;
use crate::address::is_loopback;

/// A server in the same house answers in milliseconds, one across the world within a second.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// More hops are a loop.
const MAX_REDIRECTS: usize = 5;

/// The transport to `endpoint`; nothing is sent yet.
pub(crate) fn transport(
    endpoint: &HttpEndpoint,
) -> Result<StreamableHttpClientTransport<Client>, Problem> {
    // An error only says that a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(CONNECT_LIMIT)
        .redirect(Policy::custom(same_origin_only));
    if is_loopback(&endpoint.url) {
        builder = builder.no_proxy();
    }
    let client = builder
        .build()
        .map_err(|error| Problem::new(format!("no HTTP client could be made: {error}")))?;
    let headers = endpoint
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let config = StreamableHttpClientTransportConfig::with_uri(endpoint.url.as_str())
        .custom_headers(headers);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// `/mcp` -> `/mcp/` is common; another origin must not get the headers.
fn same_origin_only(attempt: Attempt<'_>) -> Action {
    let same = attempt
        .previous()
        .first()
        .is_some_and(|first| first.origin() == attempt.url().origin());
    if same && attempt.previous().len() <= MAX_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// What an error of the transport means, where it is one of HTTP. The errors of the HTTP client
/// are not quoted: they hold the address with whatever secrets stand in it.
pub(crate) fn problem(address: &str, error: &DynamicTransportError) -> Option<Problem> {
    let error = error
        .error
        .downcast_ref::<StreamableHttpError<reqwest::Error>>()?;
    Some(match error {
        StreamableHttpError::AuthRequired(_) => answered(address, "401"),
        StreamableHttpError::InsufficientScope(_) => answered(address, "403"),
        StreamableHttpError::HttpStatus(status) => answered(address, &status.status.to_string()),
        StreamableHttpError::UnexpectedServerResponse(text) => {
            // rmcp has no other place for the status of a 4xx than this text.
            match text.strip_prefix("HTTP ").and_then(|rest| rest.get(..3)) {
                Some(status) => answered(address, status),
                None => not_mcp(address),
            }
        }
        StreamableHttpError::Client(error) if error.is_connect() || error.is_timeout() => {
            Problem::new(format!("nothing answers at {address}"))
                .with_hint("start the server, or correct its \"url\"")
                .that_may_pass()
        }
        StreamableHttpError::Client(error) => match error.status() {
            Some(status) => answered(address, status.as_str()),
            None => Problem::new(format!("the connection to {address} broke")).that_may_pass(),
        },
        StreamableHttpError::ReservedHeaderConflict(name) => {
            Problem::new(format!("the header {name:?} belongs to the protocol"))
                .with_hint("take it out of \"headers\"")
        }
        _ => not_mcp(address),
    })
}

fn answered(address: &str, status: &str) -> Problem {
    let problem = Problem::new(format!("{address} answered HTTP {status}"));
    match status {
        "401" | "403" => {
            problem.with_hint(r#"give it a key: "headers": {"Authorization": "Bearer ${TOKEN}"}"#)
        }
        "404" | "405" => problem.with_hint("correct its \"url\", which usually ends in /mcp"),
        "500" | "502" | "503" | "504" => problem
            .with_hint("see what the server logs, and try again")
            .that_may_pass(),
        _ => problem.with_hint("see what the server logs, and try again"),
    }
}

/// Whether the other era would fare no better: nobody is there, or wants to know who asks.
pub(crate) fn is_final(error: &DynamicTransportError) -> bool {
    match error
        .error
        .downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        Some(StreamableHttpError::Client(error)) => {
            error.is_connect()
                || matches!(error.status().map(|code| code.as_u16()), Some(401 | 403))
        }
        Some(StreamableHttpError::UnexpectedServerResponse(text)) => {
            text.starts_with("HTTP 401") || text.starts_with("HTTP 403")
        }
        Some(
            StreamableHttpError::AuthRequired(_)
            | StreamableHttpError::InsufficientScope(_)
            | StreamableHttpError::ReservedHeaderConflict(_),
        ) => true,
        _ => false,
    }
}

pub(crate) fn not_mcp(address: &str) -> Problem {
    Problem::new(format!("what answers at {address} does not speak MCP"))
        .with_hint("correct its \"url\", which usually ends in /mcp")
}
