//! The bounded look ahead that tells what a quote is from what follows it.

use super::Place;
use crate::scan::bytes::{begins_word, blanks, comment, is_closer, string_prefix, word};
use crate::scan::{More, Seen};

/// How many bytes after a quote are looked at: the longest key that is told from text.
pub(super) const LOOK_AHEAD: usize = 256;

/// Whether something is so, or what the end of the text makes of the question.
pub(super) type Answer = Result<bool, Seen<bool>>;

/// A bounded look ahead.
pub(super) struct Ahead<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The answer when the bytes are used up without deciding.
    at_end: Seen<bool>,
}

impl<'t> Ahead<'t> {
    pub(super) fn new(after: &'t [u8], finished: bool) -> Self {
        let (bytes, at_end) = match after.get(..LOOK_AHEAD) {
            Some(window) => (window, Ok(true)),
            None if finished => (after, Ok(true)),
            None => (after, Err(More)),
        };
        Self {
            bytes,
            at: 0,
            at_end,
        }
    }

    /// One that says no when the bytes are used up for good.
    pub(super) fn doubting(text: &'t [u8], finished: bool) -> Self {
        let ahead = Self::new(text, finished);
        let at_end = ahead.at_end.map(|_| false);
        Self { at_end, ..ahead }
    }

    /// Whether the quote before this ends a string at `place`.
    pub(super) fn ends_string(mut self, place: Place) -> Answer {
        let newline = self.gap();
        match (place, self.sign()?) {
            (Place::Key, b':' | b'=' | b',' | b';') => Ok(true),
            (Place::Item | Place::Argument | Place::Alone, b':') => self.late_key(),
            (_, b',' | b';') => {
                self.skip_sign();
                self.after_comma(place)
            }
            (_, byte) if is_closer(byte) => self.closer(byte, place),
            // `['f'(a=1)]`: the name of a tool in quotes, before its arguments.
            (Place::Item, b'(') if self.at == 0 => self.arguments(),
            // The colon is missing.
            (Place::Key, b'{' | b'[') => Ok(true),
            (Place::Key, quote @ (b'"' | b'\'')) if self.at > 0 => {
                self.adjacent(quote, place, newline)
            }
            (Place::Key, _) => self.stop(),
            (Place::Alone, _) if newline => Ok(true),
            (_, quote @ (b'"' | b'\'')) if self.at > 0 => self.adjacent(quote, place, newline),
            (Place::Member, b'"') => self.key_at_once(),
            (Place::Argument, byte) if self.at > 0 && begins_word(byte) => self.missing_comma(),
            _ => self.stop(),
        }
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
        self.blanks();
        if self.byte(0)? != quote {
            return Ok(false);
        }
        self.at += 1;
        self.blanks();
        Ok(!matches!(self.sign()?, b':' | b',' | b'}'))
    }

    /// A comma, and a key after it.
    pub(super) fn next_member(mut self) -> Answer {
        self.blanks();
        if self.sign()? != b',' {
            return Ok(false);
        }
        self.skip_sign();
        self.blanks();
        self.key()
    }

