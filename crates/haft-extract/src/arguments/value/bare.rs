//! Values without quotes: numbers, literals, and text up to where it must end.

use haft_schema::{RepairKind, names_a_result};
use serde_json::{Number, Value};

use super::{ReadError, ValueReader};
use crate::limits;
use crate::scan::bytes::{begins_wide_sign, begins_word, is_closer, is_word};
use crate::scan::{GEMMA_BAR, Place, key_follows, near};

impl<'t> ValueReader<'t> {
    /// A value that has no quotes.
    pub(super) fn bare(&mut self, place: Place) -> Result<Value, ReadError> {
        let (source, start) = (self.source, self.at);
        let mut end = start;
        while source.byte(end).is_some_and(is_token) && !begins_wide_sign(source.bytes(end)) {
            end += 1;
        }
        let token = self.slice(start, end);
        if token == "dict" && source.byte(end) == Some(b'(') {
            self.at = end;
            return self.dict();
        }
        let grouped = self.groups_end(token, end, place);
        for end in [grouped, end] {
            if self.is_delimited(end, place)
                && let Some(value) = self.scalar(self.slice(start, end))
            {
                if value.is_number() && end == source.len() && self.may_go_on() {
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
        let digits = token.trim_start_matches(['-', '+']);
        let is_head = matches!(digits.len(), 1..=3) && digits.bytes().all(|b| b.is_ascii_digit());
        let mut at = end;
        while is_head
            && self.is_named_value(place)
            && let [b',', group @ ..] = self.source.bytes(at)
            && group.iter().take_while(|b| b.is_ascii_digit()).count() == 3
        {
            at += 4;
        }
        at
    }

    /// True behind the name of a member or an argument.
    fn is_named_value(&self, place: Place) -> bool {
        place == Place::Member || (place == Place::Argument && self.is_named)
    }

    /// A number or a literal.
    fn scalar(&mut self, token: &str) -> Option<Value> {
        let digits = match token.contains(',') {
            true => &token.replace(',', ""),
            false => token,
        };
        if let Some((number, is_mended)) = number(digits) {
            if is_mended || digits.len() < token.len() {
                self.mend_json(RepairKind::NumberRepaired, token, number.as_str());
            }
            return Some(Value::Number(number));
        }
        let (value, meant) = match token {
            "true" | "True" | "TRUE" => (Value::Bool(true), "true"),
            "false" | "False" | "FALSE" => (Value::Bool(false), "false"),
            "null" | "None" | "NULL" | "Null" | "nil" | "undefined" => (Value::Null, "null"),
            _ => return None,
        };
        if token != meant {
            self.mend_json(RepairKind::PythonLiteral, token, meant);
        }
        Some(value)
    }

    /// True when a number, a literal or a tuple may end at `at`.
    pub(super) fn is_delimited(&self, at: usize, place: Place) -> bool {
        let blanks = self.source.bytes(at).iter();
        let blanks = blanks.take_while(|byte| matches!(byte, b' ' | b'\t'));
        let next = at + blanks.count();
        let is_apart = next > at;
        let rest = self.source.bytes(next);
        match rest {
            [] | [b',' | b';' | b']' | b'}' | b')' | b'\n' | b'\r' | b'#', ..] => true,
            _ if begins_wide_sign(rest) => true,
            [b'/', ..] => matches!(rest, [_, b'/' | b'*', ..]) && is_apart,
            [b'<', ..] => is_tag(rest),
            _ if place == Place::Alone => is_apart && !matches!(rest, [b'"' | b'\'', ..]),
            [b'"' | b'\'', ..] => is_apart,
            [byte, ..] => {
                is_apart && place != Place::Item && begins_word(*byte) && key_follows(rest)
            }
        }
    }

    /// Text up to where it must end: `New York`, `3/4`, `date(2024, 1, 2)`.
    pub(super) fn bare_text(&mut self, place: Place) -> Result<Value, ReadError> {
        if place == Place::Alone {
            return Err(self.expected("a value"));
        }
        if let Some(text) = self.unopened_text() {
            self.repair(RepairKind::QuotesRepaired, "", "the opening token");
            self.at += text.len() + GEMMA_BAR.len();
            return Ok(Value::String(text.to_owned()));
        }
        let joins = self.is_named_value(place);
        let start = self.at;
        let mut depth = 0_usize;
        // A quote opens a string only inside brackets and where a value may begin.
        let mut begins_value = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                byte if is_closer(byte) && depth == 0 => break,
                byte if is_closer(byte) => depth -= 1,
                b'"' | b'\'' if depth > 0 && begins_value => {
                    let quote = self.quote_from(self.at).ok_or(ReadError::CutOff)?;
                    let close = self.close_of(quote, Place::Argument)?;
                    self.at = close.at + close.len;
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
        if self.at == self.source.len() && (depth > 0 || self.may_go_on()) {
            return Err(ReadError::CutOff);
        }
        let written = self.slice(start, self.at).trim_end();
        if written.is_empty() || is_result(written) {
            return Err(self.expected("a value"));
        }
        self.at += self.closing_token();
        Ok(Value::String(self.meant(written)))
    }

    /// A text over several lines or with tags whose opening token was left out: up to the closing
    /// one, if nothing in it may be the next member.
    pub(super) fn unopened_text(&self) -> Option<&'t str> {
        let rest = near(self.source.rest(self.at), limits::SEARCHED);
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
        let quote = self.quote_from(self.at);
        let token = quote.filter(|quote| quote.kind.is_token());
        token.map_or(0, |quote| quote.open_len)
    }

    /// The text that was meant by one without quotes, or with a quote at its end only.
    fn meant(&mut self, written: &str) -> String {
        let unquoted = written
            .strip_suffix('"')
            .filter(|text| !text.contains('"') && !text.ends_with(|c: char| c.is_ascii_digit()));
        match unquoted {
            Some(text) => self.repair(RepairKind::QuotesRepaired, written, text),
            None => self.repair(RepairKind::BareText, written, ""),
        }
        unquoted.unwrap_or(written).replace("\\_", "_")
    }

    /// True when a text that began at `start` ends here, outside all brackets.
    fn text_ends(&self, start: usize, joins: bool) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.source.byte(at));
        let is_apart = self.at > start && matches!(before, Some(b' ' | b'\t' | b'\n'));
        let rest = self.rest();
        let after = self.after_blanks(self.at + 1);
        match rest {
            // `city=Paris, France, days=2`.
            [b',', ..] if joins && self.source.byte(after).is_some_and(begins_word) => {
                self.begins_part(after)
            }
            [b',', ..] => true,
            [b';', ..] => key_follows(self.source.bytes(after)),
            [b'\n', ..] => after >= self.source.len() || self.begins_part(after),
            [b'<', ..] => is_tag(rest),
            [b'#', ..] | [b'/', b'/' | b'*', ..] => is_apart,
            [b'"' | b'\'', ..] => is_apart && key_follows(rest),
            _ => false,
        }
    }

    /// True where a text in quotes begins at `at`, or a name and its sign.
    pub(super) fn begins_part(&self, at: usize) -> bool {
        self.quote_from(at).is_some() || key_follows(self.source.bytes(at))
    }
}

/// True for the variable of a program that holds the result of another call: `search_results`.
fn is_result(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_name) && names_a_result(text)
}

