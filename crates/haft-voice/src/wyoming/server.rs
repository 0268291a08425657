//! The server for Home Assistant: a Wyoming program that handles commands.
//!
//! `peer` serves one connection, `conversations` keeps the conversations apart, `program` answers
//! `describe`, and `recognition` detects intents without executing them. This file accepts
//! connections and shuts the server down.

mod conversations;
mod peer;
mod program;
mod recognition;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::conversations::Conversations;
use self::recognition::IntentRecognizer;
use super::protocol::Event;
use crate::{Assistant, VoiceError, VoiceErrorKind, VoiceEvent};

/// The maximum number of open connections; more wait until one closes.
const CONNECTIONS: usize = 256;
/// How long running answers may take at shutdown.
const DRAIN: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted (too many open files).
const PAUSE: Duration = Duration::from_millis(200);

/// A callback for the events of each answer.
pub type Observer = Arc<dyn Fn(&VoiceEvent) + Send + Sync>;

/// The options of a server.
#[derive(Clone)]
#[non_exhaustive]
pub struct WyomingServerOptions {
    /// The address to listen on: 127.0.0.1:10400. Anyone who can reach it can control the house,
    /// because Wyoming has no passwords.
    pub listen: SocketAddr,
    /// A callback for all events; it must not block.
    pub observer: Option<Observer>,
}

impl Default for WyomingServerOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 10_400)),
            observer: None,
        }
    }
}

impl fmt::Debug for WyomingServerOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WyomingServerOptions")
            .field("listen", &self.listen)
            .field("observer", &self.observer.as_ref().map(|_| "set"))
            .finish()
    }
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct WyomingServer {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// The state shared by all connections.
struct Shared {
    conversations: Conversations,
    intents: IntentRecognizer,
    info: Event,
    observer: Option<Observer>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Shared")
            .field("conversations", &self.conversations)
            .finish_non_exhaustive()
    }
}

impl WyomingServer {
    /// Starts listening; `assistant` will answer.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the address is in use.
    pub async fn bind(
        assistant: Assistant,
        options: WyomingServerOptions,
    ) -> Result<Self, VoiceError> {
        let listen = options.listen;
        let listener = TcpListener::bind(listen).await.map_err(|error| {
            let message = format!("Cannot listen on {listen}: {error}");
            VoiceError::new(VoiceErrorKind::Configuration, message)
                .with_hint("see whether it already runs, or choose another address")
        })?;
        let agent = assistant.agent();
        let has_tools = !agent.executor().tools().get_tools().is_empty();
        let shared = Shared {
            intents: IntentRecognizer::new(agent.clone()),
            info: program::info(agent.model_id(), has_tools),
            conversations: Conversations::new(assistant),
            observer: options.observer,
        };
        Ok(Self {
            listener,
            shared: Arc::new(shared),
        })
    }

    /// The address it listens on, with the port that the system chose for port 0.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, VoiceError> {
        self.listener.local_addr().map_err(|error| {
            VoiceError::new(VoiceErrorKind::Configuration, "haft does not listen")
                .with_detail(error.to_string())
        })
    }

    /// Answers until `end` completes, then waits up to 10 s for running answers.
    pub async fn serve(self, end: impl Future<Output = ()> + Send) {
        let (ending, ended) = watch::channel(false);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut peers = JoinSet::new();
        tokio::pin!(end);
        loop {
            // A connection that is not accepted waits in the system's queue.
            let entry = async {
                let place = Arc::clone(&room).acquire_owned().await;
                (place, self.listener.accept().await)
            };
            let (place, stream) = tokio::select! {
                () = &mut end => break,
                // Removes finished connections.
                Some(_) = peers.join_next() => continue,
                (place, accepted) = entry => match accepted {
                    Ok((stream, _)) => (place, stream),
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be taken");
                        sleep(PAUSE).await;
                        continue;
                    }
                },
            };
            let shared = Arc::clone(&self.shared);
            let ended = ended.clone();
            peers.spawn(async move {
                peer::serve(stream, &shared, ended).await;
                drop(place);
            });
        }
        drop(self.listener);
        // Fails if there is no connection left, which is no error.
        let _ = ending.send(true);
        let draining = async { while peers.join_next().await.is_some() {} };
        if timeout(DRAIN, draining).await.is_err() {
            tracing::warn!("what took longer than 10 s was not answered");
        }
    }
}

#[cfg(test)]
mod tests;
