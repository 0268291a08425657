//! A reply on its way: its frames, guarded by the limits.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use haft_core::{ModelError, ModelErrorKind};
use serde::de::IgnoredAny;
use tokio::time::{Instant, timeout_at};

use super::decode::Decoder;
use super::limits::Limit;
use super::status::reported;
use super::{Body, Frame, Framing, Limits};
use crate::replay::Recording;

/// How long the end of a reply is waited for after its last frame, so that the connection can
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

/// The frames of one reply, in order. Dropping them closes the connection.
pub(crate) struct Frames {
    body: Body,
    decoder: Decoder,
    ready: VecDeque<Frame>,
    clock: Clock,
    recording: Option<Recording>,
    received: usize,
    ended: bool,
    server: String,
}

impl fmt::Debug for Frames {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Frames")
            .field("received", &self.received)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl Frames {
    /// The frames in `body`, expected in `framing`; the bytes go to `recording` too.
    pub(crate) fn new(
        body: Body,
        framing: Framing,
        clock: Clock,
        recording: Option<Recording>,
    ) -> Self {
        Self {
            decoder: Decoder::new(framing, clock.limits.line_bytes),
            body,
            ready: VecDeque::new(),
            clock,
            recording,
            received: 0,
            ended: false,
            server: String::new(),
        }
    }

    /// The same frames, from this program.
    pub(crate) fn with_server(self, server: String) -> Self {
        Self { server, ..self }
    }

    /// The program that answers, as it calls itself; empty when it does not say.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The frames in `body` alone, within the default limits.
    #[cfg(test)]
    pub(crate) fn of_body(body: Body, framing: Framing) -> Self {
        let clock = Clock::start(&Limits::default()).attempt(framing);
        Self::new(body, framing, clock, None)
    }

    /// The next frame, or none at the end of the bytes. Whether the reply was complete by then
    /// is for the caller to know.
    ///
    /// # Errors
    ///
    /// A time limit, a broken connection, bytes that are no frames, too many of them, or the
    /// error that the server reports in place of a frame. After an error there is nothing more.
    pub(crate) async fn next(&mut self) -> Result<Option<Frame>, ModelError> {
        let result = self.read_frame().await;
        if result.is_err() {
            self.ended = true;
            self.ready.clear();
        }
        result
    }

    async fn read_frame(&mut self) -> Result<Option<Frame>, ModelError> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return match reported(&frame.data) {
                    Some(error) => Err(error),
                    None => Ok(Some(frame)),
                };
            }
            if self.ended {
                return Ok(None);
            }
            match self.read().await? {
                Some(bytes) => self.decoder.push(&bytes, &mut self.ready)?,
                None => {
                    self.ended = true;
                    let last = self.last_frame()?;
                    self.ready.extend(last);
                }
            }
        }
    }

    /// Puts a frame back, to be the next one again.
    pub(crate) fn unread(&mut self, frame: Frame) {
        self.ready.push_front(frame);
    }

    /// Tells that the reply is complete, whatever may still come. Gives the connection back if
    /// the server has nothing more to send.
    pub(crate) async fn finish(mut self) {
        let rest = async { while !self.ended && matches!(self.read().await, Ok(Some(_))) {} };
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

    async fn read(&mut self) -> Result<Option<Bytes>, ModelError> {
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

    /// A frame without its end is complete only if it can be read.
    fn last_frame(&mut self) -> Result<Option<Frame>, ModelError> {
        match self.decoder.finish(&mut self.ready)? {
            Some(frame) if !frame.whole && !is_complete(&frame.data) => Err(ModelError::new(
                ModelErrorKind::CutStream,
                "The reply ended in the middle of a message",
            )
            .with_hint("ask again; if it happens often, look at the model server's log")),
            other => Ok(other),
        }
    }
}

fn is_complete(data: &str) -> bool {
    data.trim() == "[DONE]" || serde_json::from_str::<IgnoredAny>(data).is_ok()
}

#[cfg(test)]
mod tests;