/// True for a closing tag or a special token.
fn is_tag(text: &[u8]) -> bool {
    matches!(text, [b'<', b'/' | b'|' | 0xEF, ..])
}

/// True for a name and a colon, as Gemma's template writes them.
fn begins_member(text: &str) -> bool {
    let text = text.trim_start();
    let after = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    after.len() < text.len() && after.starts_with(':')
}

/// True for a byte of a number or a literal.
fn is_token(byte: u8) -> bool {
    (is_word(byte) && byte != b'\\') || byte == b'+'
}

/// A number and whether its form was another than JSON's. None for text: `007`, `1.2.3`, `5kg`.
/// It keeps its zeros and its exponent: where text is wanted, these letters are the text.
fn number(token: &str) -> Option<(Number, bool)> {
    if !token.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return None;
    }
    let plain = token.parse().ok().map(|number| (number, false));
    plain.or_else(|| Some((repaired_number(token)?.parse().ok()?, true)))
}

/// JSON's form of a number in another form: `+5`, `.5`, `5.`, `1_000`, `0x1F`.
fn repaired_number(token: &str) -> Option<String> {
    let sign = if token.starts_with('-') { "-" } else { "" };
    let rest = token.strip_prefix(['-', '+']).unwrap_or(token);
    let (prefix, digits) = rest.split_at_checked(2).unwrap_or_default();
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => 10,
    };
    // A sign behind the prefix is none of the number.
    if radix != 10 && !digits.starts_with('+') {
        let number = u128::from_str_radix(digits, radix).ok()?;
        return Some(format!("{sign}{number}"));
    }
    let rest = without_groups(rest)?;
    let first = rest.bytes().next()?;
    let zero = if first == b'.' { "0" } else { "" };
    let end = if rest.ends_with('.') { "0" } else { "" };
    let is_number = first.is_ascii_digit() || (first == b'.' && rest.len() > 1);
    is_number.then(|| format!("{sign}{zero}{rest}{end}"))
}

/// `1_000_000` without its underscores; only where they stand between groups of three.
fn without_groups(text: &str) -> Option<String> {
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let (whole, rest) = text.split_at_checked(end)?;
    let is_grouped = whole.split_once('_').is_none_or(|(head, groups)| {
        (1..=3).contains(&head.len()) && groups.split('_').all(|group| group.len() == 3)
    });
    is_grouped.then(|| format!("{}{rest}", whole.replace('_', "")))
}
