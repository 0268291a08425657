//! Connections of clients: accepted up to a number, served, and ended without losing what is under
//! way.

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

/// The maximum number of open connections, twice that of conversations; whoever comes
/// later waits to be accepted. Most clients keep a few open that they do not use.
pub(crate) const CONNECTIONS: u32 = 2048;

/// How long a connection may take to send the head of its next request: as long as nginx waits for
/// one (its `keepalive_timeout`).
const HEAD: Duration = Duration::from_secs(75);

/// How long to wait if the system has no file descriptor free for another connection.
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

    /// Serves until `end` is over, then until what is under way is, at most as long as `drain`.
    /// False if something was cut off.
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
        // Nobody else gets in.
        drop(self.listener);
        let _ = ending.send(());
        timeout(drain, self.room.acquire_many(self.most))
            .await
            .is_ok()
    }

    /// The next connection, as soon as there is room for one.
    async fn next(&self) -> (TcpStream, Option<OwnedSemaphorePermit>) {
        // Nobody closes it.
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

/// A client that was gone before its turn came.
fn is_clients(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let kinds = [
        Kind::ConnectionRefused,
        Kind::ConnectionAborted,
        Kind::ConnectionReset,
    ];
    kinds.contains(&error.kind())
}

/// What a connection needs.
struct Served {
    answer: Answer,
    ended: watch::Receiver<()>,
    head: Duration,
}

impl Served {
    /// Serves over this connection until the client or the gateway ends.
    async fn over(mut self, socket: TcpStream, _permit: Option<OwnedSemaphorePermit>) {
        // A stream goes out event by event, not when a packet is full.
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
