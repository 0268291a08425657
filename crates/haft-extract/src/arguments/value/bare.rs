//! Values without quotes: numbers, literals, and text up to where it must end.

use haft_schema::RepairKind;
use serde_json::Value;

use super::reader::Reader;
use super::{ReadError, number};
use crate::scan::bytes::{begins_word, is_word};
use crate::scan::lexis::{Close, GEMMA_BAR, Place, key_follows, quote_at};

/// How far the token is looked for that closes a text which none opened.
const MAX_UNOPENED: usize = 16 * 1024;

impl<'t> Reader<'t> {
    /// A value that has no quotes.
    pub(super) fn bare(&mut self, place: Place) -> Result<Value, ReadError> {
        let start = self.at;
        let mut end = start;
        while self.byte(end).is_some_and(is_token) && !self.wide_sign_at(end) {
            end += 1;
        }
        let token = self.slice(start, end);
        if token == "dict" && self.byte(end) == Some(b'(') {
            self.at = end;
            return self.dict();
        }
        let grouped = self.groups_end(token, end, place);
        if grouped > end && self.is_delimited(grouped, place) {
            let written = self.slice(start, grouped);
            let digits = written.replace(',', "");
            if let Some((number, _)) = number::read(&digits) {
                self.mend_json(RepairKind::NumberRepaired, written, number.as_str());
                if grouped == self.text.len() && self.may_go_on() {
                    return Err(ReadError::CutOff);
                }
                self.at = grouped;
                return Ok(Value::Number(number));
            }
        }
        if !token.is_empty() && self.is_delimited(end, place) {
            let touches_end = end == self.text.len() && self.may_go_on();
            if let Some(value) = self.scalar(token) {
                if touches_end && value.is_number() {
                    return Err(ReadError::CutOff);
                }
                self.at = end;
                return Ok(value);
            }
        }
        self.bare_text(place)
    }

