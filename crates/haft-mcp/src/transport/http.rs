//! The HTTP transport, and the meaning of its errors.
//!
//! Errors of the HTTP client contain the address with its secrets, so they are never quoted. The
//! cause is determined and described in a sentence with a hint.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, StatusCode};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};
use rustls::CertificateError;

use crate::config::endpoint::HttpEndpoint;
use crate::failure::Problem;
use haft_tools::is_loopback;

/// The time limit of connecting: a local server answers in milliseconds, a distant one within a
/// second.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// More hops are a loop.
const MAX_REDIRECTS: usize = 5;

/// The transport to `endpoint`; nothing is sent yet.
pub(crate) fn transport(
    endpoint: &HttpEndpoint,
) -> Result<StreamableHttpClientTransport<Client>, Problem> {
    // An error only means that another provider is already installed, which works as well.
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

/// `/mcp` -> `/mcp/` is common; another origin must not receive the headers.
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

/// The meaning of a transport error, if it is an HTTP error. The errors of the HTTP client are not
/// quoted, because they contain the address with its secrets.
pub(crate) fn problem(address: &str, error: &DynamicTransportError) -> Option<Problem> {
    let error = error
        .error
        .downcast_ref::<StreamableHttpError<reqwest::Error>>()?;
    Some(match error {
        StreamableHttpError::AuthRequired(_) => answered(address, 401),
        StreamableHttpError::InsufficientScope(_) => answered(address, 403),
        StreamableHttpError::HttpStatus(status) => answered(address, status.status),
        StreamableHttpError::UnexpectedServerResponse(text) => {
            status_in(text).map_or_else(|| not_mcp(address), |status| answered(address, status))
        }
        StreamableHttpError::Client(error) if error.is_connect() || error.is_timeout() => {
            no_connection(address, Cause::of(error))
        }
        StreamableHttpError::Client(error) => match error.status() {
            Some(status) => answered(address, status.as_u16()),
            None => Problem::new(format!("the connection to {address} broke")).that_may_pass(),
        },
        StreamableHttpError::ReservedHeaderConflict(name) => {
            Problem::new(format!("the header {name:?} belongs to the protocol"))
                .with_hint("take it out of \"headers\"")
        }
        _ => not_mcp(address),
    })
}

/// Why no connection could be made.
#[derive(Clone, Debug, PartialEq)]
enum Cause {
    Refused,
    UnknownHost,
    NotTrusted(CertificateError),
    NoTls,
    Unknown,
}

impl Cause {
    /// The first error in the chain that identifies the cause.
    fn of(error: &reqwest::Error) -> Self {
        let mut next: Option<&(dyn Error + 'static)> = Some(error);
        while let Some(error) = next {
            // An error wrapped in an I/O error is not among its sources.
            let io = error.downcast_ref::<io::Error>();
            let wrapped = io.and_then(io::Error::get_ref);
            let wrapped: Option<&(dyn Error + 'static)> = match wrapped {
                Some(wrapped) => Some(wrapped),
                None => None,
            };
            match wrapped.unwrap_or(error).downcast_ref::<rustls::Error>() {
                Some(rustls::Error::InvalidCertificate(why)) => {
                    return Self::NotTrusted(why.clone());
                }
                Some(rustls::Error::InvalidMessage(_)) => return Self::NoTls,
                _ => {}
            }
            if io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionRefused) {
                return Self::Refused;
            }
            // The type of this error is private to the HTTP client.
            if error.to_string() == "dns error" {
                return Self::UnknownHost;
            }
            next = wrapped.or_else(|| error.source());
        }
        Self::Unknown
    }
}

fn no_connection(address: &str, cause: Cause) -> Problem {
    let nothing = |why: &str| Problem::new(format!("nothing answers at {address}{why}"));
    let start = "start the server, or correct its \"url\"";
    match cause {
        Cause::Refused => nothing(": connection refused")
            .with_hint(start)
            .that_may_pass(),
        Cause::UnknownHost => nothing(": there is no such host")
            .with_hint("correct the host in its \"url\", or look at the network")
            .that_may_pass(),
        Cause::NotTrusted(why) => {
            let why = match why {
                CertificateError::UnknownIssuer => "its issuer is not known here".to_owned(),
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                    "it has expired".to_owned()
                }
                CertificateError::NotValidForName
                | CertificateError::NotValidForNameContext { .. } => {
                    "it is for another host".to_owned()
                }
                other => other.to_string(),
            };
            Problem::new(format!(
                "the TLS certificate of {address} is not trusted: {why}"
            ))
            .with_hint(
                "let this system trust the issuer, or use the host that the certificate is for",
            )
        }
        Cause::NoTls => Problem::new(format!("what answers at {address} does not speak TLS"))
            .with_hint("correct its \"url\": does it begin with http:// instead?"),
        Cause::Unknown => nothing("").with_hint(start).that_may_pass(),
    }
}

/// The status of a 4xx response, which `rmcp` only reports in this text.
fn status_in(text: &str) -> Option<u16> {
    text.strip_prefix("HTTP ")?.get(..3)?.parse().ok()
}

fn answered(address: &str, status: u16) -> Problem {
    let reason = StatusCode::from_u16(status).ok();
    let reason = reason.and_then(|status| status.canonical_reason());
    let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    let problem = Problem::new(format!("{address} answered HTTP {status}{reason}"));
    match status {
        401 => {
            problem.with_hint(r#"give it a key: "headers": {"Authorization": "Bearer ${TOKEN}"}"#)
        }
        403 => problem.with_hint(
            r#"give it a key that may use it: "headers": {"Authorization": "Bearer ${TOKEN}"}"#,
        ),
        301 | 302 | 303 | 307 | 308 => problem
            .with_hint("correct its \"url\": it points to another host, which is not followed"),
        404 | 405 => problem.with_hint("correct its \"url\", which usually ends in /mcp"),
        429 => problem
            .with_hint("it is asked too often: wait and try again")
            .that_may_pass(),
        500 | 502 | 503 | 504 => problem
            .with_hint("see what the server logs, and try again")
            .that_may_pass(),
        _ => problem.with_hint("see what the server logs, and try again"),
    }
}

/// Whether the other protocol would fail as well: the server is unreachable or requires
/// authentication.
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
            matches!(status_in(text), Some(401 | 403))
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
