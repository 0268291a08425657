//! The text of a reply as its tokens come: characters that a token cut are put together, and a stop
//! sequence ends the reply without being part of it.

/// The text that is written so far and not handed out yet.
#[derive(Debug)]
pub(super) struct Written {
    /// The beginning of a character whose rest has not come.
    cut: Vec<u8>,
    /// Text that may be the beginning of a stop sequence.
    held: String,
    stop: Vec<String>,
    is_stopped: bool,
}

impl Written {
    /// Creates an empty text that these sequences end; an empty one ends nothing.
    pub(super) fn new(stop: &[String]) -> Self {
        let stop = stop.iter().filter(|stop| !stop.is_empty());
        Self {
            cut: Vec::new(),
            held: String::new(),
            stop: stop.cloned().collect(),
            is_stopped: false,
        }
    }

    /// Whether a stop sequence was written.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Adds the bytes of a token and returns the text that is certain by now.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.cut.extend_from_slice(bytes);
        let whole = whole_characters(&self.cut);
        let rest = self.cut.split_off(whole);
        let text = std::mem::replace(&mut self.cut, rest);
        self.held.push_str(&String::from_utf8_lossy(&text));
        let found = self.stop.iter().filter_map(|stop| self.held.find(stop));
        if let Some(place) = found.min() {
            self.held.truncate(place);
            self.is_stopped = true;
            return std::mem::take(&mut self.held);
        }
        let rest = self.held.split_off(self.certain());
        std::mem::replace(&mut self.held, rest)
    }

    /// The text that was still held back at the end of the reply.
    pub(super) fn finish(mut self) -> String {
        if !self.is_stopped {
            self.held.push_str(&String::from_utf8_lossy(&self.cut));
        }
        self.held
    }

    /// The length of the text that begins no stop sequence.
    fn certain(&self) -> usize {
        let begins_one = |place: &usize| {
            let rest = self.held.get(*place..).unwrap_or_default();
            !rest.is_empty() && self.stop.iter().any(|stop| stop.starts_with(rest))
        };
        let longest = self.stop.iter().map(String::len).max().unwrap_or_default();
        let from = self.held.len().saturating_sub(longest);
        let mut places = self.held.char_indices().map(|(place, _)| place);
        let place = places.find(|place| *place >= from && begins_one(place));
        place.unwrap_or(self.held.len())
    }
}

/// The length without a character that is not complete. Bytes that cannot become a character count
/// as complete.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        // After bytes that are no character, the end may still be half of one.
        Err(error) => {
            let behind = error.valid_up_to() + error.error_len().unwrap_or(1);
            let rest = bytes.get(behind..).unwrap_or_default();
            behind + whole_characters(rest)
        }
        Ok(text) => text.len(),
    }
}

#[cfg(test)]
mod tests;
