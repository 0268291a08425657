//! An event of the Wyoming protocol, and its encoding.
//!
//! An event has a type, JSON data and a binary payload (audio). On the wire it is a JSON line with
//! the type and the lengths of the other two, which follow without separators. `decoder` is the
//! inverse.

use serde::Serialize;
use serde_json::{Map, Value};

/// An event of the Wyoming protocol.
///
/// ```
/// use haft_voice::wyoming::Event;
///
/// let event = Event::new("transcript").with("text", "Turn on the light");
/// assert_eq!(event.text(), Some("Turn on the light"));
/// assert_eq!(
///     event.encode(),
///     b"{\"type\":\"transcript\",\"data_length\":28}\n{\"text\":\"Turn on the light\"}"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// The type, such as `transcript` or `audio-chunk`.
    pub kind: String,
    /// The JSON data.
    pub data: Map<String, Value>,
    /// The binary payload, usually audio.
    pub payload: Vec<u8>,
}

/// The header line of every event. Data could be part of it, but readers limit a line to 64 KiB, so
/// it is always sent separately.
#[derive(Serialize)]
struct Header<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_length: Option<usize>,
}

impl Event {
    /// An event without data and payload.
    #[must_use]
    pub fn new(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            ..Self::default()
        }
    }

    /// Adds a field to the data.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.data.insert(field.to_owned(), value.into());
        self
    }

    /// Sets the payload.
    #[must_use]
    pub fn with_payload(mut self, payload: impl Into<Vec<u8>>) -> Self {
        self.payload = payload.into();
        self
    }

    /// The field `text` of the data, if it is a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.string("text")
    }

    /// A field of the data, if it is a string.
    pub(in crate::wyoming) fn string(&self, field: &str) -> Option<&str> {
        self.data.get(field).and_then(Value::as_str)
    }

    /// A field of the data, if it is an integer in the range of `T`.
    pub(in crate::wyoming) fn number<T: TryFrom<u64>>(&self, field: &str) -> Option<T> {
        let number = self.data.get(field).and_then(Value::as_u64)?;
        T::try_from(number).ok()
    }

    /// The encoded event.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let length = |length: usize| (length > 0).then_some(length);
        // Serializing a map of JSON values cannot fail.
        let data = match self.data.is_empty() {
            true => Vec::new(),
            false => serde_json::to_vec(&self.data).unwrap_or_default(),
        };
        let header = Header {
            kind: &self.kind,
            data_length: length(data.len()),
            payload_length: length(self.payload.len()),
        };
        let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
        bytes.reserve(1 + data.len() + self.payload.len());
        bytes.push(b'\n');
        bytes.extend(data);
        bytes.extend(&self.payload);
        bytes
    }
}

#[cfg(test)]
mod tests;
