//! Splits the bytes of a streamed reply into events: server-sent events, or lines of JSON.
//!
//! The only splitter of the crate. `decode.rs` turns its events into frames for the decoders of
//! the providers; the pass-through hands them on byte for byte. Nothing is copied that arrives in
//! one piece.
//!
//! Events follow the WHATWG HTML standard, section 9.2 "Server-sent events", as far as model
//! servers use it: `event`, `id` and `retry` are ignored, because every API repeats in the data
//! what the name says, and a carriage return alone does not end a line.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};
use haft_core::ModelError;

use super::malformed::malformed;

/// The format of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON value.
    Whole,
    /// Server-sent events.
    Sse,
    /// One JSON value per line.
    Ndjson,
}

impl Framing {
    /// Whether the reply is a stream.
    pub(crate) fn is_stream(self) -> bool {
        self != Self::Whole
    }

    /// This format for a streamed reply, one value for any other.
    pub(crate) fn if_streamed(self, is_streamed: bool) -> Self {
        if is_streamed { self } else { Self::Whole }
    }

    /// Whether a reply in this format may begin with these bytes. A line of an event stream begins
    /// with the name of a field or a colon; JSON and HTML begin with neither.
    pub(crate) fn begins(self, bytes: &[u8]) -> bool {
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        match (self, first) {
            (_, None) => true,
            (Self::Sse, Some(first)) => matches!(first, b'd' | b'e' | b'i' | b'r' | b':'),
            (Self::Ndjson | Self::Whole, Some(first)) => *first == b'{',
        }
    }

    /// The data of an event; `None` without data, as in a comment.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`](haft_core::ModelErrorKind::Malformed) if the event is not
    /// UTF-8.
    pub(crate) fn data(self, event: &[u8]) -> Result<Option<Cow<'_, str>>, ModelError> {
        let text = std::str::from_utf8(event)
            .map_err(|_| malformed("The reply is not valid UTF-8", ""))?;
        if self == Self::Ndjson {
            let line = text.trim();
            return Ok((!line.is_empty()).then_some(Cow::Borrowed(line)));
        }
        let mut data: Option<Cow<'_, str>> = None;
        for line in text.lines() {
            let Some(value) = line.strip_prefix("data") else {
                continue;
            };
            let value = match value.strip_prefix(':') {
                Some(value) => value.strip_prefix(' ').unwrap_or(value),
                None if value.is_empty() => value,
                // A field such as `database` only begins like `data`.
                None => continue,
            };
            data = Some(match data {
                None => Cow::Borrowed(value),
                Some(before) => Cow::Owned([&before, "\n", value].concat()),
            });
        }
        Ok(data)
    }
}

/// The splitter of one reply: bytes in, whole events out.
#[derive(Debug)]
pub(crate) struct Events {
    framing: Framing,
    /// The start of an event whose end has not arrived.
    rest: BytesMut,
    /// How many bytes of `rest` were searched for its end already.
    searched: usize,
    /// The largest size of `rest`, so that a server cannot fill the memory.
    longest: usize,
}

impl Events {
    /// Creates a splitter for a stream whose events have at most about `longest` bytes.
    pub(crate) fn new(framing: Framing, longest: usize) -> Self {
        Self {
            framing,
            rest: BytesMut::new(),
            searched: 0,
            longest,
        }
    }

    /// Takes more bytes and returns all events that are complete with them, for
    /// [`next`](Self::next) to split.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Malformed`](haft_core::ModelErrorKind::Malformed) if an event grows too
    /// long.
    pub(crate) fn push(&mut self, bytes: Bytes) -> Result<Bytes, ModelError> {
        let mut all = if self.rest.is_empty() {
            bytes
        } else {
            self.rest.extend_from_slice(&bytes);
            std::mem::take(&mut self.rest).freeze()
        };
        let mut end = 0;
        let mut from = std::mem::take(&mut self.searched);
        while let Some(next) = self.end(&all, from) {
            (end, from) = (next, next);
        }
        let complete = all.split_to(end);
        if all.len() > self.longest {
            let message = format!("A line of the reply is longer than {} bytes", self.longest);
            return Err(malformed(&message, ""));
        }
        // The last two bytes may be the first half of an end.
        self.searched = all.len().saturating_sub(2);
        if !all.is_empty() {
            self.rest = BytesMut::from(all);
        }
        Ok(complete)
    }

    /// The size of the first event in bytes that [`push`](Self::push) returned.
    pub(crate) fn next(&self, bytes: &[u8]) -> Option<usize> {
        self.end(bytes, 0)
    }

    /// The bytes behind the last complete event.
    pub(crate) fn rest(&mut self) -> Bytes {
        self.searched = 0;
        std::mem::take(&mut self.rest).freeze()
    }

    /// The end of the first event that ends behind `from`: the end of a line of JSON, or of an
    /// empty line of an event stream.
    fn end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        for line in memchr::memchr_iter(b'\n', bytes.get(from..)?) {
            let end = from + line + 1;
            if self.framing == Framing::Ndjson {
                return Some(end);
            }
            match bytes.get(end..) {
                Some([b'\n', ..]) => return Some(end + 1),
                Some([b'\r', b'\n', ..]) => return Some(end + 2),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
