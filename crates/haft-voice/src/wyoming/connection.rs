//! Connects to a Wyoming server, and describes failures for the user.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::address::WyomingAddress;
use super::protocol::{ConnectionError, EventReader, EventWriter, halves};
use crate::{VoiceError, VoiceErrorKind};

/// The timeout of a connection attempt. The next utterance tries again.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

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

impl From<ConnectionError> for VoiceError {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Framing(error) => {
                Self::new(VoiceErrorKind::Protocol, error.to_string())
                    .with_hint("see whether it is a Wyoming server that was connected to")
            }
            ConnectionError::Lost(error) => {
                Self::new(VoiceErrorKind::Protocol, "The connection broke")
                    .with_detail(format!("The connection broke: {error}"))
            }
        }
    }
}
