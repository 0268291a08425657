//! A TCP connection on which events come and go.
//!
//! Its users set the timeouts: how long is too long depends on what is waited for.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::{Event, EventDecoder, FramingError};

/// Read at once: some pieces of sound.
const CHUNK: usize = 8 * 1024;

/// Why a connection is of no more use.
#[derive(Debug, thiserror::Error)]
pub(in crate::wyoming) enum ConnectionError {
    /// The peer sent something that is not the protocol.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// The connection was lost.
    #[error("the connection was lost: {0}")]
    Lost(#[from] std::io::Error),
}

/// The half of a connection from which events come.
#[derive(Debug)]
pub(in crate::wyoming) struct EventReader {
    stream: OwnedReadHalf,
    decoder: EventDecoder,
    chunk: Box<[u8]>,
}

/// The half of a connection to which events go.
#[derive(Debug)]
pub(in crate::wyoming) struct EventWriter {
    stream: OwnedWriteHalf,
}

/// The two halves of a connection.
pub(in crate::wyoming) fn halves(stream: TcpStream) -> (EventReader, EventWriter) {
    // A small event does not wait for a large one.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small events may be delayed");
    }
    let (read, write) = stream.into_split();
    let reader = EventReader {
        stream: read,
        decoder: EventDecoder::default(),
        chunk: vec![0; CHUNK].into_boxed_slice(),
    };
    (reader, EventWriter { stream: write })
}

impl EventReader {
    /// The next event; `None` once the peer has closed the connection between two events.
    /// Dropping the future loses nothing.
    pub(in crate::wyoming) async fn next(&mut self) -> Result<Option<Event>, ConnectionError> {
        loop {
            if let Some(event) = self.decoder.next_event()? {
                return Ok(Some(event));
            }
            let read = self.stream.read(&mut self.chunk).await?;
            if read == 0 {
                self.decoder.finish()?;
                return Ok(None);
            }
            self.decoder
                .push(self.chunk.get(..read).unwrap_or_default());
        }
    }
}

impl EventWriter {
    /// Sends `event`. Dropping the future may leave half of it on the wire; the connection cannot
    /// be used after that.
    pub(in crate::wyoming) async fn send(&mut self, event: &Event) -> Result<(), ConnectionError> {
        Ok(self.stream.write_all(&event.encode()).await?)
    }
}
