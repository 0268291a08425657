//! Strings: their quotes, Python's prefixes, and their escapes.

use haft_schema::RepairKind;
use serde_json::Number;

use super::{ReadError, ValueReader};
use crate::scan::bytes::string_prefix;
use crate::scan::{Close, Place, Quote, QuoteKind, closers_before, key_follows, quote_at};

impl ValueReader<'_> {
    /// The quote that opens a string here, with Python's prefix, if one does.
    pub(super) fn quote(&self) -> Option<Quote> {
        let prefix = string_prefix(self.rest());
        let mut quote = self.quote_from(self.at + prefix)?;
        quote.open_len += prefix;
        Some(quote)
    }

    /// The quote at `at`.
    pub(super) fn quote_from(&self, at: usize) -> Option<Quote> {
        quote_at(self.source.rest(at))
    }

    /// The string that begins here, and those side by side with it, which Python joins.
    pub(super) fn string(&mut self, quote: Quote, place: Place) -> Result<String, ReadError> {
        let mut text = self.one_string(quote, place)?;
        if !matches!(place, Place::Member | Place::Argument) {
            return Ok(text);
        }
        loop {
            let end = self.at;
            self.at = self.after_blanks(end);
            let next = self.quote().filter(|_| !key_follows(self.rest()));
            let Some(next) = next else {
                self.at = end;
                return Ok(text);
            };
            self.mend_json(RepairKind::QuotesRepaired, "strings side by side", "one");
            text.push_str(&self.one_string(next, place)?);
        }
    }

    fn one_string(&mut self, quote: Quote, place: Place) -> Result<String, ReadError> {
        let Quote { open_len, kind } = quote;
        if kind.is_token() {
            self.skip_doubled(open_len, false);
        }
        let (start, from) = (self.at, self.at + open_len);
        let close = match self.close_of(quote, place) {
            Err(_) if kind.is_token() && !self.cut => self.close_at_end(from),
            close => close?,
        };
        let end = close.at;
        let content = self.slice(from, end);
        self.at = end + close.len;
        if content.is_empty() && self.cut && self.at == self.source.len() {
            // It may have become the first two of three quotes.
            return Err(ReadError::CutOff);
        }
        let content = match close.inner {
            true => {
                self.repair(RepairKind::InnerQuote, content, "");
                without_doubled_quote(content)
            }
            false => content,
        };
        if kind.is_token() {
            return Ok(self.token_string(content, from, open_len));
        }
        let opening = self.slice(start, from);
        if kind != QuoteKind::Double || opening != "\"" {
            let written = self.slice(start, self.at);
            self.mend_json(RepairKind::QuotesRepaired, written, content);
        }
        if !self.is_python && content.bytes().any(|byte| byte < 0x20) {
            self.repair(RepairKind::RawControl, content, content);
        }
        let content = match kind {
            QuoteKind::Escaped => &content.replace("\\\\", "\\").replace("\\\"", "\""),
            _ => content,
        };
        Ok(match opening.contains(['r', 'R']) {
            true => content.to_owned(),
            false => self.unescaped(content),
        })
    }

    /// What closes the string that `quote` opens here.
    pub(super) fn close_of(&self, quote: Quote, place: Place) -> Result<Close, ReadError> {
        let from = self.at + quote.open_len;
        let close = quote.kind.close_at(self.source, place, from..from);
        close.map_err(|_| ReadError::CutOff)
    }

    /// The text of a string between tokens, of which models write too many or too few.
    fn token_string(&mut self, content: &str, from: usize, token_len: usize) -> String {
        self.skip_doubled(token_len, true);
        let is_over = self.ends_value(self.at);
        let Some(comma) = next_member(content).filter(|_| !is_over) else {
            return content.to_owned();
        };
        // What looked like the closing token opens the next text.
        self.repair(RepairKind::QuotesRepaired, "", "the closing token");
        self.at = from + comma;
        let text = content.get(..comma).unwrap_or(content);
        // Of the token that closed it a part may be left.
        let token = self.slice(from - token_len, from);
        let parts = [token.get(..token_len - 1), token.get(1..)];
        let mut parts = parts.into_iter().flatten();
        let whole = parts.find_map(|part| text.strip_suffix(part));
        whole.unwrap_or(text).to_owned()
    }

    /// Steps over tokens that were written twice: before a text, or `behind` one.
    fn skip_doubled(&mut self, len: usize, behind: bool) {
        let text = self.source;
        let is_token = |at: usize| {
            let quote = quote_at(text.rest(at));
            quote.is_some_and(|quote| quote.kind.is_token() && quote.open_len == len)
        };
        let mut next = self.at + len * usize::from(!behind);
        while is_token(next) && self.ends_value(next + len) == behind {
            self.repair(RepairKind::QuotesRepaired, "a token twice", "once");
            self.at += len;
            next += len;
        }
    }

    /// True where a value may end at `at`.
    pub(super) fn ends_value(&self, at: usize) -> bool {
        let next = self.source.byte(self.after_blanks(at));
        matches!(next, None | Some(b',' | b'}' | b']' | b')' | b';'))
    }

    /// Where a string whose closing token was left out ends: before the brackets that close at the
    /// end of the text.
    fn close_at_end(&mut self, from: usize) -> Close {
        let (closers, _) = closers_before(&self.open, self.source.bytes(from));
        let end = self.source.len() - closers;
        let mut text = self.slice(from, end).trim_ascii_end();
        while let Some(before) = before_plain_member(text) {
            text = before;
        }
        let at = from + text.len();
        self.repair(RepairKind::QuotesRepaired, "", "the closing token");
        let (len, inner) = (0, false);
        Close { at, len, inner }
    }

    fn unescaped(&mut self, content: &str) -> String {
        let mut text = String::with_capacity(content.len());
        let mut rest = content;
        while let Some((run, escape)) = rest.split_once('\\') {
            text.push_str(run);
            // Python continues a line so.
            let continued = escape.strip_prefix('\n').filter(|_| self.is_python);
            rest = continued.unwrap_or_else(|| {
                let (meant, len) = self.escape(escape).unwrap_or(('\\', 0));
                text.push(meant);
                escape.get(len..).unwrap_or_default()
            });
        }
        text.push_str(rest);
        text
    }

    /// What the escape after a backslash means, and its length; none where the backslash itself was
    /// meant.
    fn escape(&mut self, escape: &str) -> Option<(char, usize)> {
        let first = escape.chars().next()?;
        let len = first.len_utf8();
        let written = escape.get(..len).unwrap_or_default();
        let meant = match first {
            '"' | '\\' | '/' => first,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.code_unit(escape),
            'x' => return self.code_point(escape, 1, 2),
            'U' => return self.code_point(escape, 1, 8),
            '\'' => {
                self.mend_json(RepairKind::EscapeRepaired, "\\'", "'");
                first
            }
            '0' if !escape.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
                self.repair(RepairKind::EscapeRepaired, "\\0", "the null character");
                '\0'
            }
            // A path, a command, a formula or a pattern whose backslash should have been doubled.
            _ if first.is_alphanumeric() || ".()[]{}+?|^ ;:%,=@".contains(first) => {
                let (before, after) = (format!("\\{written}"), format!("\\\\{written}"));
                self.mend_json(RepairKind::EscapeRepaired, &before, &after);
                return None;
            }
            // Python keeps the backslash too, but for what Markdown escapes.
            _ if self.is_python && !"_*#-~`".contains(first) => return None,
            _ => {
                self.repair(RepairKind::EscapeRepaired, &format!("\\{written}"), written);
                first
            }
        };
        Some((meant, len))
    }

    /// `u0041`, a pair of surrogates, or `u{41}`.
    fn code_unit(&mut self, escape: &str) -> Option<(char, usize)> {
        if let Some(inside) = escape.strip_prefix("u{")
            && let Some(len) = inside.find('}').filter(|len| (1..=6).contains(len))
        {
            let found = self.code_point(escape, 2, len);
            return found.map(|(found, taken)| (found, taken + 1));
        }
        let Some(unit) = hexadecimal(escape, 1, 4) else {
            return self.code_point(escape, 1, 4);
        };
        if let 0xD800..=0xDBFF = unit
            && escape.get(5..7) == Some("\\u")
            && let Some(low @ 0xDC00..=0xDFFF) = hexadecimal(escape, 7, 4)
        {
            let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            return Some((char::from_u32(code)?, 11));
        }
        let found = char::from_u32(unit).unwrap_or_else(|| {
            let before = "half a surrogate pair";
            self.repair(RepairKind::EscapeRepaired, before, "\u{FFFD}");
            '\u{FFFD}'
        });
        Some((found, 5))
    }

    /// The character whose number stands in `digits` hexadecimal digits from `from` on.
    fn code_point(&mut self, escape: &str, from: usize, digits: usize) -> Option<(char, usize)> {
        let found = hexadecimal(escape, from, digits).and_then(char::from_u32);
        let Some(found) = found else {
            self.mend_json(RepairKind::EscapeRepaired, "\\", "\\\\");
            return None;
        };
        let written = escape.get(..from + digits).unwrap_or_default();
        self.mend_json(RepairKind::EscapeRepaired, written, &found.to_string());
        Some((found, from + digits))
    }
}

