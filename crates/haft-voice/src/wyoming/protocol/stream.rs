//! A TCP connection that carries events.
//!
//! It has no timeouts; callers set them, because they depend on what is expected.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::{Event, EventDecoder, FramingError};

/// The number of bytes to read at once: several chunks of audio.
const CHUNK: usize = 8 * 1024;

/// The reason why a connection cannot be used any more.
#[derive(Debug, thiserror::Error)]
pub(in crate::wyoming) enum ConnectionError {
    /// The peer violated the protocol.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// The connection was lost.
    #[error("the connection was lost: {0}")]
    Lost(#[from] std::io::Error),
}

/// The receiving half of a connection.
#[derive(Debug)]
pub(in crate::wyoming) struct EventReader {
    stream: OwnedReadHalf,
    decoder: EventDecoder,
    chunk: Box<[u8]>,
}

/// The sending half of a connection.
#[derive(Debug)]
pub(in crate::wyoming) struct EventWriter {
    stream: OwnedWriteHalf,
}

/// Splits a connection into its halves.
pub(in crate::wyoming) fn halves(stream: TcpStream) -> (EventReader, EventWriter) {
    // Disables Nagle's algorithm, so that a small event is not delayed.
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
    /// The next event; `None` after the peer closed the connection between two events. Dropping the
    /// future loses no data.
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
    /// Sends `event`. Dropping the future may leave an incomplete event on the wire, after which
    /// the connection cannot be used.
    pub(in crate::wyoming) async fn send(&mut self, event: &Event) -> Result<(), ConnectionError> {
        Ok(self.stream.write_all(&event.encode()).await?)
    }
}
