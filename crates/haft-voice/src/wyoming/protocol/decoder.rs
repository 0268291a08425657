//! Decodes events of the Wyoming protocol from the bytes of a connection, in chunks of any size.
//!
//! No I/O: `stream` reads the bytes. A length is checked when it is announced, before memory is
//! used for it.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Event;

/// The maximum length of a header line in bytes: the limit of the reference implementation's reader
/// (`asyncio.StreamReader`).
const MAX_HEADER: usize = 64 * 1024;
/// The maximum length of the data in bytes: the full description of Piper's voices takes about a
/// fifth of it.
const MAX_DATA: usize = 1024 * 1024;
/// The maximum length of the payload in bytes: two minutes of 16 kHz mono audio. Most chunks have 2
/// kB.
const MAX_PAYLOAD: usize = 4 * 1024 * 1024;
/// The maximum length of a malformed line in an error.
const SHOWN: usize = 80;

/// A violation of the Wyoming protocol by the peer. No further events can be decoded after it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FramingError {
    /// The header line of an event is malformed.
    #[error("the header {header:?} of an event is damaged: {reason}")]
    Header {
        /// The beginning of the line.
        header: String,
        /// The description of the problem.
        reason: String,
    },
    /// A part of an event is longer than the limit.
    #[error("{part} is longer than {limit} bytes")]
    TooLong {
        /// The part and the event.
        part: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The data of an event is not a JSON object.
    #[error("the data of an event `{kind}` is damaged: {reason}")]
    Data {
        /// The type of the event.
        kind: String,
        /// The description of the problem.
        reason: String,
    },
    /// The connection ended inside an event.
    #[error("the connection ended in the middle of {part}")]
    Cut {
        /// The incomplete part.
        part: String,
    },
}

/// Decodes events from the bytes of a connection.
///
/// ```
/// use haft_voice::wyoming::{Event, EventDecoder};
///
/// let mut decoder = EventDecoder::default();
/// decoder.push(b"{\"type\": \"ping\", \"data_length\": 14}\n{\"text\":");
/// assert_eq!(decoder.next_event(), Ok(None));
/// decoder.push(b" \"hi\"}");
/// assert_eq!(decoder.next_event(), Ok(Some(Event::new("ping").with("text", "hi"))));
/// assert_eq!(decoder.finish(), Ok(()));
/// ```
#[derive(Debug, Default)]
pub struct EventDecoder {
    /// Bytes that were not decoded yet.
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that are known to contain no line break.
    searched: usize,
    /// An event whose header line was decoded.
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    kind: String,
    data: Map<String, Value>,
    data_length: usize,
    payload_length: usize,
}

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "type")]
    kind: String,
    data: Option<Map<String, Value>>,
    data_length: Option<u64>,
    payload_length: Option<u64>,
}

impl EventDecoder {
    /// Adds bytes of the connection. Callers should take all complete events before they push more;
    /// then the buffer never holds more than one event and one chunk.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete event, if it has arrived.
    ///
    /// # Errors
    ///
    /// A [`FramingError`], after which the decoder cannot be used any more.
    pub fn next_event(&mut self) -> Result<Option<Event>, FramingError> {
        let begun = match self.begun.take() {
            Some(begun) => begun,
            None => match self.begin()? {
                Some(begun) => begun,
                None => return Ok(None),
            },
        };
        let length = begun.data_length + begun.payload_length;
        if self.buffer.len() < length {
            self.begun = Some(begun);
            return Ok(None);
        }
        let data = self.buffer.get(..begun.data_length).unwrap_or_default();
        let payload = self.buffer.get(begun.data_length..length);
        let event = begun.end(data, payload.unwrap_or_default())?;
        self.buffer.drain(..length);
        Ok(Some(event))
    }

    /// Checks that the connection may end here.
    ///
    /// # Errors
    ///
    /// [`FramingError::Cut`] inside an event.
    pub fn finish(&self) -> Result<(), FramingError> {
        let part = match &self.begun {
            Some(begun) => format!("an event `{}`", begun.kind),
            None if self.buffer.is_empty() => return Ok(()),
            None => "the header of an event".to_owned(),
        };
        Err(FramingError::Cut { part })
    }

    /// Decodes the header line of an event, if it has arrived.
    fn begin(&mut self) -> Result<Option<Begun>, FramingError> {
        let news = self.buffer.get(self.searched..).unwrap_or_default();
        let Some(at) = news.iter().position(|&byte| byte == b'\n') else {
            self.searched = self.buffer.len();
            at_most("the header of an event", self.searched, MAX_HEADER)?;
            return Ok(None);
        };
        let end = self.searched + at;
        at_most("the header of an event", end, MAX_HEADER)?;
        let begun = Begun::read(self.buffer.get(..end).unwrap_or_default())?;
        self.buffer.drain(..=end);
        self.searched = 0;
        Ok(Some(begun))
    }
}

impl Begun {
    fn read(line: &[u8]) -> Result<Self, FramingError> {
        let damaged = |reason: String| FramingError::Header {
            header: String::from_utf8_lossy(line).chars().take(SHOWN).collect(),
            reason,
        };
        let header: Header =
            serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
        if header.kind.is_empty() {
            return Err(damaged("its type is empty".to_owned()));
        }
        let length = |part: &str, length: Option<u64>, limit: usize| {
            let length = usize::try_from(length.unwrap_or(0)).unwrap_or(usize::MAX);
            let kind: String = header.kind.chars().take(SHOWN).collect();
            at_most(&format!("the {part} of an event `{kind}`"), length, limit)
        };
        Ok(Self {
            data_length: length("data", header.data_length, MAX_DATA)?,
            payload_length: length("payload", header.payload_length, MAX_PAYLOAD)?,
            data: header.data.unwrap_or_default(),
            kind: header.kind,
        })
    }

    /// Combines the parts of an event. Fields in the data override those in the header line.
    fn end(mut self, data: &[u8], payload: &[u8]) -> Result<Event, FramingError> {
        if !data.is_empty() {
            match serde_json::from_slice::<Map<String, Value>>(data) {
                Ok(data) => self.data.extend(data),
                Err(error) => {
                    return Err(FramingError::Data {
                        kind: self.kind,
                        reason: error.to_string(),
                    });
                }
            }
        }
        Ok(Event {
            kind: self.kind,
            data: self.data,
            payload: payload.to_vec(),
        })
    }
}

fn at_most(part: &str, length: usize, limit: usize) -> Result<usize, FramingError> {
    if length <= limit {
        return Ok(length);
    }
    Err(FramingError::TooLong {
        part: part.to_owned(),
        limit,
    })
}

#[cfg(test)]
mod tests;