/// `Oslo` of `""Oslo"` and `"Oslo""`, where one of the quotes was written twice. Behind a digit it is
/// the sign of inches, behind a backslash a part of the text.
fn without_doubled_quote(content: &str) -> &str {
    let is_sign = |inner: &&str| inner.ends_with(|c: char| c.is_ascii_digit() || c == '\\');
    let at_the_end = || content.strip_suffix('"').filter(|inner| !is_sign(inner));
    let inner = content.strip_prefix('"').or_else(at_the_end);
    inner
        .filter(|inner| !inner.contains('"'))
        .unwrap_or(content)
}

fn hexadecimal(text: &str, from: usize, digits: usize) -> Option<u32> {
    let digits = text.get(from..from + digits)?;
    // A sign is no digit.
    let number = u32::from_str_radix(digits, 16).ok();
    number.filter(|_| !digits.starts_with('+'))
}

/// Where the comma stands before a name and a colon that a text ends with: `one,second:`.
fn next_member(text: &str) -> Option<usize> {
    let text = text.trim_end().strip_suffix(':')?;
    let before = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let comma = before.trim_end().strip_suffix(',')?;
    (before.len() < text.len()).then_some(comma.len())
}

/// What stands before the comma of a member with a number or a literal that a text ends with, as
/// templates write it: `one,second:2`.
fn before_plain_member(text: &str) -> Option<&str> {
    let (before, member) = text.rsplit_once(',')?;
    let (name, value) = member.split_once(':')?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_name = name.bytes().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit());
    let is_plain = matches!(value, "true" | "false" | "null") || value.parse::<Number>().is_ok();
    (is_name && !name.is_empty() && is_plain).then_some(before)
}