    /// Where the groups of three digits end that separators stand between, `1,234,567`: behind the
    /// name of a member or an argument no other value can follow.
    fn groups_end(&self, token: &str, end: usize, place: Place) -> usize {
        let is_named = place == Place::Member || (place == Place::Argument && self.is_named);
        let digits = token.trim_start_matches(['-', '+']);
        let is_head = matches!(digits.len(), 1..=3) && digits.bytes().all(|b| b.is_ascii_digit());
        let mut at = end;
        if !is_named || !is_head {
            return at;
        }
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            let [b',', group @ ..] = rest else {
                break;
            };
            let len = group.iter().take_while(|b| b.is_ascii_digit()).count();
            if len != 3 {
                break;
            }
            at += 4;
        }
        at
    }

    /// A number or a literal.
    fn scalar(&mut self, token: &str) -> Option<Value> {
        if let Some((number, is_mended)) = number::read(token) {
            if is_mended {
                self.mend_json(RepairKind::NumberRepaired, token, number.as_str());
            }
            return Some(Value::Number(number));
        }
        let (value, meant) = match token {
            "true" => return Some(Value::Bool(true)),
            "false" => return Some(Value::Bool(false)),
            "null" => return Some(Value::Null),
            "True" | "TRUE" => (Value::Bool(true), "true"),
            "False" | "FALSE" => (Value::Bool(false), "false"),
            "None" | "NULL" | "Null" | "nil" | "undefined" => (Value::Null, "null"),
            _ => return None,
        };
        self.mend_json(RepairKind::PythonLiteral, token, meant);
        Some(value)
    }

    /// True when a number, a literal or a tuple may end at `at`.
    pub(super) fn is_delimited(&self, at: usize, place: Place) -> bool {
        let mut next = at;
        while let Some(b' ' | b'\t') = self.byte(next) {
            next += 1;
        }
        if self.wide_sign_at(next) {
            return true;
        }
        match self.byte(next) {
            None | Some(b',' | b';' | b']' | b'}' | b')' | b'\n' | b'\r' | b'#') => true,
            Some(b'/') => matches!(self.byte(next + 1), Some(b'/' | b'*')) && next > at,
            Some(b'<') => self.is_tag(next),
            Some(b'"' | b'\'') => next > at && place != Place::Alone,
            Some(byte) if next > at && matches!(place, Place::Member | Place::Argument) => {
                let rest = self.text.as_bytes().get(next..).unwrap_or_default();
                begins_word(byte) && key_follows(rest)
            }
            Some(_) => place == Place::Alone && next > at,
        }
    }

    /// Text up to where it must end: `New York`, `3/4`, `date(2024, 1, 2)`.
    pub(super) fn bare_text(&mut self, place: Place) -> Result<Value, ReadError> {
        if place == Place::Alone {
            return Err(self.expected("a value"));
        }
        if let Some(text) = self.unopened_text() {
            self.mend(RepairKind::QuotesRepaired, "", "the opening token");
            self.at += text.len() + GEMMA_BAR.len();
            return Ok(Value::String(text.to_owned()));
        }
        let joins = place == Place::Member || (place == Place::Argument && self.is_named);
        let start = self.at;
        let mut depth = 0_usize;
        // A quote opens a string only inside brackets and where a value may begin.
        let mut begins_value = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 => break,
                b')' | b']' | b'}' => depth -= 1,
                b'"' | b'\'' if depth > 0 && begins_value => {
                    self.skip_string()?;
                    begins_value = false;
                    continue;
                }
                b'<' if depth == 0 && self.closing_token() > 0 => break,
                _ if depth == 0 && self.text_ends(start, joins) => break,
                _ => {}
            }
            begins_value = matches!(byte, b'(' | b'[' | b'{' | b',' | b'=' | b':')
                || (begins_value && byte == b' ');
            self.at += 1;
        }
        let is_at_end = self.at == self.text.len();
        if is_at_end && (depth > 0 || self.may_go_on()) {
            return Err(ReadError::CutOff);
        }
        let written = self.slice(start, self.at).trim_end();
        if written.is_empty() {
            return Err(self.expected("a value"));
        }
        self.at += self.closing_token();
        Ok(Value::String(self.meant(written)))
    }

    /// A text over several lines or with tags whose opening token was left out: up to the closing
    /// one, if nothing in it may be the next member.
    pub(super) fn unopened_text(&self) -> Option<&'t str> {
        let rest = self.text.get(self.at..)?;
        let rest = rest.get(..rest.floor_char_boundary(MAX_UNOPENED))?;
        let end = memchr::memmem::find(rest.as_bytes(), GEMMA_BAR.as_bytes())?;
        let text = rest.get(..end)?;
        let closes = !text.trim_end().ends_with([':', ',', '[', '{']);
        let is_one = !text.split(',').skip(1).any(begins_member);
        let is_meant = closes && is_one && text.contains(['\n', '<']);
        (is_meant && self.ends_value(self.at + end + GEMMA_BAR.len())).then_some(text)
    }

    /// The length of the token here that closes a text whose opening one was left out, 0 if none
    /// stands here.
    fn closing_token(&self) -> usize {
        let quote = self.text.get(self.at..).and_then(quote_at);
        let token = quote.filter(|quote| quote.kind.is_token());
        token.map_or(0, |quote| quote.open_len)
    }

    /// The text that was meant by one without quotes, or with a quote at its end only.
    fn meant(&mut self, written: &str) -> String {
        let meant = match written.strip_suffix('"') {
            Some(text) if !text.contains('"') && !text.ends_with(|c: char| c.is_ascii_digit()) => {
                self.mend(RepairKind::QuotesRepaired, written, text);
                text
            }
            _ => {
                self.mend(RepairKind::BareText, written, "");
                written
            }
        };
        meant.replace("\\_", "_")
    }

    /// True when a text that began at `start` ends here, outside all brackets.
    fn text_ends(&self, start: usize, joins: bool) -> bool {
        let rest = |at: usize| self.text.as_bytes().get(at..).unwrap_or_default();
        let next = self.at + 1;
        let after_blank = || {
            let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
            self.at > start && matches!(before, Some(b' ' | b'\t' | b'\n'))
        };
        match self.peek() {
            Some(b',') => !(joins && self.text_goes_on(next)),
            Some(b';') => key_follows(rest(self.after_blanks(next))),
            Some(b'\n') => {
                let at = self.after_blanks(next);
                match self.text.get(at..).filter(|text| !text.is_empty()) {
                    Some(text) => quote_at(text).is_some() || key_follows(rest(at)),
                    None => true,
                }
            }
            Some(b'<') => self.is_tag(self.at),
            Some(b'#') => after_blank(),
            Some(b'/') => matches!(self.byte(next), Some(b'/' | b'*')) && after_blank(),
            Some(b'"' | b'\'') => after_blank() && key_follows(rest(self.at)),
            _ => false,
        }
    }

    /// True when the text before a comma goes on after it: `city=Paris, France, days=2`.
    fn text_goes_on(&self, after_comma: usize) -> bool {
        let at = self.after_blanks(after_comma);
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        self.byte(at).is_some_and(begins_word)
            && quote_at(self.text.get(at..).unwrap_or_default()).is_none()
            && !key_follows(rest)
    }

    fn skip_string(&mut self) -> Result<(), ReadError> {
        let quote = self.text.get(self.at..).and_then(quote_at);
        let Some(quote) = quote else {
            self.at += 1;
            return Ok(());
        };
        let from = self.at + quote.open_len;
        let close = quote.kind.close_at(&self.inside(Place::Argument), from);
        let Close::At { at, len, .. } = close else {
            return Err(ReadError::CutOff);
        };
        self.at = at + len;
        Ok(())
    }

    /// True for a closing tag or a special token at `at`.
    fn is_tag(&self, at: usize) -> bool {
        self.byte(at) == Some(b'<') && matches!(self.byte(at + 1), Some(b'/' | b'|' | 0xEF))
    }
}

/// True for a name and a colon, as Gemma's template writes them.
fn begins_member(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let text = text.trim_start();
    let after = text.trim_start_matches(is_letter);
    after.len() < text.len() && after.starts_with(':')
}

/// True for a byte of a number or a literal.
fn is_token(byte: u8) -> bool {
    (is_word(byte) && byte != b'\\') || byte == b'+'
}
