//! Starts the gateway, serves, and shuts down without losing running requests.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::FutureExt;
use haft_agent::AttemptStore;
use tokio::net::TcpListener;

use crate::access::KnownKeys;
use crate::activity::Activity;
use crate::answer::Answer;
use crate::closing::Closing;
use crate::connections::Connections;
use crate::error::{GatewayError, GatewayErrorKind};
use crate::guard::Guard;
use crate::live_settings::LiveSettings;
use crate::options::GatewayOptions;
use crate::routes::answer;
use crate::scheduler::Upstreams;
use crate::shared::Shared;

/// A gateway that listens and does not answer yet.
#[derive(Debug)]
pub struct Gateway {
    pub(crate) connections: Connections,
    pub(crate) answer: Answer,
    pub(crate) keys: Option<Arc<KnownKeys>>,
    /// Ends running replies.
    pub(crate) closing: Arc<Closing>,
    pub(crate) live: LiveSettings,
    /// Ends the streams of the page.
    pub(crate) activity: Arc<Activity>,
    pub(crate) attempts: Option<AttemptStore>,
    #[cfg(feature = "durable")]
    pub(crate) runs: Option<haft_durable::DurableStore>,
}

impl Gateway {
    /// Starts listening, with one or several [`ModelServer`](haft_models::ModelServer)s as
    /// upstreams.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Configuration`] for a non-loopback address without a token or keys,
    /// [`GatewayErrorKind::Listen`] when the address is in use, [`GatewayErrorKind::Keys`] when the
    /// keys cannot be read.
    pub async fn bind(
        upstreams: impl Into<Upstreams>,
        options: GatewayOptions,
    ) -> Result<Self, GatewayError> {
        let upstreams = upstreams.into();
        let keys = match options.keys.clone() {
            Some(store) => Some(Arc::new(KnownKeys::read(store, upstreams.clone()).await?)),
            None => None,
        };
        let guard = Guard::new(options.token.clone())
            .with_keys(keys.clone())
            .with_origins(options.allowed_origins.clone());
        let live = LiveSettings::default();
        live.replace(&options)?;
        let listener = listen(options.listen, &guard, "models", "--listen").await?;
        let connections = Connections::of(listener, &options.limits).with_live(live.clone());
        let shared = Shared::new(upstreams, options, guard, live.clone());
        Ok(Self {
            attempts: shared.attempts.clone(),
            #[cfg(feature = "durable")]
            runs: shared.runs.clone(),
            connections,
            closing: shared.closing.clone(),
            activity: shared.activity.clone(),
            answer: answer(Arc::new(shared)),
            keys,
            live,
        })
    }

    /// The address it listens on.
    ///
    /// # Errors
    ///
    /// [`GatewayErrorKind::Listen`] when the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, GatewayError> {
        let unknown = |error| GatewayError::new(GatewayErrorKind::Listen, format!("{error}"));
        self.connections.address().map_err(unknown)
    }

    /// The settings that may be replaced while it serves.
    #[must_use]
    pub fn live_settings(&self) -> LiveSettings {
        self.live.clone()
    }

    /// Serves until `end` completes, then waits for running requests; those that take longer than
    /// [`drain`](crate::GatewayLimits::drain) end with an error in the form of their API. After a
    /// socket error it tries again.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        let keys = self.keys.clone();
        let keys_stay_fresh = async {
            let Some(keys) = &keys else {
                return std::future::pending().await;
            };
            #[cfg(feature = "durable")]
            if let Some(runs) = &self.runs {
                tokio::join!(keys.keep_fresh(), crate::runs::count_tokens(runs, keys));
            }
            keys.keep_fresh().await;
        };
        let activity = self.activity;
        let end = end.map(move |()| activity.end());
        let served = tokio::select! {
            served = self.connections.serve(self.answer, end, self.closing) => served,
            () = keys_stay_fresh => true,
        };
        if !served {
            tracing::warn!("replies under way were cut off");
        }
        if let Some(keys) = keys
            && let Err(error) = keys.end().await
        {
            tracing::warn!(%error, "what was used with the keys last is not stored");
        }
        if let Some(attempts) = self.attempts
            && let Err(error) = attempts.flush().await
        {
            tracing::warn!(%error, "the last requests are not counted");
        }
    }
}

/// Starts listening at `address`, which was set by `flag`, for clients of `what`.
pub(crate) async fn listen(
    address: SocketAddr,
    guard: &Guard,
    what: &str,
    flag: &str,
) -> Result<TcpListener, GatewayError> {
    if !address.ip().is_loopback() && !guard.needs_a_key() {
        let message = format!("Whoever reaches {address} could use the {what} without a key");
        let hint = "give a token with --token, or listen on 127.0.0.1";
        return Err(GatewayError::new(GatewayErrorKind::Configuration, message).with_hint(hint));
    }
    TcpListener::bind(address).await.map_err(|error| {
        let message = format!("The gateway cannot listen at {address}: {error}");
        GatewayError::new(GatewayErrorKind::Listen, message).with_hint(format!(
            "another haft may be running there; choose another port with {flag}"
        ))
    })
}
