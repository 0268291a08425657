//! The bytes of a response, with the limits enforced.

use std::fmt;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use haft_core::{ModelError, ModelErrorKind, Secrets};
use http::HeaderMap;
use tokio::time::{Instant, timeout_at};

use super::limits::Limit;
use super::request::Address;
use super::{Body, Framing, Limits};
use crate::replay::Recording;

/// How long to wait for the end of the body after the last frame, so that the connection can be
/// reused. After that the connection is closed.
const LINGER: Duration = Duration::from_millis(20);

/// The deadlines of a request.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limits: Limits,
    /// The deadline for all attempts together.
    end: Instant,
    /// The deadline for the first byte of this attempt.
    first: Option<Instant>,
}

impl Clock {
    /// Starts the clock of a request.
    pub(crate) fn start(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            end: later(limits.total),
            first: None,
        }
    }

    /// Starts an attempt. Only a stream has a deadline for its first byte: a response without
    /// streaming arrives when the reply is complete.
    pub(crate) fn attempt(&self, framing: Framing) -> Self {
        let first = framing.is_stream().then(|| later(self.limits.first_byte));
        Self {
            first,
            ..self.clone()
        }
    }

    /// Waits for the first byte, or a step towards it. If it has no deadline of its own, the one of
    /// [`total`](Self::total) is enough.
    pub(crate) async fn first<T>(&self, step: impl Future<Output = T>) -> Result<T, ModelError> {
        match self.first {
            Some(first) => self.wait(first, Limit::FirstByte, step).await,
            None => Ok(step.await),
        }
    }

    /// Waits for more bytes.
    async fn next<T>(&self, step: impl Future<Output = T>) -> Result<T, ModelError> {
        self.wait(later(self.limits.idle), Limit::Idle, step).await
    }

    /// Waits for `step` until the deadline of the whole request.
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

/// The instant `duration` from now; very long durations are capped.
fn later(duration: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let now = Instant::now();
    now.checked_add(duration).unwrap_or(now + YEAR)
}

/// The bytes of one response, in order. Dropping them closes the connection.
pub(crate) struct Incoming {
    body: Body,
    clock: Clock,
    recording: Option<Recording>,
    received: usize,
    /// The headers of the response.
    pub(crate) headers: HeaderMap,
    /// The address of the request; `None` in tests.
    pub(crate) address: Option<Address>,
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
    /// Reads `body`, and copies it to `recording`.
    pub(crate) fn new(body: Body, clock: Clock, recording: Option<Recording>) -> Self {
        Self {
            body,
            clock,
            recording,
            received: 0,
            headers: HeaderMap::new(),
            address: None,
        }
    }

    /// The limits in force.
    pub(crate) fn limits(&self) -> &Limits {
        &self.clock.limits
    }

    /// The request's secrets, to be removed from errors.
    pub(crate) fn secrets(&self) -> Secrets {
        let address = self.address.as_ref();
        address.map(Address::secrets).unwrap_or_default()
    }

    /// More bytes, or `None` at the end.
    ///
    /// # Errors
    ///
    /// A timeout, a broken connection, or a response that is too large.
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

    /// Marks the reply as complete, and returns the connection to the pool if the server sends
    /// nothing more.
    pub(crate) async fn finish(&mut self) {
        let rest = pin!(async { while matches!(self.read().await, Ok(Some(_))) {} });
        let _ = tokio::time::timeout(LINGER, rest).await;
    }

    /// The body of an error response, up to about `most` bytes.
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
