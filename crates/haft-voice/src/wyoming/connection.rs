//! A TCP connection on which events come and go.
//!
//! Whoever uses it sets the time limits: how long is too long depends on what is waited for.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::{Event, EventDecoder, FramingError, WyomingAddress};
use crate::{VoiceError, VoiceErrorKind};

/// Who does not take a connection by then is away; the next utterance tries again.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// Read at once: some pieces of sound.
const CHUNK: usize = 8 * 1024;

/// The half of a connection from which events come.
#[derive(Debug)]
pub(super) struct EventReader {
    stream: OwnedReadHalf,
    decoder: EventDecoder,
    chunk: Box<[u8]>,
}

/// The half of a connection to which events go.
#[derive(Debug)]
pub(super) struct EventWriter {
    stream: OwnedWriteHalf,
}

/// Connects to the server at `address`.
pub(super) async fn connect(
    address: &WyomingAddress,
) -> Result<(EventReader, EventWriter), VoiceError> {
    let away = |detail: String| {
        VoiceError::new(
            VoiceErrorKind::Protocol,
            format!("Nothing answers at {address}"),
        )
        .with_hint("see whether the Wyoming server runs, and whether its address is right")
        .with_detail(detail)
    };
    let connecting = TcpStream::connect(address.target());
    match timeout(CONNECT_LIMIT, connecting).await {
        Ok(Ok(stream)) => Ok(halves(stream)),
        Ok(Err(error)) => Err(away(format!("{address}: {error}"))),
        Err(_) => Err(away(format!("{address}: no connection in time"))),
    }
}

/// The two halves of a connection.
pub(super) fn halves(stream: TcpStream) -> (EventReader, EventWriter) {
    // A small event is not to wait for a large one.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small events may come late");
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
    /// The next event; none once the peer has ended the connection between two. Dropping the
    /// future loses nothing.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, VoiceError> {
        loop {
            if let Some(event) = self.decoder.next_event()? {
                return Ok(Some(event));
            }
            let read = self.stream.read(&mut self.chunk).await.map_err(broken)?;
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
    /// Sends `event`. Dropping the future may leave half of it on the wire: the connection is of
    /// no more use then.
    pub(super) async fn send(&mut self, event: &Event) -> Result<(), VoiceError> {
        self.stream.write_all(&event.encode()).await.map_err(broken)
    }
}

impl From<FramingError> for VoiceError {
    fn from(error: FramingError) -> Self {
        Self::new(VoiceErrorKind::Protocol, error.to_string())
            .with_hint("see whether it is a Wyoming server that was connected to")
    }
}

#[expect(clippy::needless_pass_by_value, reason = "called by map_err")]
fn broken(error: std::io::Error) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Protocol, "The connection broke")
        .with_detail(format!("The connection broke: {error}"))
}
