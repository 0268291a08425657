//! Listens, serves, and ends without losing what is under way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::answer::Answer;
use crate::connections::Connections;
use crate::error::{GatewayError, GatewayErrorKind};
use crate::options::GatewayOptions;
use crate::routes::answer;
use crate::scheduler::Upstreams;
use crate::shared::Shared;

/// How long replies that are under way may take when the gateway ends.
const DRAIN: Duration = Duration::from_secs(10);

/// A gateway that listens and does not answer yet.
#[derive(Debug)]
pub struct Gateway {
    pub(crate) connections: Connections,
    pub(crate) answer: Answer,
}

impl Gateway {
    /// Begins to listen, before one [`ModelServer`](haft_models::ModelServer) or several.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] for an address beyond this machine without a token,
    /// [`GatewayErrorKind::Listen`] when the address is taken.
    pub async fn bind(
        upstreams: impl Into<Upstreams>,
        options: GatewayOptions,
    ) -> Result<Self, GatewayError> {
        let token = options.token.clone();
        let (listener, token) = listen(options.listen, token, "models", "--listen").await?;
        let shared = Shared::new(upstreams.into(), options, token);
        Ok(Self {
            connections: Connections::of(listener),
            answer: answer(Arc::new(shared)),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Listen`] when the system does not tell.
    pub fn address(&self) -> Result<SocketAddr, GatewayError> {
        let unknown = |error| GatewayError::new(GatewayErrorKind::Listen, format!("{error}"));
        self.connections.address().map_err(unknown)
    }

    /// Serves until `end` is over, then until what is under way is, at most ten seconds. A socket
    /// that fails is waited for.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        if !self.connections.serve(self.answer, end, DRAIN).await {
            tracing::warn!("replies under way were cut off");
        }
    }
}

/// Begins to listen at `address`, which `flag` chooses, and gives the token that clients of `what`
/// must send.
pub(crate) async fn listen(
    address: SocketAddr,
    token: Option<String>,
    what: &str,
    flag: &str,
) -> Result<(TcpListener, Option<String>), GatewayError> {
    let token = token.filter(|token| !token.trim().is_empty());
    if !address.ip().is_loopback() && token.is_none() {
        let message = format!("Whoever reaches {address} could use the {what} without a key");
        return Err(GatewayError::new(GatewayErrorKind::Configuration, message)
            .with_hint("give a token with --token, or listen on 127.0.0.1"));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let message = format!("The gateway cannot listen at {address}: {error}");
        GatewayError::new(GatewayErrorKind::Listen, message).with_hint(format!(
            "choose another address with {flag}, such as 127.0.0.1:0"
        ))
    })?;
    Ok((listener, token))
}
