//! Cuts the bytes of a stream into events without copying those that arrive whole.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};
use haft_core::{ModelError, ModelErrorKind};

use crate::http::Framing;

/// A push decoder that only finds where events end.
#[derive(Debug)]
pub(super) struct Events {
    framing: Framing,
    /// An event of which more is to come.
    rest: BytesMut,
    /// So much of it was looked at.
    looked: usize,
    /// Bytes that one event may have.
    longest: usize,
}

impl Events {
    pub(super) fn new(framing: Framing, longest: usize) -> Self {
        Self {
            framing,
            rest: BytesMut::new(),
            looked: 0,
            longest,
        }
    }

    /// Takes more bytes and gives back all that is complete with them, for [`next`](Self::next) to
    /// cut.
    pub(super) fn push(&mut self, bytes: Bytes) -> Result<Bytes, ModelError> {
        let all = if self.rest.is_empty() {
            bytes
        } else {
            self.rest.extend_from_slice(&bytes);
            std::mem::take(&mut self.rest).freeze()
        };
        let mut end = 0;
        let mut from = std::mem::take(&mut self.looked);
        while let Some(next) = self.end(&all, from) {
            (end, from) = (next, next);
        }
        let mut all = all;
        let complete = all.split_to(end);
        if all.len() > self.longest {
            let message = format!("A line of the reply is longer than {} bytes", self.longest);
            return Err(ModelError::new(ModelErrorKind::Malformed, message));
        }
        // The last two bytes may be half of an end.
        self.looked = all.len().saturating_sub(2);
        if !all.is_empty() {
            self.rest = BytesMut::from(all);
        }
        Ok(complete)
    }

    /// The end of the first event in these bytes, which begin with one.
    pub(super) fn next(&self, bytes: &[u8]) -> Option<usize> {
        self.end(bytes, 0)
    }

    /// What came behind the last event that is complete.
    pub(super) fn rest(&mut self) -> Bytes {
        std::mem::take(&mut self.rest).freeze()
    }

    /// Where the event ends that goes on at `from`: behind a line of JSON, or behind an empty
    /// line.
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

/// The data of an event; none where it has none, as a comment.
/// None at all where it is no text.
pub(super) fn data(framing: Framing, event: &[u8]) -> Option<Option<Cow<'_, str>>> {
    let text = std::str::from_utf8(event).ok()?;
    if framing == Framing::Ndjson {
        let line = text.trim();
        return Some((!line.is_empty()).then_some(Cow::Borrowed(line)));
    }
    let mut data: Option<Cow<'_, str>> = None;
    for line in text.lines() {
        let Some(value) = line.strip_prefix("data") else {
            continue;
        };
        let value = match value.strip_prefix(':') {
            Some(value) => value.strip_prefix(' ').unwrap_or(value),
            None if value.is_empty() => value,
            None => continue,
        };
        data = Some(match data {
            None => Cow::Borrowed(value),
            Some(before) => Cow::Owned([&before, "\n", value].concat()),
        });
    }
    Some(data)
}

/// Whether a reply begins as one of this form does.
pub(super) fn begins(framing: Framing, bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    match (framing, first) {
        (_, None) => true,
        (Framing::Sse, Some(first)) => matches!(first, b'd' | b'e' | b'i' | b'r' | b':'),
        (Framing::Ndjson | Framing::Whole, Some(first)) => *first == b'{',
    }
}

#[cfg(test)]
mod tests;
