//! A query cut into words: lower case, digits as `0`, contractions written out.
//!
//! Nothing is allocated: the letters stand in one buffer of fixed size, and what does not fit is
//! left out.

use crate::english::written_out;

/// In bytes: about 150 words, more than anybody says to a device. What follows is not looked at.
const LETTERS: usize = 1024;

/// At most so many words are kept.
const WORDS: usize = 160;

/// The words of a query, in order.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    letters: [u8; LETTERS],
    used: usize,
    /// Where each word ends; it starts where the one before it ends.
    ends: [u16; WORDS],
    count: usize,
    /// True when the text went on.
    cut: bool,
}

impl Words {
    /// Cuts a text. Reads no more of it than fits.
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
            // A long run of what is no word, such as control characters, is no query.
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

    /// The word at this place.
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

    /// True when the text is longer than what was read of it.
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

    /// Ends the open word, if there is one, and writes it out when it is a contraction.
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

/// Inside a word.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || is_apostrophe(c)
}

/// What stands in `what's`, also as phones write it; it is left out.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
}

#[cfg(test)]
mod tests;
