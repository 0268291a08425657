//! Decodes response bytes into frames, however the network splits them: the events of a stream, or
//! one whole body.
//!
//! Servers do not always respond in the requested format, so the first byte decides between an
//! event stream and JSON. `events.rs` splits a stream.

use std::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};
use haft_core::ModelError;
use serde::de::IgnoredAny;

use super::events::{Events, Framing};
use super::malformed::malformed;

/// The smallest part of a response that can be parsed on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The data, nearly always JSON.
    pub(crate) data: String,
    /// Whether this is the whole response in the format of a response without streaming.
    pub(crate) whole: bool,
}

/// An incremental decoder of one response.
#[derive(Debug)]
pub(crate) struct Decoder {
    framing: Framing,
    /// Whether the first byte decided the framing.
    settled: bool,
    /// What was received before the framing was decided, and all of a whole body.
    buffer: BytesMut,
    /// The splitter of a stream; made when the framing is decided.
    events: Events,
    max_line: usize,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Decoder {
    /// Creates a decoder for a response expected in `framing`, with events of at most about
    /// `max_line` bytes.
    pub(crate) fn new(framing: Framing, max_line: usize) -> Self {
        Self {
            framing,
            settled: false,
            buffer: BytesMut::new(),
            events: Events::new(framing, max_line),
            max_line,
        }
    }

    /// Decodes more bytes and appends the completed frames.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`](haft_core::ModelErrorKind::Malformed) if an event is too long
    /// or not UTF-8.
    pub(crate) fn push(
        &mut self,
        bytes: Bytes,
        frames: &mut VecDeque<Frame>,
    ) -> Result<(), ModelError> {
        if self.settled && self.framing.is_stream() {
            return self.split(bytes, frames);
        }
        self.buffer.extend_from_slice(&bytes);
        if !self.settled {
            self.settle(false);
        }
        if !self.settled || self.framing == Framing::Whole {
            return Ok(());
        }
        let bytes = self.buffer.split().freeze();
        self.split(bytes, frames)
    }

    /// Decodes the end of the body. A last frame without its terminator may still be complete. JSON
    /// lines in place of one whole body are also detected only here.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`](haft_core::ModelErrorKind::Malformed) if the rest is not
    /// UTF-8.
    pub(crate) fn finish(
        &mut self,
        frames: &mut VecDeque<Frame>,
    ) -> Result<Option<Frame>, ModelError> {
        if !self.settled {
            self.settle(true);
        }
        if self.framing == Framing::Whole && has_lines(&self.buffer) {
            self.begin(Framing::Ndjson);
            let bytes = self.buffer.split().freeze();
            self.split(bytes, frames)?;
        }
        if self.framing == Framing::Whole {
            if self.buffer.is_empty() {
                return Ok(None);
            }
            let data = String::from_utf8(self.buffer.split().to_vec())
                .map_err(|_| malformed("The reply is not valid UTF-8", ""))?;
            return Ok(Some(Frame { data, whole: true }));
        }
        let rest = self.events.rest();
        Ok(self.framing.data(&rest)?.map(|data| Frame {
            data: data.into_owned(),
            whole: false,
        }))
    }

    fn split(&mut self, bytes: Bytes, frames: &mut VecDeque<Frame>) -> Result<(), ModelError> {
        let mut complete = self.events.push(bytes)?;
        while let Some(size) = self.events.next(&complete) {
            let event = complete.split_to(size);
            frames.extend(self.framing.data(&event)?.map(|data| Frame {
                data: data.into_owned(),
                whole: false,
            }));
        }
        Ok(())
    }

    /// Decides the framing at the first byte that is neither a byte order mark nor white space.
    fn settle(&mut self, at_end: bool) {
        if self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.advance(BYTE_ORDER_MARK.len());
        } else if !at_end && BYTE_ORDER_MARK.starts_with(&self.buffer) {
            return;
        }
        let blank = self.buffer.iter().take_while(|b| b.is_ascii_whitespace());
        self.buffer.advance(blank.count());
        let Some(first) = self.buffer.first() else {
            return;
        };
        self.settled = true;
        self.begin(match (self.framing, first) {
            // A proxy's error page is not a truncated line.
            (Framing::Ndjson, b'<') => Framing::Whole,
            (Framing::Ndjson, _) => Framing::Ndjson,
            _ if Framing::Sse.begins(&self.buffer) => Framing::Sse,
            _ => Framing::Whole,
        });
    }

    fn begin(&mut self, framing: Framing) {
        self.framing = framing;
        self.events = Events::new(framing, self.max_line);
    }
}

/// Whether the first of several lines is a complete JSON value.
pub(crate) fn has_lines(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', bytes);
    let Some((first, rest)) = end.and_then(|end| bytes.split_at_checked(end)) else {
        return false;
    };
    !rest.trim_ascii().is_empty() && serde_json::from_slice::<IgnoredAny>(first).is_ok()
}

#[cfg(test)]
mod tests;
