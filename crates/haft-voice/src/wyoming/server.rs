//! What Home Assistant talks to: a Wyoming program that handles what was said.
//!
//! `peer` answers one connection, `conversations` remembers who talks about what, `program` is
//! what `describe` tells, `recognition` finds intents without acting on them. Here is who is let
//! in, and how it ends.

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
use self::recognition::Recogniser;
use super::protocol::Event;
use crate::{Assistant, VoiceError, VoiceErrorKind, VoiceEvent};

/// So many connections are open at a time; more wait until one of them closes.
const CONNECTIONS: usize = 256;
/// How long what is under way may take when the server ends.
const DRAIN: Duration = Duration::from_secs(10);
/// Where a connection cannot be taken (too many open files), the next try.
const PAUSE: Duration = Duration::from_millis(200);

/// Somebody who watches what is said and answered.
pub type Observer = Arc<dyn Fn(&VoiceEvent) + Send + Sync>;

/// How a server goes about its work.
#[derive(Clone)]
#[non_exhaustive]
pub struct WyomingServerOptions {
    /// Where it listens: 127.0.0.1:10400. Who can reach it can command the house: Wyoming knows
    /// no passwords.
    pub listen: SocketAddr,
    /// Who watches, if anybody; must not block.
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

/// What every connection can look at.
struct Shared {
    conversations: Conversations,
    recogniser: Recogniser,
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
    /// Begins to listen; `assistant` will answer.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the address is taken.
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
            recogniser: Recogniser::new(agent.clone()),
            info: program::info(agent.model_id(), has_tools),
            conversations: Conversations::new(assistant),
            observer: options.observer,
        };
        Ok(Self {
            listener,
            shared: Arc::new(shared),
        })
    }

    /// Where it listens, also where the port was left to the system.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the system does not know.
    pub fn address(&self) -> Result<SocketAddr, VoiceError> {
        self.listener.local_addr().map_err(|error| {
            VoiceError::new(VoiceErrorKind::Configuration, "haft does not listen")
                .with_detail(error.to_string())
        })
    }

    /// Answers until `end` is over, then lets what is under way be answered, for up to 10 s.
    pub async fn serve(self, end: impl Future<Output = ()> + Send) {
        let (ending, ended) = watch::channel(false);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut peers = JoinSet::new();
        tokio::pin!(end);
        loop {
            // One that is not taken waits in the system's queue.
            let entry = async {
                let place = Arc::clone(&room).acquire_owned().await;
                (place, self.listener.accept().await)
            };
            let (place, stream) = tokio::select! {
                () = &mut end => break,
                // What is over is forgotten.
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
        // Nobody may be listening, when there is no connection.
        let _ = ending.send(true);
        let draining = async { while peers.join_next().await.is_some() {} };
        if timeout(DRAIN, draining).await.is_err() {
            tracing::warn!("what took longer than 10 s was not answered");
        }
    }
}

#[cfg(test)]
mod tests;
