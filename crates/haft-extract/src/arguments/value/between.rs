//! What stands between values: blanks, comments, commas.

use haft_schema::RepairKind;

use super::{Last, ReadError, ValueReader};
use crate::limits;
use crate::scan::bytes::{blanks, comment, is_closer};

impl ValueReader<'_> {
    /// Skips what may stand after a whole value: blanks, commas, closing brackets too many.
    pub(super) fn leftovers(&mut self) -> Result<(), ReadError> {
        loop {
            self.blanks();
            match self.peek() {
                None => return Ok(()),
                Some(b',' | b';') => self.repair(RepairKind::CommaRepaired, ",", ""),
                Some(byte) if is_closer(byte) => {
                    let closer = self.slice(self.at, self.at + 1);
                    self.repair(RepairKind::BracketRepaired, closer, "nothing");
                }
                Some(_) => return Err(self.expected("the end of the value")),
            }
            self.at += 1;
        }
    }

    /// Skips blanks and comments.
    pub(super) fn blanks(&mut self) {
        let is_part = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b',' | b':' | b'}' | b']' | b'<')
        };
        if self.peek().is_some_and(is_part) {
            return;
        }
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
    pub(super) fn escaped_blanks(&mut self) {
        let mut at = self.at;
        for _ in 0..limits::PARTS {
            if let [b'\\', b'n' | b't' | b'r', ..] = self.source.bytes(at) {
                at = self.after_blanks(at + 2);
            }
        }
        let next = self.source.byte(at);
        let goes_on = matches!(next, Some(b'{' | b'}' | b'[' | b']' | b'"' | b','));
        if goes_on && at > self.at {
            self.mend_json(RepairKind::EscapeRepaired, "a line break", "");
            self.at = at;
        }
    }

    /// Skips blanks and comments before a value, where `#ff0000` is one, and `//host` behind a sign.
    pub(super) fn blanks_before_value(&mut self) {
        let before = self.at.checked_sub(1).and_then(|at| self.source.byte(at));
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
        at + blanks(self.source.bytes(at))
    }

    /// Skips what stands between two parts of what `closer` closes, or of the whole text; false
    /// where nothing more follows.
    pub(super) fn next_part(&mut self, closer: Option<u8>) -> Result<bool, ReadError> {
        self.had_comma = self.commas() > 0;
        let is_done = match (closer, self.peek()) {
            (Some(closer), _) => self.ends(closer)?,
            (None, None) if self.cut && self.last != Last::Value => return Err(ReadError::CutOff),
            (None, None) => true,
            // Nothing but closing brackets too many may follow.
            (None, Some(byte)) if is_closer(byte) => self.leftovers().map(|()| true)?,
            (None, Some(_)) => false,
        };
        if is_done {
            if self.had_comma && closer != Some(b')') {
                self.mend_json(RepairKind::CommaRepaired, ",", "");
            }
            return Ok(false);
        }
        if !self.had_comma && self.last == Last::Value {
            // Fine before what clearly begins a new part.
            let begins = self.quote().is_some() || self.begins_part(self.at);
            if !begins && !matches!(self.peek(), Some(b'{' | b'[')) {
                return Err(self.expected("a comma or a closing bracket"));
            }
            self.repair(RepairKind::CommaRepaired, "", ",");
        }
        Ok(true)
    }

    /// Steps over blanks and comments, and the first of `signs` that stands behind them, if one does.
    pub(super) fn sign(&mut self, signs: &[&'static str]) -> &'static str {
        self.blanks();
        let rest = self.rest();
        let mut signs = signs.iter();
        let sign = signs.find(|sign| rest.starts_with(sign.as_bytes()));
        let sign = sign.copied().unwrap_or_default();
        self.at += sign.len();
        sign
    }

    /// Skips blanks, comments and commas; the number of commas.
    pub(super) fn commas(&mut self) -> usize {
        let mut count = 0;
        loop {
            match self.sign(&[",", ";", "，"]) {
                "" => break,
                "," => {}
                other => self.repair(RepairKind::CommaRepaired, other, ","),
            }
            count += 1;
        }
        if count > 1 || (count == 1 && self.last == Last::Opener) {
            self.repair(RepairKind::CommaRepaired, ",,", ",");
        }
        if count > 0 && self.last == Last::Value {
            self.last = Last::Comma;
        }
        count
    }
}
