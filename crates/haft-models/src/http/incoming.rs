//! The bytes of a reply on their way, guarded by the limits.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use haft_core::{ModelError, ModelErrorKind};
use tokio::time::{Instant, timeout_at};

use super::limits::Limit;
use super::{Body, Framing, Limits};
use crate::replay::Recording;

/// How long the end of a reply is waited for after its last piece, so that the connection can
/// be used again; a server that keeps it open longer costs nothing more.
const LINGER: Duration = Duration::from_millis(20);

/// When a request must be further, and what it is called when it is not.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limits: Limits,
    /// The end of all attempts together.
    end: Instant,
    /// The first byte of this attempt.
    first: Option<Instant>,
}

impl Clock {
    /// Starts the time of a request.
    pub(crate) fn start(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            end: later(limits.total),
            first: None,
        }
    }

    /// Starts an attempt. Only a stream owes a first byte early; a reply in one piece comes when
    /// its last word is known.
    pub(crate) fn attempt(&self, framing: Framing) -> Self {
        let first = framing.is_stream().then(|| later(self.limits.first_byte));
        Self {
            first,
            ..self.clone()
        }
    }

    /// Waits for the first byte or a step towards it.
    pub(crate) async fn first<T>(&self, step: impl Future<Output = T>) -> Result<T, ModelError> {
        let first = self.first.unwrap_or(self.end);
        self.wait(first, Limit::FirstByte, step).await
    }

    /// Waits for another piece.
    async fn next<T>(&self, step: impl Future<Output = T>) -> Result<T, ModelError> {
        self.wait(later(self.limits.idle), Limit::Idle, step).await
    }

    /// Waits for the end of something that may take all the time there is.
    pub(crate) async fn total<T>(&self, step: impl Future<Output = T>) -> Result<T, ModelError> {
        self.wait(self.end, Limit::Total, step).await
    }

    async fn wait<T>(
        &self,
        until: Instant,
        limit: Limit,
        step: impl Future<Output = T>,
    ) -> Result<T, ModelError> {
        let (until, limit) = if until < self.end {
            (until, limit)
        } else {
            (self.end, Limit::Total)
        };
        let after = match limit {
            Limit::FirstByte => self.limits.first_byte,
            Limit::Idle => self.limits.idle,
            Limit::Total => self.limits.total,
        };
        timeout_at(until, step)
            .await
            .map_err(|_| limit.exceeded(after))
    }
}

/// The moment `duration` from now, or as late as can be told.
fn later(duration: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let now = Instant::now();
    now.checked_add(duration).unwrap_or(now + YEAR)
}

/// The bytes of one reply, in order. Dropping them closes the connection.
pub(crate) struct Incoming {
    body: Body,
    clock: Clock,
    recording: Option<Recording>,
    received: usize,
    /// The program that answers, as it calls itself; empty when it does not say.
    pub(crate) server: String,
}

impl fmt::Debug for Incoming {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Incoming")
            .field("received", &self.received)
            .finish_non_exhaustive()
    }
}

impl Incoming {
    /// The bytes of `body`, which go to `recording` too.
    pub(crate) fn new(body: Body, clock: Clock, recording: Option<Recording>) -> Self {
        Self {
            body,
            clock,
            recording,
            received: 0,
            server: String::new(),
        }
    }

    /// The limits that hold.
    pub(crate) fn limits(&self) -> &Limits {
        &self.clock.limits
    }

    /// More of them, or none at their end.
    ///
    /// # Errors
    ///
    /// A time limit, a broken connection, or too many of them.
    pub(crate) async fn read(&mut self) -> Result<Option<Bytes>, ModelError> {
        let next = self.body.next();
        let bytes = if self.received == 0 {
            self.clock.first(next).await?
        } else {
            self.clock.next(next).await?
        };
        let Some(bytes) = bytes.transpose()? else {
            return Ok(None);
        };
        self.received = self.received.saturating_add(bytes.len());
        let most = self.clock.limits.response_bytes;
        if self.received > most {
            return Err(ModelError::new(
                ModelErrorKind::Malformed,
                format!("The reply is longer than {most} bytes"),
            ));
        }
        if let Some(recording) = &mut self.recording {
            recording.push(&bytes);
        }
        Ok(Some(bytes))
    }

    /// Tells that the reply is complete, whatever may still come. Gives the connection back if
    /// the server has nothing more to send.
    pub(crate) async fn finish(mut self) {
        let rest = async { while matches!(self.read().await, Ok(Some(_))) {} };
        let _ = tokio::time::timeout(LINGER, rest).await;
    }

    /// As much of the whole body as can be had, up to about `most` bytes: for bodies of errors.
    pub(crate) async fn text(mut self, most: usize) -> String {
        let mut text = Vec::new();
        while text.len() < most {
            match self.read().await {
                Ok(Some(bytes)) => text.extend_from_slice(&bytes),
                Ok(None) | Err(_) => break,
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
