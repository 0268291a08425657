//! The frames of a response.

use std::collections::VecDeque;
use std::fmt;

use haft_core::{ModelError, ModelErrorKind};
use http::header::SERVER;
use serde::de::IgnoredAny;

use super::client::header_text;
use super::decode::Decoder;
use super::status::reported;
#[cfg(test)]
use super::{Body, Limits, incoming::Clock};
use super::{Frame, Framing, Incoming};

/// The frames of one response, in order. Dropping them closes the connection.
pub(crate) struct Frames {
    incoming: Incoming,
    decoder: Decoder,
    ready: VecDeque<Frame>,
    ended: bool,
}

impl fmt::Debug for Frames {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Frames")
            .field("incoming", &self.incoming)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl Frames {
    /// The frames of these bytes, expected in `framing`.
    pub(crate) fn new(incoming: Incoming, framing: Framing) -> Self {
        Self {
            decoder: Decoder::new(framing, incoming.limits().line_bytes),
            incoming,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    /// The `Server` header; empty if it is missing.
    pub(crate) fn server(&self) -> &str {
        header_text(&self.incoming.headers, SERVER).unwrap_or_default()
    }

    /// The frames of `body`, with the default limits.
    #[cfg(test)]
    pub(crate) fn of_body(body: Body, framing: Framing) -> Self {
        let clock = Clock::start(&Limits::default()).attempt(framing);
        Self::new(Incoming::new(body, clock, None), framing)
    }

    /// The next frame, or `None` at the end of the body. The caller decides whether the reply was
    /// complete by then.
    ///
    /// # Errors
    ///
    /// A timeout, a broken connection, invalid data, a response that is too large, or an error that
    /// the server reports instead of a frame. After an error no more frames follow.
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
                return match reported(&frame.data, || self.incoming.secrets()) {
                    Some(error) => Err(error),
                    None => Ok(Some(frame)),
                };
            }
            if self.ended {
                return Ok(None);
            }
            match self.incoming.read().await? {
                Some(bytes) => self.decoder.push(bytes, &mut self.ready)?,
                None => {
                    self.ended = true;
                    let last = self.last_frame()?;
                    self.ready.extend(last);
                }
            }
        }
    }

    /// Removes the request's secrets from an error.
    pub(crate) fn masked(&self, error: ModelError) -> ModelError {
        error.masked(&self.incoming.secrets())
    }

    /// Puts a frame back; it becomes the next one.
    pub(crate) fn unread(&mut self, frame: Frame) {
        self.ready.push_front(frame);
    }

    /// Marks the reply as complete, and returns the connection to the pool if the server sends
    /// nothing more.
    pub(crate) async fn finish(&mut self) {
        if !self.ended {
            self.incoming.finish().await;
        }
    }

    /// The last frame. Without its terminator it counts only if it can be parsed.
    fn last_frame(&mut self) -> Result<Option<Frame>, ModelError> {
        match self.decoder.finish(&mut self.ready)? {
            Some(frame) if !frame.whole && !is_complete(&frame.data) => Err(ModelError::new(
                ModelErrorKind::CutStream,
                "The reply ended in the middle of a message",
            )
            .with_hint("try again; if it happens often, check the model server's log")),
            other => Ok(other),
        }
    }
}

fn is_complete(data: &str) -> bool {
    data.trim() == "[DONE]" || serde_json::from_str::<IgnoredAny>(data).is_ok()
}

#[cfg(test)]
mod tests;
