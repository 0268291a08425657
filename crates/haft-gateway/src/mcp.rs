//! Tools for MCP hosts over streamable HTTP, behind the same guard as the models.
//!
//! `rmcp` implements the protocol, in its newest revision and in earlier ones. There are no
//! sessions: no tool here keeps state for its caller, so a host can continue after a restart of the
//! gateway.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use futures_util::StreamExt;
use haft_mcp::ToolServer;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::connections::Connections;
use crate::error::GatewayError;
use crate::gateway::{Gateway, listen};
use crate::guard::Guard;
use crate::limits::GatewayLimits;
use crate::live_settings::LiveSettings;
use crate::receive::{RECEIVE_TIMEOUT, too_slow};
use crate::respond::{self, Refusal};

/// The path where MCP hosts expect a server.
const PATH: &str = "/mcp";

/// The maximum size of a message in bytes; calls are short.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;

/// The maximum number of bytes that are read and dropped after a message that is too large.
const MAX_DRAINED: usize = 64 * 1024 * 1024;

/// JSON-RPC's code for an invalid request (JSON-RPC 2.0, section 5.1).
const INVALID_REQUEST: i32 = -32600;

/// The checks of every request.
struct Door {
    guard: Guard,
    room: Semaphore,
}

impl Gateway {
    /// Starts listening for MCP hosts under the path `/mcp`; they are offered the tools of
    /// `server`, and no models.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] for a non-loopback address without a token,
    /// [`GatewayErrorKind::Listen`] when the address is in use.
    ///
    /// [`GatewayErrorKind::Configuration`]: crate::GatewayErrorKind::Configuration
    /// [`GatewayErrorKind::Listen`]: crate::GatewayErrorKind::Listen
    pub async fn bind_tools(
        server: ToolServer,
        address: SocketAddr,
        token: Option<String>,
    ) -> Result<Self, GatewayError> {
        let guard = Guard::new(token);
        let limits = GatewayLimits::default();
        let listener = listen(address, &guard, "tools", "--http").await?;
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(MAX_MESSAGE)
            // The guard checks host and origin of every request already.
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let door = Arc::new(Door {
            guard,
            room: Semaphore::new(limits.conversations),
        });
        let router = Router::new()
            .route_service(PATH, service)
            .layer(middleware::from_fn_with_state(door, pass));
        let connections = Connections::of(listener, &limits);
        Ok(Self {
            attempts: None,
            #[cfg(feature = "durable")]
            runs: None,
            connections,
            answer: router.into(),
            keys: None,
            activity: Arc::default(),
            closing: Arc::default(),
            live: LiveSettings::default(),
        })
    }
}

async fn pass(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    if let Err(refusal) = door.guard.admit(request.headers()) {
        return refused(&refusal);
    }
    let Ok(_permit) = door.room.try_acquire() else {
        return refused(&Refusal::new(503, "Too many calls are under way"));
    };
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    match timeout(RECEIVE_TIMEOUT, checked(body)).await {
        Ok(Ok(body)) => next.run(Request::from_parts(head, body)).await,
        Ok(Err((status, answer))) => respond::error(status, &answer),
        Err(_) => refused(&too_slow()),
    }
}

/// The body of a valid request; otherwise the status and the JSON-RPC error, with the request's id.
async fn checked(body: Body) -> Result<Body, (u16, Value)> {
    let mut pieces = body.into_data_stream();
    let mut message = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| (400, error_of(&format!("No request came: {error}"))))?;
        message.extend_from_slice(&piece);
        if message.len() > MAX_MESSAGE {
            drain(pieces).await;
            return Err((413, ToolServer::too_large(&message, MAX_MESSAGE)));
        }
    }
    ToolServer::check(message.trim_ascii()).map_err(|answer| (400, answer))?;
    Ok(message.into())
}

/// Reads the rest of a message that is too large: a host that is still writing would see a broken
/// connection instead of the response.
async fn drain(mut pieces: BodyDataStream) {
    let mut left = MAX_DRAINED;
    while left > 0
        && let Some(Ok(piece)) = pieces.next().await
    {
        left = left.saturating_sub(piece.len());
    }
}

fn error_of(message: &str) -> Value {
    let error = json!({"code": INVALID_REQUEST, "message": message});
    json!({"jsonrpc": "2.0", "id": null, "error": error})
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = respond::error(refusal.status, &error_of(&refusal.message));
    if refusal.status == 401 {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
