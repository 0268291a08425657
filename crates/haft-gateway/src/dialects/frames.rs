//! Frames for the parts of a reply: server-sent events and lines of JSON.
//!
//! A stream has thousands of frames, so they are serialized directly, without an intermediate
//! `Value`.

use serde::{Serialize, Serializer};

/// A JSON object of string fields in this order.
pub(super) struct Texts<'a>(pub(super) &'a [(&'a str, &'a str)]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Writes a server-sent event.
pub(super) fn event(name: Option<&str>, data: &impl Serialize, out: &mut Vec<u8>) {
    if let Some(name) = name {
        out.extend_from_slice(b"event: ");
        out.extend_from_slice(name.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(b"data: ");
    line(data, out);
    out.push(b'\n');
}

/// Writes a line of JSON.
pub(super) fn line(data: &impl Serialize, out: &mut Vec<u8>) {
    // Strings and numbers always serialize, and writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut *out, data);
    out.push(b'\n');
}
