//! The bounded look ahead that tells what a quote is from what follows it.

use crate::limits;
use crate::scan::bytes::{begins_word, blanks, comment, string_prefix, word};
use crate::scan::{More, Seen};

/// Whether something is so, or what the end of the text makes of the question.
pub(super) type Answer = Result<bool, Seen<bool>>;

/// A bounded look ahead.
pub(super) struct Lookahead<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    /// The answer when the bytes are used up without deciding.
    at_end: Seen<bool>,
}

impl<'t> Lookahead<'t> {
    pub(super) fn new(after: &'t [u8], finished: bool) -> Self {
        let (bytes, at_end) = match after.get(..limits::AHEAD) {
            Some(window) => (window, Ok(true)),
            None if finished => (after, Ok(true)),
            None => (after, Err(More)),
        };
        let at = 0;
        Self { bytes, at, at_end }
    }

    /// One that says no when the bytes are used up for good.
    pub(super) fn doubting(text: &'t [u8], finished: bool) -> Self {
        let ahead = Self::new(text, finished);
        let at_end = ahead.at_end.map(|_| false);
        Self { at_end, ..ahead }
    }

    /// A key and the sign after it.
    pub(super) fn key(mut self) -> Answer {
        self.at += string_prefix(self.rest());
        match self.byte(0)? {
            quote @ (b'"' | b'\'' | b'`') => {
                self.quoted(quote)?;
                Ok(matches!(self.sign()?, b':' | b'='))
            }
            byte => Ok(begins_word(byte) && self.bare_key()?),
        }
    }

    /// A sign, the first quote of a value, and no sign behind that.
    pub(super) fn value_of_half_key(mut self, quote: u8) -> Answer {
        self.skip_sign();
        Ok(self.behind(0)? == quote && !matches!(self.behind(1)?, b':' | b',' | b'}'))
    }

    /// A comma, and a key after it.
    pub(super) fn next_member(mut self) -> Answer {
        if self.behind(0)? != b',' {
            return Ok(false);
        }
        self.skip_sign();
        self.blanks();
        self.key()
    }

    /// True when the bracket that `closer` closes goes on, or ends, here.
    pub(super) fn goes_on(mut self, closer: u8) -> Answer {
        match self.behind(0)? {
            b',' if closer == b'}' => return self.next_member(),
            b',' => {}
            sign => return Ok(sign == closer),
        }
        self.skip_sign();
        self.blanks();
        match self.byte(0) {
            // A comma at the end: the list went on.
            Err(Ok(false)) => Ok(true),
            next => Ok(next? != b'['),
        }
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The byte `further` on; past the end the answer there.
    pub(super) fn byte(&self, further: usize) -> Result<u8, Seen<bool>> {
        let byte = self.bytes.get(self.at + further);
        byte.copied().ok_or(self.at_end)
    }

    /// The byte here; for a full-width colon or comma its twin.
    pub(super) fn sign(&self) -> Result<u8, Seen<bool>> {
        match self.byte(0)? {
            0xEF if self.byte(1)? == 0xBC => Ok(match self.byte(2)? {
                0x9A => b':',
                0x8C => b',',
                _ => 0xEF,
            }),
            byte => Ok(byte),
        }
    }

    pub(super) fn skip_sign(&mut self) {
        self.at += if self.byte(0) == Ok(0xEF) { 3 } else { 1 };
    }

    /// The sign behind so many bytes and the blanks after them.
    pub(super) fn behind(&mut self, taken: usize) -> Result<u8, Seen<bool>> {
        self.at += taken;
        self.blanks();
        self.sign()
    }

    /// Skips blanks; true when a line ended.
    pub(super) fn blanks(&mut self) -> bool {
        let (blanks, _) = self.rest().split_at(blanks(self.rest()));
        self.at += blanks.len();
        blanks.contains(&b'\n')
    }

    /// Skips blanks and comments; true when a line ended.
    pub(super) fn gap(&mut self) -> bool {
        let mut newline = false;
        loop {
            newline |= self.blanks();
            let len = match self.rest() {
                [b'#', ..] if self.at == 0 => return newline,
                // It may begin a comment.
                [b'/'] => Some(1),
                rest => comment(rest),
            };
            let Some(len) = len else {
                return newline;
            };
            self.at += len;
        }
    }

    /// Skips a name.
    pub(super) fn skip_word(&mut self) -> &'t [u8] {
        let (word, _) = self.rest().split_at(word(self.rest()));
        self.at += word.len();
        word
    }

    /// A name and the sign after it, `a =` or `a:`.
    pub(super) fn bare_key(&mut self) -> Answer {
        self.skip_word();
        // The name of a key that lost its first quote: `name": 1`.
        if let Ok(b'"' | b'\'') = self.byte(0) {
            return Ok(self.behind(1)? == b':');
        }
        Ok(match (self.behind(0)?, self.byte(1)) {
            (b':' | b'=', Err(Err(More))) => return Err(Err(More)),
            // Neither a comparison nor the beginning of an address.
            (b':', Ok(b'/' | b'\\')) | (b'=', Ok(b'=')) => false,
            (sign, _) => matches!(sign, b':' | b'='),
        })
    }

    /// Skips what stands in quotes, and the blanks after it; the last byte inside but for blanks.
    pub(super) fn quoted(&mut self, quote: u8) -> Result<u8, Seen<bool>> {
        let mut last = quote;
        loop {
            self.at += 1;
            match self.byte(0)? {
                b'\\' => self.at += 1,
                byte if byte == quote => break,
                b' ' | b'\t' | b'\n' | b'\r' => {}
                byte => last = byte,
            }
        }
        self.at += 1;
        self.blanks();
        Ok(last)
    }
}
