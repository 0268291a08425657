//! Recovers the usable parts of a message that cannot be parsed: the id of the request that it
//! answers, and the message without its deepest levels.
//!
//! A server that answers with 20 MB, with half an object or with a thousand levels has answered.
//! The caller must get an error instead of waiting, so the id is searched for in the received data.

use rmcp::model::RequestId;

/// The depth from which on values are removed. `serde_json` fails at 128.
const MAX_DEPTH: usize = 100;

/// The maximum size of an id in bytes: ids are numbers or short strings.
const MAX_ID_BYTES: usize = 256;

/// Finds the id of a message in a stream of bytes, in constant memory. The id may come before or
/// after the rest.
#[derive(Debug, Default)]
pub(crate) struct IdScanner {
    depth: usize,
    place: Place,
    /// The last string in the outermost object, or the value of its `id`.
    text: Vec<u8>,
    reading_id: bool,
    head: Head,
}

/// The lexical state of the JSON scanner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    OutsideStrings,
    InString,
    /// In a string, after a backslash.
    Escaped,
}

impl Place {
    /// The state after `byte`.
    fn behind(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::OutsideStrings, b'"') | (Self::Escaped, _) => Self::InString,
            (Self::InString, b'"') => Self::OutsideStrings,
            (Self::InString, b'\\') => Self::Escaped,
            (place, _) => place,
        }
    }
}

/// The parts that were found in a message that could not be parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The id, if it has arrived completely and is valid.
    pub(crate) id: Option<RequestId>,
    /// Whether there is an id.
    pub(crate) has_id: bool,
    /// The message is a request or a notification.
    pub(crate) has_method: bool,
    /// The message is a response: a result or an error.
    pub(crate) has_outcome: bool,
}

impl Head {
    /// The id of the request that this answers, if it is not a request itself.
    pub(crate) fn answered(&self) -> Option<&RequestId> {
        self.id.as_ref().filter(|_| !self.has_method)
    }
}

impl IdScanner {
    /// Scans the next bytes, in chunks of any size.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The parts that were found.
    pub(crate) fn head(self) -> Head {
        self.head
    }

    /// The parts of a complete message.
    pub(crate) fn head_of(message: &[u8]) -> Head {
        let mut scanner = Self::default();
        scanner.feed(message);
        scanner.head()
    }

    fn step(&mut self, byte: u8) {
        let place = self.place;
        self.place = place.behind(byte);
        if place != Place::OutsideStrings {
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                if self.depth == 1 && !self.reading_id {
                    self.text.clear();
                }
                self.keep(byte);
            }
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => {
                self.end_value();
                self.depth = self.depth.saturating_sub(1);
            }
            b',' => self.end_value(),
            b':' if self.depth == 1 => {
                match self.text.as_slice() {
                    b"\"id\"" => {
                        self.reading_id = true;
                        self.head.has_id = true;
                    }
                    b"\"method\"" => self.head.has_method = true,
                    b"\"result\"" | b"\"error\"" => self.head.has_outcome = true,
                    _ => {}
                }
                self.text.clear();
            }
            byte if self.reading_id && !byte.is_ascii_whitespace() => self.keep(byte),
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.text.len() < MAX_ID_BYTES {
            self.text.push(byte);
        }
    }

    fn end_value(&mut self) {
        if self.depth != 1 {
            return;
        }
        if self.reading_id {
            self.head.id = serde_json::from_slice(&self.text).ok();
        }
        self.reading_id = false;
        self.text.clear();
    }
}

/// `json` with `null` in place of every list and object that is nested too deeply; `None` if there
/// is none.
pub(crate) fn pruned(json: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    let mut depth = 0_usize;
    let mut place = Place::OutsideStrings;
    let mut has_pruned = false;
    for byte in json {
        let is_kept = depth <= MAX_DEPTH;
        let is_structure = place == Place::OutsideStrings;
        place = place.behind(*byte);
        if is_structure {
            match byte {
                b'{' | b'[' => {
                    depth = depth.saturating_add(1);
                    if depth == MAX_DEPTH + 1 {
                        has_pruned = true;
                        kept.extend_from_slice(b"null");
                    }
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if is_kept {
                        kept.push(*byte);
                    }
                    continue;
                }
                _ => {}
            }
        }
        if depth <= MAX_DEPTH {
            kept.push(*byte);
        }
    }
    has_pruned.then_some(kept)
}

#[cfg(test)]
mod tests;
