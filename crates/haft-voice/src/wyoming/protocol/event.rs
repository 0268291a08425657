//! One event of the Wyoming protocol, and the bytes that it is sent as.
//!
//! An event has a type, JSON data and raw bytes (sound). On the wire that is a JSON line with the
//! type and the lengths of the other two, which follow without a break. `decoder` is the way back.

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
    /// What it is, such as `transcript` or `audio-chunk`.
    pub kind: String,
    /// What it says.
    pub data: Map<String, Value>,
    /// Raw bytes, mostly sound.
    pub payload: Vec<u8>,
}

/// The line that every event begins with. Data could stand in it, too, but readers take lines of
/// no more than 64 KiB, so it always follows.
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
    /// An event that says nothing but its type.
    #[must_use]
    pub fn new(kind: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            ..Self::default()
        }
    }

    /// The event with one more field in its data.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.data.insert(field.to_owned(), value.into());
        self
    }

    /// The event with these raw bytes.
    #[must_use]
    pub fn with_payload(mut self, payload: impl Into<Vec<u8>>) -> Self {
        self.payload = payload.into();
        self
    }

    /// The field `text` of the data, where it is text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.string("text")
    }

    /// A field of the data, where it is text.
    pub(in crate::wyoming) fn string(&self, field: &str) -> Option<&str> {
        self.data.get(field).and_then(Value::as_str)
    }

    /// A field of the data, where it is a whole number that fits.
    pub(in crate::wyoming) fn number<T: TryFrom<u64>>(&self, field: &str) -> Option<T> {
        let number = self.data.get(field).and_then(Value::as_u64)?;
        T::try_from(number).ok()
    }

    /// The bytes on the wire.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let length = |length: usize| (length > 0).then_some(length);
        // A map of JSON values can always be written.
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
