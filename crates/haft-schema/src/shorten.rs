//! Shortens values and texts for messages.

use std::io;

use serde_json::Value;

/// The maximum length of a value in characters.
const SHOWN: usize = 60;

/// `value` as JSON, at most [`SHOWN`] characters and then `...`.
pub(crate) fn shorten(value: &Value) -> String {
    // A character has at most four bytes, so this is always enough.
    let mut head = Head {
        bytes: Vec::new(),
        room: (SHOWN + 1) * 4,
    };
    // A full buffer is the only error, and it stops a value of megabytes early.
    let _ = serde_json::to_writer(&mut head, value);
    clip(&String::from_utf8_lossy(&head.bytes), SHOWN)
}

/// `text` cut to `limit` characters, ending in `...` if it was cut.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(3)).collect();
    format!("{kept}...")
}

struct Head {
    bytes: Vec<u8>,
    room: usize,
}

impl io::Write for Head {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.room);
        self.bytes.extend(buffer.iter().take(count));
        self.room -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
