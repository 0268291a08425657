//! Clients that close their side of a connection: some still read (`printf ... | nc`), others have
//! left. TCP tells both in the same way, so a client that has closed its side is sent an interim
//! response, `100 Continue`, which every client skips (RFC 9110, 15.2.1). The system of a client
//! that has left answers it with a reset, and the next one fails.
//!
//! A client that closes its side after its response began counts as one that has left: nothing can be
//! sent to it between the parts of the response.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::Version;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// The interim response.
const PROBE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// The pause between the first two probes. A reset takes one round trip.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The maximum pause between two probes, each of which doubles the pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// A socket, and whether a response is awaited on it. Clones are the same socket.
#[derive(Clone, Debug)]
pub(super) struct WatchedSocket {
    socket: Arc<TcpStream>,
    /// Whether a request is being answered, and nothing of its response has been written.
    is_awaited: Arc<AtomicBool>,
}

impl WatchedSocket {
    pub(super) fn new(socket: TcpStream) -> Self {
        Self {
            socket: Arc::new(socket),
            is_awaited: Arc::default(),
        }
    }

    /// A request of this version has arrived, and its response is awaited. Clients of HTTP/1.0 know
    /// no interim responses, so one that closes its side counts as one that has left.
    pub(super) fn await_response(&self, version: Version) {
        let is_awaited = version >= Version::HTTP_11;
        self.is_awaited.store(is_awaited, Ordering::Relaxed);
    }

    /// Completes when the client has left, unless hyper notices it: it reads and writes only at some
    /// times.
    pub(super) async fn client_left(&self) {
        if self.closed().await.is_err() || !self.is_awaited.load(Ordering::Relaxed) {
            return;
        }
        let mut pause = FIRST_PAUSE;
        loop {
            if self.is_awaited.load(Ordering::Relaxed) {
                match self.socket.try_write(PROBE) {
                    Ok(written) if written == PROBE.len() => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Ok(_) | Err(_) => return,
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Completes when the client has closed its side, and everything that it sent has been read.
    async fn closed(&self) -> io::Result<()> {
        loop {
            let ready = self.socket.ready(Interest::READABLE).await?;
            if ready.is_read_closed() && self.socket.peek(&mut [0]).await? == 0 {
                return Ok(());
            }
            // Something was received that hyper has yet to read.
            sleep(FIRST_PAUSE).await;
        }
    }

    /// Repeats a write that does not block until it is done.
    fn poll_written(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        self.is_awaited.store(false, Ordering::Relaxed);
        loop {
            ready!(self.socket.poll_write_ready(context))?;
            match write(&self.socket) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(done),
            }
        }
    }
}

impl AsyncRead for WatchedSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.socket.poll_read_ready(context))?;
            match self.socket.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for WatchedSocket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_written(context, |socket| socket.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_written(context, |socket| socket.try_write_vectored(slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Does nothing: hyper drops the socket afterwards, which closes it.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
