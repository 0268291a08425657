//! Splits a query into words: lower case, digits replaced by `0`, contractions expanded.
//!
//! Does not allocate: the letters are in a buffer of fixed size, and the rest of a longer text is
//! ignored.

use crate::english::written_out;

/// The size of the buffer in bytes: about 150 words, more than anyone says to a device.
const LETTERS: usize = 1024;

/// The maximum number of words.
const WORDS: usize = 160;

/// The words of a query, in order.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    letters: [u8; LETTERS],
    used: usize,
    /// The end of each word, which is the start of the next one.
    ends: [u16; WORDS],
    count: usize,
    /// True if the text is longer than the buffer.
    cut: bool,
}

impl Words {
    /// Splits a text. Reads only as much as fits.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self {
            letters: [0; LETTERS],
            used: 0,
            ends: [0; WORDS],
            count: 0,
            cut: false,
        };
        words.fill(text);
        words
    }

    fn fill(&mut self, text: &str) {
        let mut quiet = 0_usize;
        for c in text.chars() {
            // A long run of other characters, such as control characters, is not part of a query.
            quiet = if is_part(c) { 0 } else { quiet + 1 };
            if quiet > LETTERS {
                self.cut = true;
                break;
            }
            if is_apostrophe(c) {
                continue;
            }
            if !is_part(c) {
                self.end_word();
                if c == '%' {
                    self.push_word("percent");
                } else if c == '°' {
                    self.push_word("degrees");
                }
            } else if c.is_ascii_digit() {
                if self.letters.get(self.used.wrapping_sub(1)) != Some(&b'0') || self.is_at_start()
                {
                    self.push_byte(b'0');
                }
            } else {
                for lower in c.to_lowercase() {
                    let mut bytes = [0; 4];
                    self.push(lower.encode_utf8(&mut bytes));
                }
            }
            if self.cut {
                break;
            }
        }
        self.end_word();
    }

    /// The word at this index.
    pub(crate) fn get(&self, index: usize) -> Option<&str> {
        if index >= self.count {
            return None;
        }
        let end = usize::from(*self.ends.get(index)?);
        let start = match index.checked_sub(1) {
            Some(before) => usize::from(*self.ends.get(before)?),
            None => 0,
        };
        std::str::from_utf8(self.letters.get(start..end)?).ok()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.count).map_while(|index| self.get(index))
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// True if the text is longer than what was read.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    fn start_of_open(&self) -> usize {
        match self.count.checked_sub(1) {
            Some(last) => self.ends.get(last).map_or(0, |end| usize::from(*end)),
            None => 0,
        }
    }

    fn is_at_start(&self) -> bool {
        self.used == self.start_of_open()
    }

    fn push(&mut self, text: &str) {
        match self.letters.get_mut(self.used..self.used + text.len()) {
            Some(place) => {
                place.copy_from_slice(text.as_bytes());
                self.used += text.len();
            }
            None => self.cut = true,
        }
    }

    fn push_byte(&mut self, byte: u8) {
        match self.letters.get_mut(self.used) {
            Some(place) => {
                *place = byte;
                self.used += 1;
            }
            None => self.cut = true,
        }
    }

    fn push_word(&mut self, word: &str) {
        self.push(word);
        self.end_word();
    }

    /// Ends the current word, if there is one, and expands it if it is a contraction.
    fn end_word(&mut self) {
        let start = self.start_of_open();
        if start == self.used {
            return;
        }
        let open = self.letters.get(start..self.used).unwrap_or_default();
        if let Some(parts) = std::str::from_utf8(open).ok().and_then(written_out) {
            self.used = start;
            for part in parts {
                self.push(part);
                self.close();
            }
        } else {
            self.close();
        }
    }

    fn close(&mut self) {
        let end = u16::try_from(self.used);
        match (self.ends.get_mut(self.count), end) {
            (Some(place), Ok(end)) => {
                *place = end;
                self.count += 1;
            }
            _ => {
                self.cut = true;
                self.used = self.start_of_open();
            }
        }
    }
}

/// True for a character inside a word.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || is_apostrophe(c)
}

/// The apostrophe in `what's`, also in its typographic form; it is removed.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
}

#[cfg(test)]
mod tests;
