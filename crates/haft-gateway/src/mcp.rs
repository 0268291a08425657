//! Tools for MCP hosts over streamable HTTP, behind the same guard as the models.
//!
//! `rmcp` speaks the protocol, in its newest revision and in those before it. There are no
//! sessions: no tool here remembers its caller, and a host may come back after a restart as if
//! nothing had been.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use haft_tools::ToolServer;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::connections::Connections;
use crate::error::GatewayError;
use crate::gateway::{Gateway, IN_FLIGHT, listen};
use crate::guard::Guard;
use crate::routes::told_no;

/// Where hosts expect it.
const PATH: &str = "/mcp";

/// JSON-RPC's code for a request that is none (JSON-RPC 2.0, section 5.1).
const INVALID_REQUEST: i32 = -32600;

/// What every request has to pass.
struct Door {
    guard: Guard,
    room: Semaphore,
}

impl Gateway {
    /// Begins to listen for MCP hosts under the path `/mcp`; they get the tools of `server`, and
    /// no models.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] for an address beyond this machine without a token,
    /// [`GatewayErrorKind::Listen`] when the address is taken.
    ///
    /// [`GatewayErrorKind::Configuration`]: crate::GatewayErrorKind::Configuration
    /// [`GatewayErrorKind::Listen`]: crate::GatewayErrorKind::Listen
    pub async fn bind_tools(
        server: ToolServer,
        address: SocketAddr,
        token: Option<String>,
    ) -> Result<Self, GatewayError> {
        let (listener, token) = listen(address, token, "tools", "--http").await?;
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            // The guard looks at host and origin, as it does for everybody.
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let door = Arc::new(Door {
            guard: Guard::new(token),
            room: Semaphore::new(IN_FLIGHT),
        });
        let router = Router::new()
            .route_service(PATH, service)
            .layer(middleware::from_fn_with_state(door, pass));
        let connections = Connections::of(listener);
        Ok(Self {
            connections,
            answer: router.into(),
        })
    }
}

async fn pass(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    if let Some((status, message)) = door.guard.refuses(request.headers()) {
        return refused(status, message);
    }
    match door.room.try_acquire() {
        Ok(_permit) => next.run(request).await,
        Err(_) => refused(503, "Too many calls are under way"),
    }
}

fn refused(status: u16, message: &str) -> Response {
    let error = json!({"code": INVALID_REQUEST, "message": message});
    let mut response = told_no(
        status,
        &json!({"jsonrpc": "2.0", "id": null, "error": error}),
    );
    if status == 401 {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
