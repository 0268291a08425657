//! What can be used of a line that is no message: the id of the request that it answers, and what
//! is left of it without its deepest levels.
//!
//! A server that answers with 20 MB, with half an object or with a thousand levels has answered.
//! Whoever asked must be told, not left to wait, so the id is looked for in what did arrive.

use rmcp::model::RequestId;

/// What is nested deeper is left out. `serde_json` gives up at 128.
const MAX_DEPTH: usize = 100;

/// Ids are numbers or short texts.
const MAX_ID_BYTES: usize = 256;

/// Finds the id of a message while its bytes pass by, in constant memory. Programs write the id
/// before the rest or behind it.
#[derive(Debug, Default)]
pub(crate) struct IdScanner {
    depth: usize,
    place: Place,
    /// The last string of the outermost object, or the value of its `id`.
    text: Vec<u8>,
    reading_id: bool,
    head: Head,
}

/// Where in JSON a byte stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    OutsideStrings,
    InString,
    /// In a string, behind a backslash.
    Escaped,
}

impl Place {
    /// Where the byte behind `byte` stands.
    fn behind(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::OutsideStrings, b'"') | (Self::Escaped, _) => Self::InString,
            (Self::InString, b'"') => Self::OutsideStrings,
            (Self::InString, b'\\') => Self::Escaped,
            (place, _) => place,
        }
    }
}

/// What is known of a message that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The id, where it has arrived whole and is one.
    pub(crate) id: Option<RequestId>,
    /// Whether there is an id at all.
    pub(crate) has_id: bool,
    /// A request or a notification.
    pub(crate) has_method: bool,
    /// An answer: a result or an error.
    pub(crate) has_outcome: bool,
}

impl Head {
    /// The id of the request that this answers, where it is no request itself.
    pub(crate) fn answered(&self) -> Option<&RequestId> {
        self.id.as_ref().filter(|_| !self.has_method)
    }
}

impl IdScanner {
    /// Looks at the next bytes, which may begin and end anywhere.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// What was found.
    pub(crate) fn head(self) -> Head {
        self.head
    }

    /// What is found in a message that is all there.
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

/// `json` with `null` for every list and object that is nested too deep; `None` where none is.
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
