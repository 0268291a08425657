//! The frame of the reader: where it is, what is open, blanks and comments, and which kind of
//! value stands there.

use haft_schema::RepairKind;
use serde_json::Value;

use super::mends::Mends;
use super::{Read, ReadError};
use crate::scan::bytes::{self, begins_wide_sign, comment, is_closer};
use crate::scan::lexis::{MAX_DEPTH, Place, Stray, stray_closer};

/// What was read last; it decides whether brackets that are open at the end may be supplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// A bracket was opened.
    Opener,
    /// A value was complete.
    Value,
    /// A comma after a value.
    Comma,
}

/// Reads one text from left to right.
#[derive(Debug)]
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
    /// The closers of the open brackets, outermost first.
    pub(super) open: Vec<u8>,
    pub(super) last: Last,
    pub(super) mends: Mends<'t>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, cut: bool) -> Self {
        Self {
            text,
            at: 0,
            cut,
            is_enclosed: false,
            is_python: false,
            is_named: false,
            open: Vec::new(),
            last: Last::Opener,
            mends: Mends::default(),
        }
    }

    pub(super) fn position(&self) -> usize {
        self.at
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
                Some(b'}' | b']' | b')') => {
                    self.mend(
                        RepairKind::BracketRepaired,
                        self.slice(self.at, self.at + 1),
                        "nothing",
                    );
                }
                Some(b',' | b';') => self.mend(RepairKind::CommaRepaired, ",", ""),
                Some(_) => return Err(self.expected("the end of the value")),
            }
            self.at += 1;
        }
    }

    /// The value that begins here.
    pub(super) fn value(&mut self, place: Place) -> Result<Value, ReadError> {
        self.blanks_before_value();
        let Some(byte) = self.peek() else {
            return Err(ReadError::CutOff);
        };
        let value = match byte {
            b'{' => self.braces()?,
            b'[' => self.list()?,
            b'(' => self.parentheses(place)?,
            b'0'..=b'9' | b'-' => self.bare(place)?,
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
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// True where a full-width colon or comma, or a space that does not break, ends a word.
    pub(super) fn wide_sign_at(&self, at: usize) -> bool {
        begins_wide_sign(self.text.as_bytes().get(at..).unwrap_or_default())
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
        ReadError::Unreadable {
            at: self.at,
            expected,
        }
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
    #[inline]
    pub(super) fn blanks(&mut self) {
        match self.peek() {
            Some(b' ' | b'\t' | b'\n' | b'\r' | b'#' | b'/' | 0xC2) => self.skip_blanks(),
            Some(b'\\') => {}
            _ => return,
        }
        if self.peek() == Some(b'\\') {
            self.escaped_blanks();
        }
    }

    /// Skips blanks that are escaped where no text is, `"days": \n[1, 2]\n}`, up to a sign that
    /// goes on with the structure.
    fn escaped_blanks(&mut self) {
        /// More than any model writes there.
        const MOST: usize = 16;
        let mut at = self.at;
        for _ in 0..MOST {
            match (self.byte(at), self.byte(at + 1)) {
                (Some(b'\\'), Some(b'n' | b't' | b'r')) => at = self.after_blanks(at + 2),
                _ => break,
            }
        }
        let goes_on = matches!(self.byte(at), Some(b'{' | b'}' | b'[' | b']' | b'"' | b','));
        if goes_on && at > self.at {
            self.mend_json(RepairKind::EscapeRepaired, "a line break", "");
            self.at = at;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.at = self.after_blanks(self.at);
            let Some(len) = comment(self.rest()) else {
                return;
            };
            self.mend_json(RepairKind::CommentDropped, "a comment", "");
            self.at += len;
        }
    }

    /// Skips blanks and comments before a value, where `#ff0000` is one, and `//host` behind a sign.
    fn blanks_before_value(&mut self) {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        if self.peek() == Some(b'/') && matches!(before, Some(b':' | b'=')) {
            return;
        }
        self.at = self.after_blanks(self.at);
        let is_colour = self.peek() == Some(b'#')
            && self
                .byte(self.at + 1)
                .is_some_and(|byte| byte.is_ascii_alphanumeric());
        let may_be_comment = matches!(self.peek(), Some(b'#' | b'/'));
        let is_text = may_be_comment && self.unopened_text().is_some();
        if !is_colour && !is_text {
            self.blanks();
        }
    }

    /// The first place from `at` on that is not blank.
    pub(super) fn after_blanks(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + bytes::blanks(rest)
    }

    /// Skips blanks, comments and commas; the number of commas.
    pub(super) fn commas(&mut self) -> usize {
        let mut count = 0;
        loop {
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b';') => {
                    self.mend(RepairKind::CommaRepaired, ";", ",");
                    self.at += 1;
                }
                Some(0xEF) if self.rest().starts_with("，".as_bytes()) => {
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

    /// True when the bracket that `closer` closes ends here: with it, with a wrong one, or
    /// without, when an outer one closes or the text ends after a complete value.
    pub(super) fn ends(&mut self, closer: u8) -> Result<bool, ReadError> {
        loop {
            self.blanks();
            let Some(byte) = self.peek() else {
                return self.ends_with_text(closer).map(|()| true);
            };
            if byte == closer {
                self.at += 1;
                break;
            }
            if !is_closer(byte) {
                return Ok(false);
            }
            let found = self.slice(self.at, self.at + 1);
            let after = self.rest().get(1..).unwrap_or_default();
            match stray_closer(byte, (&self.open, 0), after, true) {
                Stray::Outer => {
                    self.mend(RepairKind::BracketRepaired, found, name(closer));
                    break;
                }
                Stray::Instead => {
                    self.at += 1;
                    self.mend(RepairKind::BracketRepaired, found, name(closer));
                    break;
                }
                Stray::Nothing | Stray::Unclear => {
                    self.at += 1;
                    self.mend(RepairKind::BracketRepaired, found, "nothing");
                    self.commas();
                }
            }
        }
        self.close();
        Ok(true)
    }

    fn ends_with_text(&mut self, closer: u8) -> Result<(), ReadError> {
        let is_complete = match self.last {
            Last::Opener => false,
            Last::Value => true,
            Last::Comma => !self.cut,
        };
        if !is_complete {
            return Err(ReadError::CutOff);
        }
        self.mend(RepairKind::ClosersSupplied, "", name(closer));
        self.close();
        Ok(())
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
