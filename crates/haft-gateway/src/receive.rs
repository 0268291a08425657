//! Receives the body of a request, with limits on its size and duration.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use tokio::time::timeout;

use crate::respond::Refusal;

/// The maximum size of a body in bytes: 64 MiB, enough for a conversation with images.
pub(crate) const MAX_BODY: usize = 64 * 1024 * 1024;

/// How long a request may take to arrive: a minute, for images over a slow network.
pub(crate) const RECEIVE_TIMEOUT: Duration = Duration::from_secs(60);

/// Reads the whole body.
pub(crate) async fn receive(body: Body) -> Result<Bytes, Refusal> {
    match timeout(RECEIVE_TIMEOUT, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(error)) => {
            let message = format!("The request cannot be received: {error}");
            Err(Refusal::new(413, message))
        }
        Err(_) => Err(too_slow()),
    }
}

/// The refusal of a request that takes longer than [`RECEIVE_TIMEOUT`].
pub(crate) fn too_slow() -> Refusal {
    Refusal::new(408, "The request takes too long to arrive")
}