    /// True when the bracket that `closer` closes goes on, or ends, here.
    pub(super) fn goes_on(mut self, closer: u8) -> Answer {
        self.blanks();
        match self.sign()? {
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

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The byte `further` on; past the end the answer there.
    fn byte(&self, further: usize) -> Result<u8, Seen<bool>> {
        let byte = self.bytes.get(self.at + further);
        byte.copied().ok_or(self.at_end)
    }

    /// The byte here; for a full-width colon or comma its twin.
    fn sign(&self) -> Result<u8, Seen<bool>> {
        match self.byte(0)? {
            0xEF if self.byte(1)? == 0xBC => Ok(match self.byte(2)? {
                0x9A => b':',
                0x8C => b',',
                _ => 0xEF,
            }),
            byte => Ok(byte),
        }
    }

    fn skip_sign(&mut self) {
        self.at += if self.byte(0) == Ok(0xEF) { 3 } else { 1 };
    }

    /// Skips blanks; true when a line ended.
    fn blanks(&mut self) -> bool {
        let (blanks, _) = self.rest().split_at(blanks(self.rest()));
        self.at += blanks.len();
        blanks.contains(&b'\n')
    }

    /// Skips blanks and comments; true when a line ended.
    fn gap(&mut self) -> bool {
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

    /// Something that ends a string wherever it stands: a tag or a fence.
    fn stop(&self) -> Answer {
        Ok(match self.byte(0)? {
            b'<' => matches!(self.byte(1)?, b'/' | b'|' | 0xEF),
            b'`' => self.byte(1)? == b'`' && self.byte(2)? == b'`',
            _ => false,
        })
    }

    /// A parenthesis, and what arguments begin with, other than words.
    fn arguments(mut self) -> Answer {
        self.at += 1;
        self.blanks();
        match self.byte(0)? {
            b'"' | b'\'' | b'[' | b'{' => Ok(true),
            _ => self.key(),
        }
    }

    /// What follows a comma: the next key or value.
    fn after_comma(mut self, place: Place) -> Answer {
        self.gap();
        self.at += string_prefix(self.rest());
        let is_member = place == Place::Member;
        match self.byte(0)? {
            // Code in a text: `return \"c\"; }` with its quotes as they are.
            b'}' if is_member => self.closer(b'}', place),
            b',' | b';' | b'}' | b']' | b')' | b'{' => Ok(true),
            quote @ (b'"' | b'\'' | b'`') if is_member => self.quoted_key(quote),
            b'"' | b'\'' => Ok(true),
            // The curly quotes; another character that begins with this byte is a letter.
            0xE2 => Ok(self.byte(1)? == 0x80),
            b'0'..=b'9' => Ok(!is_member || self.bare_key()?),
            b'[' | b'(' => Ok(!is_member),
            b'-' | b'+' | b'.' if !is_member => {
                let next = self.byte(1)?;
                Ok(next.is_ascii_digit() || matches!(next, b'.' | b'I'))
            }
            byte if begins_word(byte) => self.word(place),
            _ => self.stop(),
        }
    }

    /// A word after a comma.
    fn word(&mut self, place: Place) -> Answer {
        let start = self.at;
        if matches!(place, Place::Member | Place::Argument) && self.bare_key()? {
            return Ok(true);
        }
        if place == Place::Member {
            return Ok(false);
        }
        self.at = start;
        let word = self.skip_word();
        if matches!(self.byte(0)?, b'(' | b',' | b')' | b']' | b'}') {
            return Ok(true);
        }
        self.blanks();
        Ok(is_literal(word) || matches!(self.byte(0)?, b',' | b')' | b']'))
    }

    /// Skips a name.
    fn skip_word(&mut self) -> &'t [u8] {
        let (word, _) = self.rest().split_at(word(self.rest()));
        self.at += word.len();
        word
    }

    /// A name and the sign after it, `a =` or `a:`.
    fn bare_key(&mut self) -> Answer {
        self.skip_word();
        // The name of a key that lost its first quote: `name": 1`.
        if let Ok(b'"' | b'\'') = self.byte(0) {
            self.at += 1;
            self.blanks();
            return Ok(self.sign()? == b':');
        }
        self.blanks();
        Ok(match (self.sign()?, self.byte(1)) {
            (b':' | b'=', Err(Err(More))) => return Err(Err(More)),
            // Neither a comparison nor the beginning of an address.
            (b':', Ok(b'/' | b'\\')) | (b'=', Ok(b'=')) => false,
            (sign, _) => matches!(sign, b':' | b'='),
        })
    }

    /// Skips what stands in quotes, and the blanks after it; the last byte inside but for blanks.
    fn quoted(&mut self, quote: u8) -> Result<u8, Seen<bool>> {
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

    /// A quoted key after a comma.
    fn quoted_key(&mut self, quote: u8) -> Answer {
        let last = self.quoted(quote)?;
        Ok(match self.sign()? {
            // A key without a value or a colon: the object is damaged, but the string before it
            // is not.
            b':' | b'=' | b'}' | b'{' | b'[' => true,
            // A key that lost its last quote: `"name: "x"`.
            next => last == b':' && next != b',' && next != b']',
        })
    }

    /// Another string without a comma between: Python joins them, and JSON may lack a comma.
    fn adjacent(mut self, quote: u8, place: Place, newline: bool) -> Answer {
        if newline && !matches!(place, Place::Member | Place::Key) {
            return Ok(true);
        }
        let start = self.at;
        self.quoted(quote)?;
        Ok(match self.sign()? {
            b':' => matches!(place, Place::Member | Place::Argument),
            b',' | b'}' | b']' | b')' => true,
            // Strings on lines of their own.
            b'"' | b'\'' => {
                let line = self.bytes.get(start..self.at).unwrap_or_default();
                newline || line.contains(&b'\n')
            }
            _ => false,
        })
    }

    /// The next key right behind the string, in quotes: `"a": "b""c": 1`.
    fn key_at_once(mut self) -> Answer {
        self.at += 1;
        if self.skip_word().is_empty() || self.byte(0)? != b'"' {
            return self.stop();
        }
        self.at += 1;
        self.blanks();
        Ok(self.sign()? == b':')
    }

    /// A colon after a string that is no key: it was one after all, whose bracket is missing or
    /// wrong, if a value follows.
    fn late_key(mut self) -> Answer {
        self.skip_sign();
        self.blanks();
        match self.byte(0)? {
            b'"' | b'\'' | b'[' | b'{' | b'-' | b'0'..=b'9' => Ok(true),
            byte if begins_word(byte) => {
                let word = self.skip_word();
                self.byte(0)?;
                Ok(is_literal(word))
            }
            _ => Ok(false),
        }
    }

    /// The next argument without a comma between: `a="x" b="y"`.
    fn missing_comma(mut self) -> Answer {
        self.skip_word();
        self.blanks();
        if self.byte(0)? != b'=' {
            return Ok(false);
        }
        let next = self.byte(1)?;
        Ok(matches!(next, b'"' | b'\'' | b'[' | b'{' | b'0'..=b'9'))
    }

    /// A closing bracket. One that can end what the string stands in does; but a quote right
    /// after it, followed by what can follow a string, shows that both belong to the string:
    /// `"print("hi")"}`, `"{"a": "b"}"}`.
    fn closer(mut self, first: u8, place: Place) -> Answer {
        let fits = match place {
            Place::Key | Place::Member => first == b'}',
            Place::Item => first != b'}',
            Place::Argument => first == b')',
            Place::Alone => true,
        };
        while self.byte(0).is_ok_and(is_closer) {
            self.at += 1;
        }
        match self.byte(0)? {
            quote @ (b'"' | b'\'') if fits => return self.quote_after_closer(quote, place),
            _ if fits => return Ok(true),
            _ => {}
        }
        if self.blanks() {
            return Ok(true);
        }
        match self.byte(0) {
            Ok(b',' | b'}' | b']' | b')') => Ok(true),
            _ => self.stop(),
        }
    }

    fn quote_after_closer(mut self, quote: u8, place: Place) -> Answer {
        self.at += 1;
        // Quotes of two kinds in each other: `'python -c "f('x'))"'`.
        let is_nested = self.byte(0).is_ok_and(|byte| {
            matches!(byte, b'"' | b'\'') && byte != quote && place == Place::Argument
        });
        self.at += usize::from(is_nested);
        self.blanks();
        let next = match self.byte(0) {
            Err(Ok(true)) if is_nested => return Ok(false),
            next => next?,
        };
        match (place, next) {
            (Place::Argument, b')') => Ok(false),
            (Place::Argument, b',') => {
                self.at += 1;
                self.blanks();
                if !begins_word(self.byte(0)?) {
                    return Ok(true);
                }
                match self.bare_key() {
                    Err(Err(More)) => Err(Err(More)),
                    key => Ok(key == Ok(false)),
                }
            }
            (Place::Member | Place::Item, b'}' | b']' | b',') => Ok(quote == b'\''),
            _ => Ok(true),
        }
    }
}

fn is_literal(word: &[u8]) -> bool {
    matches!(
        word,
        b"true" | b"false" | b"null" | b"True" | b"False" | b"None"
    )
}
