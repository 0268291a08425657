//! Client connections: accepts them up to a limit, serves them, and shuts down without losing
//! running requests. `addresses` counts the connections of each address, `client_stream` tells a
//! half-closed connection from a closed one.

mod addresses;
mod client_stream;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{StatusCode, Version};
use futures_util::FutureExt;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use self::addresses::{AddressEntry, Addresses};
use self::client_stream::{ClientState, ClientStream};
use crate::answer::Answer;
use crate::closing::Closing;
use crate::limits::GatewayLimits;
use crate::live_settings::LiveSettings;

/// How long a connection may take to send the head of its next request: as long as nginx waits for
/// one (its `keepalive_timeout`).
const HEAD: Duration = Duration::from_secs(75);

/// How long replies that were ended at shutdown may take to send their error.
const FAREWELL: Duration = Duration::from_secs(2);

/// The pause after the system had no free file descriptor for another connection.
const NO_FILE: Duration = Duration::from_millis(100);

/// The listener, and the limit on the connections that it accepts.
#[derive(Debug)]
pub(crate) struct Connections {
    listener: TcpListener,
    room: Arc<Semaphore>,
    most: u32,
    addresses: Arc<Addresses>,
    first_request: Duration,
    drain: Duration,
    head: Duration,
    live: LiveSettings,
}

impl Connections {
    pub(crate) fn of(listener: TcpListener, limits: &GatewayLimits) -> Self {
        let most = u32::try_from(limits.connections).unwrap_or(u32::MAX);
        Self {
            listener,
            room: Arc::new(Semaphore::new(most as usize)),
            most,
            addresses: Arc::new(Addresses::new(limits.connections_per_address)),
            first_request: limits.first_request,
            drain: limits.drain,
            head: HEAD,
            live: LiveSettings::default(),
        }
    }

    /// With the certificate of these settings, if they have one.
    pub(crate) fn with_live(self, live: LiveSettings) -> Self {
        Self { live, ..self }
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` completes, then waits for running requests; those that take too long are
    /// ended by `closing`. Returns false if there were such requests.
    pub(crate) async fn serve(
        self,
        answer: Answer,
        end: impl Future<Output = ()>,
        closing: Arc<Closing>,
    ) -> bool {
        let (ending, ended) = watch::channel(());
        let mut end = pin!(end);
        loop {
            let accepted = tokio::select! {
                () = &mut end => break,
                accepted = self.next() => accepted,
            };
            let Some(accepted) = accepted else { continue };
            let served = Served {
                answer: answer.clone(),
                ended: ended.clone(),
                first_request: self.first_request,
                head: self.head,
                tls: self.live.tls(),
            };
            tokio::spawn(served.over(accepted));
        }
        // Stops accepting connections.
        drop(self.listener);
        let _ = ending.send(());
        let all_are_closed = self.room.acquire_many(self.most);
        if timeout(self.drain, all_are_closed).await.is_ok() {
            return true;
        }
        closing.close();
        let _ = timeout(FAREWELL, self.room.acquire_many(self.most)).await;
        false
    }

    /// The next connection, as soon as the limit allows one; `None` for an address that has too
    /// many.
    async fn next(&self) -> Option<Accepted> {
        // The semaphore is never closed.
        let permit = self.room.clone().acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((socket, from)) => {
                    let entry = self.addresses.clone().enter(from.ip())?;
                    return Some(Accepted {
                        socket,
                        _entry: entry,
                        _permit: permit,
                    });
                }
                Err(error) if is_clients(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted");
                    sleep(NO_FILE).await;
                }
            }
        }
    }
}

/// True for an error of the client, which disconnected before it was accepted.
fn is_clients(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let kinds = [
        Kind::ConnectionRefused,
        Kind::ConnectionAborted,
        Kind::ConnectionReset,
    ];
    kinds.contains(&error.kind())
}

/// A connection with its permits.
struct Accepted {
    socket: TcpStream,
    _entry: AddressEntry,
    _permit: Option<OwnedSemaphorePermit>,
}

/// The resources for serving a connection.
struct Served {
    answer: Answer,
    ended: watch::Receiver<()>,
    first_request: Duration,
    head: Duration,
    tls: Option<Arc<ServerConfig>>,
}

impl Served {
    /// Serves this connection until the client closes it or the gateway shuts down.
    async fn over(mut self, accepted: Accepted) {
        let socket = accepted.socket;
        // Disables Nagle's algorithm, so that each event of a stream is sent at once.
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is not to be had");
        }
        let client = Arc::new(ClientState::default());
        let Some(tls) = self.tls.take() else {
            let stream = ClientStream::new(socket, client.clone());
            return self.over_stream(stream, client).await;
        };
        match timeout(self.first_request, TlsAcceptor::from(tls).accept(socket)).await {
            // TLS has no half-closed connections that clients of HTTP use.
            Ok(Ok(stream)) => self.over_stream(stream, client).await,
            Ok(Err(error)) => tracing::debug!(%error, "a connection is not TLS"),
            Err(_) => tracing::debug!("a connection did not begin TLS in time"),
        }
    }

    /// Serves over this stream; when the client has sent all, only the response that is under way.
    async fn over_stream(
        mut self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        client: Arc<ClientState>,
    ) {
        let answer = self.answer;
        let trusted = Arc::new(AtomicBool::new(false));
        let is_trusted = trusted.clone();
        let asking = client.clone();
        let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            // A request that is being answered is not cut; a refusal comes at once.
            trusted.store(true, Ordering::Relaxed);
            let is_http_1_0 = request.version() == Version::HTTP_10;
            asking.is_http_1_0.store(is_http_1_0, Ordering::Relaxed);
            let trusted = trusted.clone();
            answer.to(request.map(Body::new)).map(move |response| {
                let is_refused = response.status() == StatusCode::UNAUTHORIZED;
                trusted.store(!is_refused, Ordering::Relaxed);
                Ok::<_, Infallible>(response)
            })
        });
        let stays_unknown = async {
            loop {
                sleep(self.first_request).await;
                if !is_trusted.load(Ordering::Relaxed) {
                    return;
                }
            }
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.head)
            .serve_connection(TokioIo::new(stream), answer);
        let mut connection = pin!(connection);
        let served = tokio::select! {
            // Nearly every wake-up is for the connection.
            biased;
            served = connection.as_mut() => served,
            () = stays_unknown => return,
            () = client.all_is_sent.notified() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            _ = self.ended.changed() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = served {
            tracing::trace!(%error, "a connection ended");
        }
    }
}

#[cfg(test)]
mod tests;
