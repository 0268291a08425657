//! The bytes of a connection, cut anywhere -> events of the Wyoming protocol.
//!
//! Pure: `stream` reads the bytes. A length is checked when it is announced, before anything
//! is kept for it.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Event;

/// The longest line: what the readers of the reference implementation take (the limit of
/// `asyncio.StreamReader`).
const MAX_HEADER: usize = 64 * 1024;
/// The longest data: the voices of Piper, described in full, take about a fifth of it.
const MAX_DATA: usize = 1024 * 1024;
/// The longest payload: two minutes of 16 kHz mono sound in one piece. Pieces are mostly 2 kB.
const MAX_PAYLOAD: usize = 4 * 1024 * 1024;
/// As much of a damaged line is shown.
const SHOWN: usize = 80;

/// How a peer broke the Wyoming protocol. After that nothing that it sends can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FramingError {
    /// The line that begins an event is none.
    #[error("the header {header:?} of an event is damaged: {reason}")]
    Header {
        /// The beginning of the line.
        header: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A part of an event is longer than what is taken.
    #[error("{part} is longer than {limit} bytes")]
    TooLong {
        /// Which part of which event.
        part: String,
        /// What is taken at the most.
        limit: usize,
    },
    /// The data of an event is no JSON object.
    #[error("the data of an event `{kind}` is damaged: {reason}")]
    Data {
        /// The type of the event.
        kind: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The connection ended inside an event.
    #[error("the connection ended in the middle of {part}")]
    Cut {
        /// Of what.
        part: String,
    },
}

/// Puts events together from the bytes of a connection.
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
    /// What was read but not yet taken.
    buffer: Vec<u8>,
    /// So many bytes of it hold no line break.
    searched: usize,
    /// The event whose line has come.
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
    /// More bytes of the connection. Whoever pushes takes the events that are whole before more
    /// is pushed; then no more is kept than one event takes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole event, if it has come.
    ///
    /// # Errors
    ///
    /// [`FramingError`], after which the decoder is of no more use.
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

    /// Whether the connection may end here.
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

    /// Takes the line that begins an event, if it has come.
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

    /// What follows the line goes over what stood in it.
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
