//! The frame of the reader: where it is, what is open, blanks and comments, and which kind of
//! value stands there.

use haft_schema::RepairKind;
use serde_json::Value;

use super::mends::Mends;
use super::{Read, ReadError};
use crate::scan::bytes::{blanks, comment, is_closer};
use crate::scan::lexis::{MAX_DEPTH, Place, Stray, key_follows, stray_closer};

/// More escaped line breaks than any model writes between two values.
const MAX_ESCAPED: usize = 16;

/// What was read last; it decides whether brackets that are open at the end may be supplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Last {
    /// A bracket was opened.
    #[default]
    Opener,
    /// A value was complete.
    Value,
    /// A comma after a value.
    Comma,
}

/// Reads one text from left to right.
#[derive(Debug, Default)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// Where it is, in bytes.
    pub(super) at: usize,
    /// The reply ended where the text does.
    pub(super) cut: bool,
    /// The text stands between brackets that are not part of it.
    pub(super) is_enclosed: bool,
    /// Python's quotes, literals, tuples and trailing commas are no damage here.
    pub(super) is_python: bool,
    /// The argument being read has a name.
    pub(super) is_named: bool,
    /// A comma stood before the part that is being read, or before the end of the parts.
    pub(super) had_comma: bool,
    /// The closers of the open brackets, outermost first.
    pub(super) open: Vec<u8>,
    pub(super) last: Last,
    pub(super) mends: Mends,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, cut: bool) -> Self {
        Self {
            text,
            cut,
            ..Self::default()
        }
    }

    pub(super) fn finish<T>(self, value: T) -> Read<T> {
        Read {
            value,
            repairs: self.mends.finish(),
        }
    }

    /// The value at top level.
    pub(super) fn alone(&mut self) -> Result<Value, ReadError> {
        self.blanks();
        self.value(Place::Alone)
    }

    /// Skips what may stand after a whole value: blanks, commas, closing brackets too many.
    pub(super) fn leftovers(&mut self) -> Result<(), ReadError> {
        loop {
            self.blanks();
            match self.peek() {
                None => return Ok(()),
                Some(b',' | b';') => self.mend(RepairKind::CommaRepaired, ",", ""),
                Some(byte) if is_closer(byte) => {
                    let closer = self.slice(self.at, self.at + 1);
                    self.mend(RepairKind::BracketRepaired, closer, "nothing");
                }
                Some(_) => return Err(self.expected("the end of the value")),
            }
            self.at += 1;
        }
    }

    /// The value that begins here.
    pub(super) fn value(&mut self, place: Place) -> Result<Value, ReadError> {
        self.blanks_before_value();
        let value = match self.peek().ok_or(ReadError::CutOff)? {
            b'{' => self.braces()?,
            b'[' => self.list()?,
            b'(' => self.parentheses(place)?,
            _ => match self.quote() {
                Some(quote) => Value::String(self.string(quote, place)?),
                None => self.bare(place)?,
            },
        };
        self.last = Last::Value;
        Ok(value)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at)
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes(self.at)
    }

    pub(super) fn bytes(&self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn mend(&mut self, kind: RepairKind, before: &str, after: &str) {
        self.mends.add(kind, before, after);
    }

    /// As [`mend`](Self::mend), but not for what Python allows.
    pub(super) fn mend_json(&mut self, kind: RepairKind, before: &str, after: &str) {
        if !self.is_python {
            self.mends.add(kind, before, after);
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> ReadError {
        let at = self.at;
        ReadError::Unreadable { at, expected }
    }

    /// True when what touches the end of the text may have gone on in the reply.
    pub(super) fn may_go_on(&self) -> bool {
        self.cut && (self.is_enclosed || !self.open.is_empty())
    }

    /// Steps over an opening bracket.
    pub(super) fn enter(&mut self, closer: u8) -> Result<(), ReadError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.expected("at most 64 brackets inside each other"));
        }
        self.at += 1;
        self.open.push(closer);
        self.last = Last::Opener;
        Ok(())
    }

    /// Skips blanks and comments.
    pub(super) fn blanks(&mut self) {
        loop {
            self.at = self.after_blanks(self.at);
            let Some(len) = comment(self.rest()) else {
                break;
            };
            self.mend_json(RepairKind::CommentDropped, "a comment", "");
            self.at += len;
        }
        if self.peek() == Some(b'\\') {
            self.escaped_blanks();
        }
    }

    /// Skips blanks that are escaped where no text is, `"days": \n[1, 2]\n}`, up to a sign that
    /// goes on with the structure.
    fn escaped_blanks(&mut self) {
        let mut at = self.at;
        for _ in 0..MAX_ESCAPED {
            if let [b'\\', b'n' | b't' | b'r', ..] = self.bytes(at) {
                at = self.after_blanks(at + 2);
            }
        }
        let goes_on = matches!(self.byte(at), Some(b'{' | b'}' | b'[' | b']' | b'"' | b','));
        if goes_on && at > self.at {
            self.mend_json(RepairKind::EscapeRepaired, "a line break", "");
            self.at = at;
        }
    }

    /// Skips blanks and comments before a value, where `#ff0000` is one, and `//host` behind a sign.
    fn blanks_before_value(&mut self) {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        if self.peek() == Some(b'/') && matches!(before, Some(b':' | b'=')) {
            return;
        }
        self.at = self.after_blanks(self.at);
        let is_text = match self.rest() {
            [b'#', next, ..] if next.is_ascii_alphanumeric() => true,
            [b'#' | b'/', ..] => self.unopened_text().is_some(),
            _ => false,
        };
        if !is_text {
            self.blanks();
        }
    }

    /// The first place from `at` on that is not blank.
    pub(super) fn after_blanks(&self, at: usize) -> usize {
        at + blanks(self.bytes(at))
    }

    /// Skips what stands between two parts of what `closer` closes, or of the whole text; false
    /// where nothing more follows.
    pub(super) fn next_part(&mut self, closer: Option<u8>) -> Result<bool, ReadError> {
        self.had_comma = self.commas() > 0;
        let is_done = match closer {
            Some(closer) => self.ends(closer)?,
            None => self.text_ends_here()?,
        };
        if is_done {
            if self.had_comma && closer != Some(b')') {
                self.mend_json(RepairKind::CommaRepaired, ",", "");
            }
            return Ok(false);
        }
        if !self.had_comma && self.last == Last::Value {
            // Fine before what clearly begins a new part.
            let begins = self.quote().is_some()
                || matches!(self.peek(), Some(b'{' | b'['))
                || key_follows(self.rest());
            if !begins {
                return Err(self.expected("a comma or a closing bracket"));
            }
            self.mend(RepairKind::CommaRepaired, "", ",");
        }
        Ok(true)
    }

    /// Skips blanks, comments and commas; the number of commas.
    fn commas(&mut self) -> usize {
        let mut count = 0;
        loop {
            self.blanks();
            match self.rest() {
                [b',', ..] => self.at += 1,
                [b';', ..] => {
                    self.mend(RepairKind::CommaRepaired, ";", ",");
                    self.at += 1;
                }
                rest if rest.starts_with("，".as_bytes()) => {
                    self.mend(RepairKind::CommaRepaired, "，", ",");
                    self.at += "，".len();
                }
                _ => break,
            }
            count += 1;
        }
        if count > 1 || (count == 1 && self.last == Last::Opener) {
            self.mend(RepairKind::CommaRepaired, ",,", ",");
        }
        if count > 0 && self.last == Last::Value {
            self.last = Last::Comma;
        }
        count
    }

    /// True when nothing but closing brackets too many follows.
    fn text_ends_here(&mut self) -> Result<bool, ReadError> {
        match self.peek() {
            None if self.cut && self.last != Last::Value => Err(ReadError::CutOff),
            None => Ok(true),
            Some(byte) if is_closer(byte) => self.leftovers().map(|()| true),
            Some(_) => Ok(false),
        }
    }

    /// True when the bracket that `closer` closes ends here: with it, with a wrong one, or
    /// without, when an outer one closes or the text ends after a complete value.
    pub(super) fn ends(&mut self, closer: u8) -> Result<bool, ReadError> {
        loop {
            self.blanks();
            let Some(byte) = self.peek() else {
                let is_complete = match self.last {
                    Last::Opener => false,
                    Last::Value => true,
                    Last::Comma => !self.cut,
                };
                if !is_complete {
                    return Err(ReadError::CutOff);
                }
                self.mend(RepairKind::ClosersSupplied, "", name(closer));
                break;
            };
            if byte == closer {
                self.at += 1;
                break;
            }
            if !is_closer(byte) {
                return Ok(false);
            }
            let after = self.bytes(self.at + 1);
            let stray = stray_closer(byte, (&self.open, 0), after, true);
            let stray = stray.unwrap_or(Stray::Nothing);
            let meant = match stray {
                Stray::Outer | Stray::Instead => name(closer),
                Stray::Nothing => "nothing",
            };
            self.mend(RepairKind::BracketRepaired, name(byte), meant);
            self.at += usize::from(stray != Stray::Outer);
            if matches!(stray, Stray::Outer | Stray::Instead) {
                break;
            }
            self.commas();
        }
        self.close();
        Ok(true)
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
        self.last = Last::Value;
    }
}

fn name(closer: u8) -> &'static str {
    match closer {
        b'}' => "}",
        b']' => "]",
        _ => ")",
    }
}
