//! The bounded look ahead that tells what a quote is from what follows it.

use super::{Ends, Place, begins_wide_sign, begins_word, is_word};

/// How many bytes after a quote are looked at: the longest key that is told from text.
const LOOK_AHEAD: usize = 256;

/// A bounded look ahead.
pub(super) struct Ahead<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    /// The answer when the bytes are used up without deciding.
    pub(super) at_end: Ends,
}

impl<'t> Ahead<'t> {
    pub(super) fn new(after: &'t [u8], finished: bool) -> Self {
        let (bytes, at_end) = match after.get(..LOOK_AHEAD) {
            Some(window) => (window, Ends::Yes),
            None if finished => (after, Ends::Yes),
            None => (after, Ends::Unclear),
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
        let at_end = match ahead.at_end {
            Ends::Yes => Ends::No,
            end => end,
        };
        Self { at_end, ..ahead }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The byte here; for a full-width colon or comma its twin.
    pub(super) fn sign(&self) -> Result<u8, Ends> {
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
        self.at += if self.peek() == Some(0xEF) { 3 } else { 1 };
    }

    pub(super) fn key(mut self) -> Ends {
        self.skip_prefix();
        match self.peek() {
            Some(byte @ (b'"' | b'\'' | b'`')) => {
                let sign = self.quoted(byte).and_then(|_| self.sign());
                sign.map_or_else(|end| end, |sign| yes_if(matches!(sign, b':' | b'=')))
            }
            Some(byte) if begins_word(byte) => self.bare_key().unwrap_or(Ends::No),
            Some(_) => Ends::No,
            None => self.at_end,
        }
    }

    /// The byte `further` on; past the end the answer there.
    pub(super) fn byte(&self, further: usize) -> Result<u8, Ends> {
        let byte = self.bytes.get(self.at + further);
        byte.copied().ok_or(self.at_end)
    }

    /// Skips blanks; true when a line ended.
    pub(super) fn blanks(&mut self) -> bool {
        let mut newline = false;
        loop {
            match self.bytes.get(self.at..) {
                Some([byte @ (b' ' | b'\t' | b'\n' | b'\r'), ..]) => {
                    newline |= *byte == b'\n';
                    self.at += 1;
                }
                // A space that does not break.
                Some([0xC2, 0xA0, ..]) => self.at += 2,
                _ => return newline,
            }
        }
    }

    pub(super) fn decide(mut self, place: Place) -> Ends {
        let newline = self.gap();
        let byte = match self.sign() {
            Ok(byte) => byte,
            Err(end) => return end,
        };
        match byte {
            b':' | b'=' if place == Place::Key => Ends::Yes,
            b':' if place != Place::Member => self.late_key(),
            b',' | b';' if place == Place::Key => Ends::Yes,
            b',' | b';' => {
                self.skip_sign();
                self.after_comma(place)
            }
            b'}' | b']' | b')' => self.closer(byte, place),
            // `['f'(a=1)]`: the name of a tool in quotes, before its arguments.
            b'(' if place == Place::Item && self.at == 0 => self.arguments(),
            // The colon is missing.
            b'{' | b'[' if place == Place::Key => Ends::Yes,
            b'"' | b'\'' if place == Place::Key && self.at > 0 => {
                self.adjacent(byte, place, newline)
            }
            _ if place == Place::Key => self.stop(),
            _ if place == Place::Alone && newline => Ends::Yes,
            b'"' | b'\'' if self.at > 0 => self.adjacent(byte, place, newline),
            b'"' if place == Place::Member => self.key_at_once(),
            _ if place == Place::Argument && self.at > 0 && begins_word(byte) => {
                self.missing_comma()
            }
            _ => self.stop(),
        }
    }

    /// Skips blanks and comments; true when a line ended.
    pub(super) fn gap(&mut self) -> bool {
        let mut newline = false;
        loop {
            newline |= self.blanks();
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let end = match rest {
                [b'#', ..] if self.at > 0 => memchr::memchr(b'\n', rest),
                [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
                [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
                // It may begin a comment.
                [b'/'] => None,
                _ => return newline,
            };
            self.at = end.map_or(self.bytes.len(), |end| self.at + end);
        }
    }

    /// Something that ends a string wherever it stands: a tag or a fence.
    pub(super) fn stop(&self) -> Ends {
        let found = match self.peek() {
            None => return self.at_end,
            Some(b'<') => self.byte(1).map(|byte| matches!(byte, b'/' | b'|' | 0xEF)),
            Some(b'`') => self.byte(1).and_then(|one| match one {
                b'`' => self.byte(2).map(|two| two == b'`'),
                _ => Ok(false),
            }),
            Some(_) => Ok(false),
        };
        found.map_or_else(|end| end, yes_if)
    }

    /// A parenthesis, and what arguments begin with, other than words.
    fn arguments(mut self) -> Ends {
        self.at += 1;
        self.blanks();
        match self.byte(0) {
            Ok(b'"' | b'\'' | b'[' | b'{') => Ends::Yes,
            Ok(_) => self.key(),
            Err(end) => end,
        }
    }

    /// What follows a comma: the next key or value.
    pub(super) fn after_comma(mut self, place: Place) -> Ends {
        self.gap();
        self.skip_prefix();
        let Some(byte) = self.peek() else {
            return self.at_end;
        };
        match byte {
            // Code in a text: `return \"c\"; }` with its quotes as they are.
            b'}' if place == Place::Member => self.closer(byte, place),
            b',' | b';' | b'}' | b']' | b')' | b'{' => Ends::Yes,
            b'"' | b'\'' | b'`' if place == Place::Member => self.quoted_key(byte),
            b'"' | b'\'' => Ends::Yes,
            // The curly quotes; another character that begins with this byte is a letter.
            0xE2 => self
                .byte(1)
                .map_or_else(|end| end, |next| yes_if(next == 0x80)),
            b'0'..=b'9' if place == Place::Member => self.bare_key().unwrap_or(Ends::No),
            b'0'..=b'9' => Ends::Yes,
            b'[' | b'(' => yes_if(place != Place::Member),
            b'-' | b'+' | b'.' if place != Place::Member => {
                let next = self.byte(1);
                next.map_or_else(
                    |end| end,
                    |next| yes_if(next.is_ascii_digit() || next == b'.' || next == b'I'),
                )
            }
            _ if begins_word(byte) => self.word(place),
            _ => self.stop(),
        }
    }

    /// Skips a prefix of Python before a quote: `r"..."`.
    pub(super) fn skip_prefix(&mut self) {
        let is_letter = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u');
        self.at += match self.bytes.get(self.at..) {
            Some([letter, b'"' | b'\'', ..]) if is_letter(letter) => 1,
            Some([one, two, b'"' | b'\'', ..]) if is_letter(one) && is_letter(two) => 2,
            _ => 0,
        };
    }

    /// A word after a comma.
    pub(super) fn word(&mut self, place: Place) -> Ends {
        let start = self.at;
        if matches!(place, Place::Member | Place::Argument)
            && let Some(answer) = self.bare_key()
            && answer != Ends::No
        {
            return answer;
        }
        if place == Place::Member {
            return Ends::No;
        }
        self.at = start;
        self.skip_word();
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        match self.peek() {
            None => return self.at_end,
            Some(b'(' | b',' | b')' | b']' | b'}') => return Ends::Yes,
            Some(_) => {}
        }
        self.blanks();
        match self.peek() {
            _ if is_literal(word) => Ends::Yes,
            None => self.at_end,
            Some(byte) => yes_if(matches!(byte, b',' | b')' | b']')),
        }
    }

    pub(super) fn skip_word(&mut self) {
        while let Some(byte) = self.peek()
            && is_word(byte)
            && !begins_wide_sign(self.bytes.get(self.at..).unwrap_or_default())
        {
            self.at += 1;
        }
    }

    /// A name and the sign after it, `a =` or `a:`; None when the name ends otherwise.
    pub(super) fn bare_key(&mut self) -> Option<Ends> {
        self.skip_word();
        // The name of a key that lost its first quote: `name": 1`.
        if let Some(b'"' | b'\'') = self.peek() {
            self.at += 1;
            self.blanks();
            return match self.sign() {
                Ok(b':') => Some(Ends::Yes),
                Ok(_) => None,
                Err(end) => Some(end),
            };
        }
        self.blanks();
        match (self.sign(), self.byte(1)) {
            (Err(end), _) => Some(end),
            (Ok(b':' | b'='), Err(Ends::Unclear)) => Some(Ends::Unclear),
            // Neither a comparison nor the beginning of an address.
            (Ok(b':'), Ok(b'/' | b'\\')) | (Ok(b'='), Ok(b'=')) => None,
            (Ok(b':' | b'='), _) => Some(Ends::Yes),
            (Ok(_), _) => None,
        }
    }

    /// Skips what stands in quotes, and the blanks after it; the last byte inside but for blanks.
    pub(super) fn quoted(&mut self, quote: u8) -> Result<u8, Ends> {
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
    pub(super) fn quoted_key(&mut self, quote: u8) -> Ends {
        let last = self.quoted(quote);
        match last.and_then(|last| Ok((last, self.sign()?))) {
            Err(end) => end,
            // A key without a value or a colon: the object is damaged, but the string before it is not.
            Ok((_, b':' | b'=' | b'}' | b'{' | b'[')) => Ends::Yes,
            // A key that lost its last quote: `"name: "x"`.
            Ok((last, next)) => yes_if(last == b':' && next != b',' && next != b']'),
        }
    }

    /// Another string without a comma between: Python joins them, and JSON may lack a comma.
    pub(super) fn adjacent(mut self, quote: u8, place: Place, newline: bool) -> Ends {
        if newline && !matches!(place, Place::Member | Place::Key) {
            return Ends::Yes;
        }
        let start = self.at;
        let inside = self.quoted(quote);
        match inside.and_then(|_| self.sign()) {
            Err(end) => end,
            Ok(b':') => yes_if(matches!(place, Place::Member | Place::Argument)),
            Ok(b',' | b'}' | b']' | b')') => Ends::Yes,
            // Strings on lines of their own.
            Ok(b'"' | b'\'') => {
                let line = self.bytes.get(start..self.at).unwrap_or_default();
                yes_if(newline || memchr::memchr(b'\n', line).is_some())
            }
            Ok(_) => Ends::No,
        }
    }

    /// The next key right behind the string, in quotes: `"a": "b""c": 1`.
    fn key_at_once(mut self) -> Ends {
        self.at += 1;
        let start = self.at;
        self.skip_word();
        let has_word = self.at > start;
        match self.byte(0) {
            Err(end) if has_word => return end,
            Ok(b'"') if has_word => self.at += 1,
            _ => return self.stop(),
        }
        self.blanks();
        self.sign()
            .map_or_else(|end| end, |sign| yes_if(sign == b':'))
    }

    /// A colon after a string that is no key: it was one after all, whose bracket is missing or
    /// wrong, if a value follows.
    pub(super) fn late_key(mut self) -> Ends {
        self.skip_sign();
        self.blanks();
        let start = self.at;
        match self.byte(0) {
            Err(end) => end,
            Ok(b'"' | b'\'' | b'[' | b'{' | b'-' | b'0'..=b'9') => Ends::Yes,
            Ok(byte) if begins_word(byte) => {
                self.skip_word();
                let word = self.bytes.get(start..self.at).unwrap_or_default();
                match self.byte(0) {
                    Err(end) => end,
                    Ok(_) => yes_if(is_literal(word)),
                }
            }
            Ok(_) => Ends::No,
        }
    }

    /// The next argument without a comma between: `a="x" b="y"`.
    pub(super) fn missing_comma(mut self) -> Ends {
        self.skip_word();
        self.blanks();
        match (self.byte(0), self.byte(1)) {
            (Err(end), _) | (Ok(b'='), Err(end)) => end,
            (Ok(b'='), Ok(b'"' | b'\'' | b'[' | b'{' | b'0'..=b'9')) => Ends::Yes,
            _ => Ends::No,
        }
    }

    /// A closing bracket. One that can end what the string stands in does; but a quote right
    /// after it, followed by what can follow a string, shows that both belong to the string:
    /// `"print("hi")"}`, `"{"a": "b"}"}`.
    pub(super) fn closer(mut self, first: u8, place: Place) -> Ends {
        let fits = match place {
            Place::Key | Place::Member => first == b'}',
            Place::Item => first != b'}',
            Place::Argument => first == b')',
            Place::Alone => true,
        };
        while let Some(b'}' | b']' | b')') = self.peek() {
            self.at += 1;
        }
        match self.peek() {
            None => return self.at_end,
            Some(byte @ (b'"' | b'\'')) if fits => return self.quote_after_closer(byte, place),
            Some(_) if fits => return Ends::Yes,
            Some(_) => {}
        }
        if self.blanks() {
            return Ends::Yes;
        }
        match self.peek() {
            Some(b',' | b'}' | b']' | b')') => Ends::Yes,
            _ => self.stop(),
        }
    }

    pub(super) fn quote_after_closer(mut self, quote: u8, place: Place) -> Ends {
        self.at += 1;
        // Quotes of two kinds in each other: `'python -c "f('x'))"'`.
        let is_nested = self.peek().is_some_and(|byte| {
            matches!(byte, b'"' | b'\'') && byte != quote && place == Place::Argument
        });
        self.at += usize::from(is_nested);
        self.blanks();
        let next = match self.byte(0) {
            Ok(next) => next,
            Err(Ends::Yes) if is_nested => return Ends::No,
            Err(end) => return end,
        };
        match (place, next) {
            (Place::Argument, b')') => Ends::No,
            (Place::Argument, b',') => {
                self.at += 1;
                self.blanks();
                match self.peek() {
                    Some(byte) if begins_word(byte) => match self.bare_key() {
                        Some(Ends::Yes) => Ends::No,
                        Some(answer) => answer,
                        None => Ends::Yes,
                    },
                    Some(_) => Ends::Yes,
                    None => self.at_end,
                }
            }
            (Place::Member | Place::Item, b'}' | b']' | b',') => yes_if(quote == b'\''),
            _ => Ends::Yes,
        }
    }
}

fn is_literal(word: &[u8]) -> bool {
    matches!(
        word,
        b"true" | b"false" | b"null" | b"True" | b"False" | b"None"
    )
}

pub(super) fn yes_if(condition: bool) -> Ends {
    if condition { Ends::Yes } else { Ends::No }
}
