//! Bytes to frames, however the network cut them: server-sent events, JSON lines, or one piece.
//!
//! Servers do not always answer in the form that was asked for, so the first byte decides
//! between a stream of events and one JSON text. Events follow the WHATWG HTML standard,
//! section 9.2, as far as model servers use it: `id` and `retry` mean nothing here, and a line
//! never ends with a carriage return alone.

use std::collections::VecDeque;

use bytes::{Buf, BytesMut};
use haft_core::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio_util::codec::{Decoder as _, LinesCodec, LinesCodecError};

/// The form in which a reply is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON text.
    Whole,
    /// Server-sent events.
    Sse,
    /// One JSON text per line.
    Ndjson,
}

impl Framing {
    /// Whether a stream is expected.
    pub(crate) fn is_stream(self) -> bool {
        self != Self::Whole
    }
}

/// One piece of a reply that can be understood on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The event's name, where the stream gives one.
    pub(crate) event: Option<String>,
    /// The data, nearly always JSON.
    pub(crate) data: String,
    /// True when this is the whole reply in one piece, in the form of a reply that was not
    /// streamed.
    pub(crate) whole: bool,
}

/// A push decoder of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    framing: Framing,
    /// Whether the first byte was seen and the framing is settled.
    settled: bool,
    buffer: BytesMut,
    lines: LinesCodec,
    max_line: usize,
    event: Option<String>,
    data: Option<String>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Decoder {
    /// A decoder for a reply expected in `framing`, with lines of at most `max_line` bytes.
    pub(crate) fn new(framing: Framing, max_line: usize) -> Self {
        Self {
            framing,
            settled: false,
            buffer: BytesMut::new(),
            lines: LinesCodec::new_with_max_length(max_line),
            max_line,
            event: None,
            data: None,
        }
    }

    /// Takes more bytes and appends the frames that they complete.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        frames: &mut VecDeque<Frame>,
    ) -> Result<(), ModelError> {
        self.buffer.extend_from_slice(bytes);
        if !self.settled {
            self.settle(false);
        }
        if !self.settled || self.framing == Framing::Whole {
            return Ok(());
        }
        while let Some(line) = self
            .lines
            .decode(&mut self.buffer)
            .map_err(|error| self.broken(&error))?
        {
            frames.extend(self.line(line));
        }
        Ok(())
    }

    /// The end of the bytes. A frame that comes only now was not ended by the server, but may
    /// be complete all the same. Lines that came in place of one piece are known only now, too.
    pub(crate) fn finish(
        &mut self,
        frames: &mut VecDeque<Frame>,
    ) -> Result<Option<Frame>, ModelError> {
        if !self.settled {
            self.settle(true);
        }
        if self.framing == Framing::Whole && has_lines(&self.buffer) {
            self.framing = Framing::Ndjson;
            self.push(&[], frames)?;
        }
        if self.buffer.is_empty() && self.data.is_none() {
            return Ok(None);
        }
        if self.framing == Framing::Whole {
            let data = String::from_utf8(self.buffer.split().to_vec())
                .map_err(|_| malformed("The reply is not text in UTF-8", ""))?;
            return Ok(Some(Frame {
                event: None,
                data,
                whole: true,
            }));
        }
        let rest = self
            .lines
            .decode_eof(&mut self.buffer)
            .map_err(|error| self.broken(&error))?;
        let frame = rest.and_then(|line| self.line(line));
        Ok(frame.or_else(|| self.event_frame()))
    }

    /// Decides on the framing as soon as a byte that is neither mark nor blank is there.
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
        self.framing = match (self.framing, first) {
            // The page of a proxy is not a line that was cut.
            (Framing::Ndjson, b'<') => Framing::Whole,
            (Framing::Ndjson, _) => Framing::Ndjson,
            // A line of an event stream begins with a field's name or a colon; JSON, and pages,
            // with none of these.
            (_, b'd' | b'e' | b'i' | b'r' | b':') => Framing::Sse,
            _ => Framing::Whole,
        };
    }

    fn line(&mut self, line: String) -> Option<Frame> {
        if self.framing == Framing::Ndjson {
            return (!line.trim().is_empty()).then_some(Frame {
                event: None,
                data: line,
                whole: false,
            });
        }
        if line.is_empty() {
            return self.event_frame();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.event = Some(value.to_owned()),
            _ => {}
        }
        None
    }

    fn event_frame(&mut self) -> Option<Frame> {
        let event = self.event.take();
        let data = self.data.take()?;
        Some(Frame {
            event,
            data,
            whole: false,
        })
    }

    fn broken(&self, error: &LinesCodecError) -> ModelError {
        match error {
            LinesCodecError::MaxLineLengthExceeded => malformed(
                &format!("A line of the reply is longer than {} bytes", self.max_line),
                "",
            ),
            LinesCodecError::Io(_) => malformed("The reply is not text in UTF-8", ""),
        }
    }
}

/// True where the first line of several is a JSON text by itself.
pub(crate) fn has_lines(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', bytes);
    let Some((first, rest)) = end.and_then(|end| bytes.split_at_checked(end)) else {
        return false;
    };
    !rest.trim_ascii().is_empty() && serde_json::from_slice::<IgnoredAny>(first).is_ok()
}

/// Reads a frame's data as JSON of type `T`.
///
/// # Errors
///
/// [`ModelErrorKind::Malformed`]; the log gets the beginning of the data.
pub(crate) fn parse<'de, T: Deserialize<'de>>(data: &'de str) -> Result<T, ModelError> {
    serde_json::from_str(data).map_err(|error| not_of_api(data, &error))
}

/// The error of data that is not what this API sends.
pub(crate) fn not_of_api(data: &str, error: &serde_json::Error) -> ModelError {
    malformed(
        "The model server sent something that is not a reply of this API",
        &format!("{error} in {}", clip(data)),
    )
}

/// The beginning of `text`, short enough for a log line.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 500;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The error of what is no reply of a model server; the log gets the detail.
pub(crate) fn malformed(message: &str, detail: &str) -> ModelError {
    let error = ModelError::new(ModelErrorKind::Malformed, message)
        .with_hint("is this address really a model server of this kind?");
    if detail.is_empty() {
        error
    } else {
        error.with_detail(format!("{message}: {detail}"))
    }
}

#[cfg(test)]
mod tests;
