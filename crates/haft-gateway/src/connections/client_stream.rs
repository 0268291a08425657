//! A client's TCP stream that tells a client that has sent all (a half-closed connection, as
//! `nc -N` leaves it) from one that has disconnected.
//!
//! TCP reports both as the end of the data. Only what is sent to a client that has disconnected
//! shows the difference: its system answers with a reset. As long as no byte of the response is out,
//! an interim response is sent for this, `100 Continue`, which every client of HTTP/1.1 accepts
//! (RFC 9110, section 15.2). After that, the writes of the response themselves fail. A client whose
//! data ends after the response has begun has disconnected: who half-closes does so after the request.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

/// The interim response.
const INTERIM: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// How long a reset may take to arrive.
const RESET: Duration = Duration::from_millis(250);

/// The pause between two interim responses: so long does a model work for a client that disconnects
/// after it has half-closed its connection.
const PAUSE: Duration = Duration::from_secs(5);

/// What a stream and the service on it tell each other.
#[derive(Debug, Default)]
pub(super) struct ClientState {
    /// Notified when the client has sent all and may still read.
    pub(super) all_is_sent: Notify,
    /// Whether the client's request is HTTP/1.0, which has no interim responses: the end of its
    /// data counts as the end of the connection.
    pub(super) is_http_1_0: AtomicBool,
}

/// The stream of a client.
#[derive(Debug)]
pub(super) struct ClientStream {
    socket: TcpStream,
    /// Whether a byte of a response was sent since the client sent something.
    has_answered: bool,
    state: Arc<ClientState>,
    /// The state after the end of the client's data.
    end: Option<End>,
}

/// What happens after the end of the client's data.
#[derive(Debug)]
enum End {
    /// An interim response is sent next.
    Ask,
    /// It was sent; a reset may arrive.
    Sent(Pin<Box<Sleep>>),
    /// No reset arrived: the client still reads.
    Reads(Pin<Box<Sleep>>),
}

impl ClientStream {
    pub(super) fn new(socket: TcpStream, state: Arc<ClientState>) -> Self {
        Self {
            socket,
            has_answered: false,
            state,
            end: None,
        }
    }

    /// Completes with the error of a client that has disconnected; never completes for one that
    /// reads.
    fn poll_disconnect(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        while !self.has_answered {
            self.end = Some(match &mut self.end {
                None | Some(End::Ask) => {
                    let sent = Pin::new(&mut self.socket).poll_write(context, INTERIM);
                    if let Err(error) = ready!(sent) {
                        return Poll::Ready(error);
                    }
                    End::Sent(Box::pin(sleep(RESET)))
                }
                Some(End::Sent(wait)) => {
                    ready!(wait.as_mut().poll(context));
                    match self.socket.take_error() {
                        Ok(None) => End::Reads(Box::pin(sleep(PAUSE))),
                        Ok(Some(error)) | Err(error) => return Poll::Ready(error),
                    }
                }
                Some(End::Reads(wait)) => {
                    ready!(wait.as_mut().poll(context));
                    End::Ask
                }
            });
        }
        Poll::Pending
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if self.end.is_none() {
            ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
            if buffer.filled().len() > before {
                self.has_answered = false;
                return Poll::Ready(Ok(()));
            }
            let is_closed = self.has_answered || self.state.is_http_1_0.load(Ordering::Relaxed);
            if is_closed || buffer.remaining() == 0 {
                return Poll::Ready(Ok(()));
            }
            self.end = Some(End::Ask);
            self.state.all_is_sent.notify_one();
        }
        self.poll_disconnect(context).map(Err)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.has_answered = true;
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.has_answered = true;
        Pin::new(&mut self.socket).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
