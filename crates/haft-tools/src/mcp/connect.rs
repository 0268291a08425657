//! From an endpoint to a connection and the tools behind it, within a time limit.
//!
//! The handshake is the `initialize` of revision 2025-11-25. The newer revision has none; to ask
//! a server first which one it speaks costs ten seconds where an old server stays silent, and
//! the public servers are old.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;

use super::client::Client;
use super::config::{HttpEndpoint, StdioEndpoint, display_url};
use super::connection::{ChildState, Connection, Service};
use super::failure::Problem;
use super::{http, list, stdio};

/// From the start of a server to its list of tools. Slow ones (`npx` that downloads, a browser)
/// take some seconds.
const START_LIMIT: Duration = Duration::from_secs(20);

/// A connection and the tools behind it.
pub(crate) type Connected = (Connection, Vec<rmcp::model::Tool>);

/// What kept a connection from being made.
enum StartError {
    Handshake(Box<ClientInitializeError>),
    List(ServiceError),
    TooSlow,
}

impl StartError {
    fn of_transport(&self) -> Option<&DynamicTransportError> {
        match self {
            Self::Handshake(error) => match error.as_ref() {
                ClientInitializeError::TransportError { error, .. } => Some(error),
                _ => None,
            },
            Self::List(ServiceError::TransportSend(error)) => Some(error),
            Self::List(_) | Self::TooSlow => None,
        }
    }

    fn is_end_of_connection(&self) -> bool {
        match self {
            Self::Handshake(error) => matches!(
                **error,
                ClientInitializeError::ConnectionClosed(_)
                    | ClientInitializeError::TransportError { .. }
            ),
            Self::List(error) => matches!(
                error,
                ServiceError::TransportClosed | ServiceError::TransportSend(_)
            ),
            Self::TooSlow => false,
        }
    }
}

/// Starts a child process and connects to it.
pub(crate) async fn connect_stdio(
    name: &str,
    endpoint: &StdioEndpoint,
) -> Result<Connected, Problem> {
    let (pipe, mut stderr) = stdio::spawn(endpoint)?;
    let child = ChildState {
        ended: pipe.ended(),
        tree: pipe.tree(),
    };
    let error = match within_limit(name, Client::default().serve(pipe)).await {
        Ok((service, tools)) => return Ok((Connection::new(service, Some(child)), tools)),
        Err(error) => error,
    };
    let mut problem = if error.is_end_of_connection() {
        Problem::new("it ended before it was ready")
    } else {
        general(&error)
    };
    match stderr.last_words().await {
        Some(words) => problem.message = format!("{}; it said: {words}", problem.message),
        None => problem = problem.with_hint("run its command by hand and see what it says"),
    }
    Err(problem)
}

/// Connects to an address.
pub(crate) async fn connect_http(
    name: &str,
    endpoint: &HttpEndpoint,
) -> Result<Connected, Problem> {
    let transport = http::transport(endpoint)?;
    within_limit(name, Client::default().serve(transport))
        .await
        .map(|(service, tools)| (Connection::new(service, None), tools))
        .map_err(|error| {
            let known = error
                .of_transport()
                .and_then(|error| http::problem(&display_url(&endpoint.url), error));
            known.unwrap_or_else(|| general(&error))
        })
}

async fn within_limit(
    name: &str,
    handshake: impl Future<Output = Result<Service, ClientInitializeError>>,
) -> Result<(Service, Vec<rmcp::model::Tool>), StartError> {
    let connecting = async {
        let service = handshake
            .await
            .map_err(|error| StartError::Handshake(Box::new(error)))?;
        let tools = list::list(service.peer(), name)
            .await
            .map_err(StartError::List)?;
        Ok((service, tools))
    };
    tokio::time::timeout(START_LIMIT, connecting)
        .await
        .unwrap_or(Err(StartError::TooSlow))
}

fn general(error: &StartError) -> Problem {
    match error {
        StartError::TooSlow => Problem::new(format!(
            "it was not ready within {} s",
            START_LIMIT.as_secs()
        )),
        StartError::Handshake(error) => match error.as_ref() {
            ClientInitializeError::JsonRpcError(error) => {
                Problem::new(format!("it refused the connection: {}", error.message))
            }
            error => {
                tracing::debug!(%error, "MCP handshake failed");
                Problem::new("it does not speak MCP as expected")
            }
        },
        StartError::List(ServiceError::McpError(error)) => {
            Problem::new(format!("it did not list its tools: {}", error.message))
        }
        StartError::List(error) => Problem::new(format!("it did not list its tools: {error}")),
    }
}
