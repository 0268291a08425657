//! Client connections: accepts them up to a limit, serves them, and shuts down without losing
//! running requests.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::answer::Answer;

/// The maximum number of open connections, twice that of conversations; further clients wait to be
/// accepted. Most clients keep a few idle connections open.
pub(crate) const CONNECTIONS: u32 = 2048;

/// How long a connection may take to send the head of its next request: as long as nginx waits for
/// one (its `keepalive_timeout`).
const HEAD: Duration = Duration::from_secs(75);

/// The pause after the system had no free file descriptor for another connection.
const NO_FILE: Duration = Duration::from_millis(100);

/// The listener, and the limit on the connections that it accepts.
#[derive(Debug)]
pub(crate) struct Connections {
    listener: TcpListener,
    room: Arc<Semaphore>,
    most: u32,
    head: Duration,
}

impl Connections {
    pub(crate) fn of(listener: TcpListener) -> Self {
        Self::bounded(listener, CONNECTIONS, HEAD)
    }

    fn bounded(listener: TcpListener, most: u32, head: Duration) -> Self {
        Self {
            listener,
            room: Arc::new(Semaphore::new(most as usize)),
            most,
            head,
        }
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` completes, then waits for running requests for at most `drain`. Returns
    /// false if a request was cut off.
    pub(crate) async fn serve(
        self,
        answer: Answer,
        end: impl Future<Output = ()>,
        drain: Duration,
    ) -> bool {
        let (ending, ended) = watch::channel(());
        let mut end = pin!(end);
        loop {
            let (socket, permit) = tokio::select! {
                () = &mut end => break,
                next = self.next() => next,
            };
            let served = Served {
                answer: answer.clone(),
                ended: ended.clone(),
                head: self.head,
            };
            tokio::spawn(served.over(socket, permit));
        }
        // Stops accepting connections.
        drop(self.listener);
        let _ = ending.send(());
        timeout(drain, self.room.acquire_many(self.most))
            .await
            .is_ok()
    }

    /// The next connection, as soon as the limit allows one.
    async fn next(&self) -> (TcpStream, Option<OwnedSemaphorePermit>) {
        // The semaphore is never closed.
        let permit = self.room.clone().acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((socket, _)) => return (socket, permit),
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

/// The resources for serving a connection.
struct Served {
    answer: Answer,
    ended: watch::Receiver<()>,
    head: Duration,
}

impl Served {
    /// Serves this connection until the client closes it or the gateway shuts down.
    async fn over(mut self, socket: TcpStream, _permit: Option<OwnedSemaphorePermit>) {
        // Disables Nagle's algorithm, so that each event of a stream is sent at once.
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is not to be had");
        }
        let answer = self.answer;
        let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            answer.to(request.map(Body::new)).map(Ok::<_, Infallible>)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.head)
            .serve_connection(TokioIo::new(socket), answer);
        let mut connection = pin!(connection);
        let served = tokio::select! {
            served = connection.as_mut() => served,
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
