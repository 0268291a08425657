//! A reply on its way: its frames.

use std::collections::VecDeque;
use std::fmt;

use haft_core::{ModelError, ModelErrorKind};
use serde::de::IgnoredAny;

use super::decode::Decoder;
use super::status::reported;
#[cfg(test)]
use super::{Body, Limits, incoming::Clock};
use super::{Frame, Framing, Incoming};

/// The frames of one reply, in order. Dropping them closes the connection.
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
    /// The frames in these bytes, expected in `framing`.
    pub(crate) fn new(incoming: Incoming, framing: Framing) -> Self {
        Self {
            decoder: Decoder::new(framing, incoming.limits().line_bytes),
            incoming,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    /// The program that answers, as it calls itself; empty when it does not say.
    pub(crate) fn server(&self) -> &str {
        &self.incoming.server
    }

    /// The frames in `body` alone, within the default limits.
    #[cfg(test)]
    pub(crate) fn of_body(body: Body, framing: Framing) -> Self {
        let clock = Clock::start(&Limits::default()).attempt(framing);
        Self::new(Incoming::new(body, clock, None), framing)
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
            match self.incoming.read().await? {
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
    pub(crate) async fn finish(self) {
        if !self.ended {
            self.incoming.finish().await;
        }
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
