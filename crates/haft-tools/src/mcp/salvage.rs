//! What can be saved of a line that is no message: whose answer it would have been, and what
//! is left of it without its depths.
//!
//! A server that answers with 20 MB, with half an object or with a thousand levels has answered.
//! Whoever asked must be told, not left to wait, so the id is looked for in what did arrive.

use rmcp::model::RequestId;

/// What is nested deeper is left out. `serde_json` gives up at 128.
const MAX_DEPTH: usize = 100;

/// Ids are numbers or short texts.
const MAX_ID_BYTES: usize = 256;

/// Finds the id of an answer while its bytes pass by, in constant memory. Servers write the id
/// before the result or behind it.
#[derive(Debug, Default)]
pub(crate) struct IdScanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The last string of the outermost object, or the value of its `id`.
    text: Vec<u8>,
    reading_id: bool,
    is_request: bool,
    id: Option<RequestId>,
}

impl IdScanner {
    /// Looks at the next bytes, which may begin and end anywhere.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The id, where this is an answer and its id has arrived whole.
    pub(crate) fn id(self) -> Option<RequestId> {
        self.id.filter(|_| !self.is_request)
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
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
                self.reading_id = self.text == b"\"id\"";
                self.is_request |= self.text == b"\"method\"";
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
            self.id = serde_json::from_slice(&self.text).ok();
        }
        self.reading_id = false;
        self.text.clear();
    }
}

/// `json` with `null` for every list and object that is nested too deep; `None` where none is.
pub(crate) fn pruned(json: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut has_pruned = false;
    for byte in json {
        let is_kept = depth <= MAX_DEPTH;
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
        } else {
            match byte {
                b'"' => in_string = true,
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
