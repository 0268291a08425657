//! From an endpoint to a connection and the tools behind it: one attempt, in the server's era.
//!
//! Where the era is not known it is asked for. Where a guess was wrong, the other era is tried
//! once. [`server`](super::server) tries again, and remembers what was found.

use std::sync::Arc;
use std::time::Duration;

use rmcp::service::{ClientInitializeError, ClientServiceExt, ServiceError};
use rmcp::transport::DynamicTransportError;
use tokio::sync::Notify;

use super::client::Client;
use super::config::{Endpoint, HttpEndpoint, StdioEndpoint, display_url};
use super::connection::{ChildState, Connection, Service};
use super::era::Era;
use super::failure::Problem;
use super::options::McpOptions;
use super::pipe::Pipe;
use super::{http, list, stdio};

/// An old server at an address may leave a new question open. Asked once, then remembered.
const DISCOVER_LIMIT: Duration = Duration::from_secs(5);

/// A connection and the tools behind it.
pub(crate) struct Connected {
    pub(crate) connection: Connection,
    pub(crate) tools: Vec<rmcp::model::Tool>,
    pub(crate) era: Era,
    /// Told when the list of tools is no longer true.
    pub(crate) list_changed: Arc<Notify>,
}

/// What is known of a server before it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    Nothing,
    /// From an earlier connection; the server may be a newer one by now.
    Remembered(Era),
    /// Nothing, but asking did it no good.
    DoNotAsk,
}

/// What kept a connection from being made.
enum StartError {
    Handshake(Box<ClientInitializeError>),
    List(ServiceError),
}

impl StartError {
    fn of_transport(&self) -> Option<&DynamicTransportError> {
        match self {
            Self::Handshake(error) => match error.as_ref() {
                ClientInitializeError::TransportError { error, .. } => Some(error),
                _ => None,
            },
            Self::List(ServiceError::TransportSend(error)) => Some(error),
            Self::List(_) => None,
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
        }
    }

    /// Whether the server was there and did not like how it was spoken to.
    fn is_refusal(&self) -> bool {
        matches!(self, Self::Handshake(_)) && !self.is_end_of_connection()
    }
}

/// Makes one attempt.
pub(crate) async fn connect(
    name: &str,
    endpoint: &Endpoint,
    knowledge: Knowledge,
    options: &McpOptions,
) -> Result<Connected, Problem> {
    let limit = options.start_timeout;
    match endpoint {
        Endpoint::Stdio(endpoint) => connect_stdio(name, endpoint, knowledge, options).await,
        Endpoint::Http(endpoint) => {
            let client = || Client::new(options.accept_defaults);
            let connecting = connect_http(name, endpoint, knowledge, client);
            let connected = tokio::time::timeout(limit, connecting).await;
            connected.unwrap_or_else(|_| Err(too_slow(limit)))
        }
    }
}

/// Starts a child process and connects to it.
async fn connect_stdio(
    name: &str,
    endpoint: &StdioEndpoint,
    knowledge: Knowledge,
    options: &McpOptions,
) -> Result<Connected, Problem> {
    let limit = options.start_timeout;
    let client = || Client::new(options.accept_defaults);
    let (mut pipe, mut stderr) = stdio::spawn(endpoint)?;
    let connecting = async {
        let told = match knowledge {
            Knowledge::Nothing => pipe.era().await,
            Knowledge::Remembered(_) | Knowledge::DoNotAsk => None,
        };
        let era = match knowledge {
            Knowledge::Remembered(era) => era,
            Knowledge::Nothing | Knowledge::DoNotAsk => told.unwrap_or(Era::Legacy),
        };
        let error = match over_pipe(name, pipe, era, client()).await {
            Ok(connected) => return Ok(connected),
            Err(error) => error,
        };
        if told.is_none()
            && error.is_refusal()
            && let Ok((pipe, _)) = stdio::spawn(endpoint)
            && let Ok(connected) = over_pipe(name, pipe, era.other(), client()).await
        {
            return Ok(connected);
        }
        Err(error)
    };
    let mut problem = match tokio::time::timeout(limit, connecting).await {
        Ok(Ok(connected)) => return Ok(connected),
        Ok(Err(error)) if error.is_end_of_connection() => {
            Problem::new("it ended before it was ready").that_may_pass()
        }
        Ok(Err(error)) => general(&error),
        Err(_) => too_slow(limit),
    };
    match stderr.last_words().await {
        Some(words) => problem.message = format!("{}; it said: {words}", problem.message),
        None => problem = problem.with_hint("run its command by hand and see what it says"),
    }
    Err(problem)
}

async fn over_pipe(
    name: &str,
    pipe: Pipe,
    era: Era,
    client: Client,
) -> Result<Connected, StartError> {
    let child = ChildState {
        ended: pipe.ended(),
        tree: pipe.tree(),
    };
    let serving = client.serve_with_lifecycle(pipe, era.lifecycle());
    ready(name, serving, era, Some(child)).await
}

/// Connects to an address.
async fn connect_http(
    name: &str,
    endpoint: &HttpEndpoint,
    knowledge: Knowledge,
    client: impl Fn() -> Client,
) -> Result<Connected, Problem> {
    let address = display_url(&endpoint.url);
    let explained = |error: &StartError| {
        let error = error.of_transport()?;
        http::problem(&address, error)
    };
    let first = match knowledge {
        Knowledge::Remembered(era) => era,
        Knowledge::Nothing | Knowledge::DoNotAsk => Era::Modern,
    };
    let mut legacy = None;
    for era in [first, first.other()] {
        let transport = http::transport(endpoint)?;
        let serving = client().serve_with_lifecycle(transport, era.lifecycle());
        let connecting = ready(name, serving, era, None);
        let error = match era {
            Era::Legacy => connecting.await,
            // The answer to an unknown question may be none at all.
            Era::Modern => match tokio::time::timeout(DISCOVER_LIMIT, connecting).await {
                Ok(result) => result,
                Err(_) => continue,
            },
        };
        let error = match error {
            Ok(connected) => return Ok(connected),
            Err(error) => error,
        };
        if error.of_transport().is_some_and(http::is_final) {
            return Err(explained(&error).unwrap_or_else(|| general(&error)));
        }
        // Nearly all servers are old: what keeps one from working is said in their era.
        if era == Era::Legacy {
            legacy = Some(explained(&error).unwrap_or_else(|| general(&error)));
        }
    }
    Err(legacy.unwrap_or_else(|| http::not_mcp(&address)))
}

/// Waits for the handshake and asks for the tools.
async fn ready(
    name: &str,
    handshake: impl Future<Output = Result<Service, ClientInitializeError>>,
    era: Era,
    child: Option<ChildState>,
) -> Result<Connected, StartError> {
    let service = handshake
        .await
        .map_err(|error| StartError::Handshake(Box::new(error)))?;
    let tools = list::list(service.peer(), name)
        .await
        .map_err(StartError::List)?;
    Ok(Connected {
        list_changed: Arc::clone(&service.service().list_changed),
        connection: Connection::new(service, child),
        tools,
        era,
    })
}

fn too_slow(limit: Duration) -> Problem {
    Problem::new(format!("it was not ready within {} s", limit.as_secs()))
}

fn general(error: &StartError) -> Problem {
    match error {
        StartError::Handshake(error) => match error.as_ref() {
            ClientInitializeError::JsonRpcError(error) => {
                Problem::new(format!("it refused the connection: {}", error.message))
                    .that_may_pass()
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
