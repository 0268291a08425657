//! Opens a connection to an endpoint and lists its tools: one attempt, with the server's protocol.
//!
//! If the protocol is unknown, the server is asked for it. If an assumption was wrong, the other
//! protocol is tried once. The supervisor retries, and remembers the protocol.

use std::time::Duration;

use rmcp::service::{ClientInitializeError, ClientServiceExt, ServiceError};
use rmcp::transport::DynamicTransportError;

use crate::config::endpoint::{Endpoint, HttpEndpoint, StdioEndpoint, display_url};
use crate::config::secrets;
use crate::failure::Problem;
use crate::options::McpOptions;
use crate::session::client::Client;
use crate::session::connection::{ChildState, Connection, Service};
use crate::session::list;
use crate::transport::pipe::Pipe;
use crate::transport::protocol_version::Protocol;
use crate::transport::trouble::STDOUT_HINT;
use crate::transport::{http, stdio};

/// The time limit of the discovery request: an old server at an address may never answer it. It is
/// sent once, and the result is remembered.
const DISCOVER_LIMIT: Duration = Duration::from_secs(5);

/// A connection and its tools.
pub(crate) struct Connected {
    pub(crate) connection: Connection,
    pub(crate) listed: list::Listed,
    pub(crate) protocol: Protocol,
}

/// What is known about a server's protocol before connecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    Nothing,
    /// Remembered from an earlier connection; the server may have been updated since.
    Remembered(Protocol),
    /// Unknown, but the server did not tolerate the discovery request.
    DoNotAsk,
}

/// Why a connection could not be opened.
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

    /// Whether the server answered but rejected the request, possibly because of the protocol.
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
    let connected = match endpoint {
        Endpoint::Stdio(endpoint) => connect_stdio(name, endpoint, knowledge, options).await,
        Endpoint::Http(endpoint) => {
            let client = || Client::new(options.accept_defaults);
            let connecting = connect_http(name, endpoint, knowledge, client);
            let connected = tokio::time::timeout(limit, connecting).await;
            connected.unwrap_or_else(|_| Err(too_slow(limit)))
        }
    };
    // Servers often repeat the values that they reject.
    connected.map_err(|problem| Problem {
        message: secrets::of(endpoint).mask(&problem.message),
        ..problem
    })
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
    let trouble = pipe.trouble();
    let connecting = async {
        let detected = match knowledge {
            Knowledge::Nothing => pipe.protocol().await,
            Knowledge::Remembered(_) | Knowledge::DoNotAsk => None,
        };
        let protocol = match knowledge {
            Knowledge::Remembered(protocol) => protocol,
            Knowledge::Nothing | Knowledge::DoNotAsk => detected.unwrap_or(Protocol::Legacy),
        };
        let error = match over_pipe(name, pipe, protocol, client()).await {
            Ok(connected) => return Ok(connected),
            Err(error) => error,
        };
        if detected.is_none()
            && error.is_refusal()
            && let Ok((pipe, _)) = stdio::spawn(endpoint)
            && let Ok(connected) = over_pipe(name, pipe, protocol.other(), client()).await
        {
            return Ok(connected);
        }
        Err(error)
    };
    let mut has_ended = false;
    let mut problem = match tokio::time::timeout(limit, connecting).await {
        Ok(Ok(connected)) => return Ok(connected),
        Ok(Err(error)) if error.is_end_of_connection() => {
            has_ended = true;
            let ending = trouble.ending();
            Problem::new(format!("it ended before it was ready{ending}")).that_may_pass()
        }
        Ok(Err(error)) => general(&error),
        Err(_) => too_slow(limit),
    };
    let words = stderr.last_words().await;
    // The last output of a dead child explains the failure; other output on stdout before it does
    // not.
    let garbage = || {
        trouble
            .with_garbage()
            .filter(|_| !has_ended || words.is_none())
    };
    let output = trouble.with_line().or_else(garbage);
    if let Some(output) = &output {
        let output = stderr.without_secrets(output);
        problem.message = format!("{}; {output}", problem.message);
    }
    if let Some(words) = &words {
        problem.message = format!("{}; it said: {words}", problem.message);
    }
    Err(match (output, words) {
        (Some(_), _) => problem.with_hint(STDOUT_HINT),
        (None, Some(_)) => problem,
        (None, None) => problem.with_hint("run its command by hand and see what it says"),
    })
}

async fn over_pipe(
    name: &str,
    pipe: Pipe,
    protocol: Protocol,
    client: Client,
) -> Result<Connected, StartError> {
    let child = ChildState {
        ended: pipe.ended(),
        tree: pipe.tree(),
        trouble: pipe.trouble(),
    };
    let serving = client.serve_with_lifecycle(pipe, protocol.lifecycle());
    ready(name, serving, protocol, Some(child)).await
}

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
        Knowledge::Remembered(protocol) => protocol,
        Knowledge::Nothing | Knowledge::DoNotAsk => Protocol::Modern,
    };
    let mut legacy = None;
    for protocol in [first, first.other()] {
        let transport = http::transport(endpoint)?;
        let serving = client().serve_with_lifecycle(transport, protocol.lifecycle());
        let connecting = ready(name, serving, protocol, None);
        let error = match protocol {
            Protocol::Legacy => connecting.await,
            // An old server may not answer an unknown request at all.
            Protocol::Modern => match tokio::time::timeout(DISCOVER_LIMIT, connecting).await {
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
        // Nearly all servers use the old protocol, so an error is reported in its terms.
        if protocol == Protocol::Legacy {
            legacy = Some(explained(&error).unwrap_or_else(|| general(&error)));
        }
    }
    Err(legacy.unwrap_or_else(|| http::not_mcp(&address)))
}

/// Waits for the handshake and lists the tools.
async fn ready(
    name: &str,
    handshake: impl Future<Output = Result<Service, ClientInitializeError>>,
    protocol: Protocol,
    child: Option<ChildState>,
) -> Result<Connected, StartError> {
    let service = handshake
        .await
        .map_err(|error| StartError::Handshake(Box::new(error)))?;
    let listed = list::list(service.peer(), name)
        .await
        .map_err(StartError::List)?;
    if let Some(child) = &child {
        child.trouble.ready();
    }
    Ok(Connected {
        connection: Connection::new(service, protocol, child),
        listed,
        protocol,
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
