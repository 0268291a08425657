//! Whether a quote ends its string, by what follows it.

use super::Place;
use super::lookahead::{Answer, Lookahead};
use crate::scan::bytes::{begins_word, is_blank, is_closer, string_prefix};
use crate::scan::{More, is_arguments_key};

impl Lookahead<'_> {
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

    /// Whether nothing but the end of a call, or another call, follows a string in which the bracket
    /// `open` is open.
    pub(super) fn ends_call(mut self, open: u8) -> Answer {
        match self.behind(0)? {
            b',' => {
                self.behind(1)?;
                self.at += 1;
                let key = str::from_utf8(self.skip_word()).unwrap_or_default();
                return Ok(open == b'(' || is_arguments_key(key));
            }
            byte if is_closer(byte) => {}
            _ => return self.stop(),
        }
        while self
            .byte(0)
            .is_ok_and(|byte| is_closer(byte) || is_blank(byte))
        {
            self.at += 1;
        }
        self.stop()
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
        match self.behind(1)? {
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
        let is_key = matches!(place, Place::Member | Place::Argument) && self.bare_key()?;
        if is_key || place == Place::Member {
            return Ok(is_key);
        }
        self.at = start;
        let word = self.skip_word();
        let ends = matches!(self.byte(0)?, b'(' | b',' | b')' | b']' | b'}');
        Ok(ends || is_literal(word) || matches!(self.behind(0)?, b',' | b')' | b']'))
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
        // The next quote ends the string that this one stands in: `say "hi"⏎"}`.
        if newline && self.byte(1)? == b'}' {
            return Ok(false);
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
        Ok(self.behind(1)? == b':')
    }

    /// A colon after a string that is no key: it was one after all, whose bracket is missing or
    /// wrong, if a value follows.
    fn late_key(mut self) -> Answer {
        self.skip_sign();
        match self.behind(0)? {
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
        let begins_value = |byte| matches!(byte, b'"' | b'\'' | b'[' | b'{' | b'0'..=b'9');
        Ok(self.behind(0)? == b'=' && begins_value(self.byte(1)?))
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
        let is_line_end = self.blanks();
        match self.byte(0) {
            _ if is_line_end => Ok(true),
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
        let next = match self.behind(usize::from(is_nested)) {
            Err(Ok(true)) if is_nested => return Ok(false),
            next => next?,
        };
        match (place, next) {
            (Place::Argument, b')') => Ok(false),
            (Place::Argument, b',') => {
                if !begins_word(self.behind(1)?) {
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
