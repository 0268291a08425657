//! Strings and comments in a scan: where they begin, and how they are skipped.
//!
//! Where strings end is the rule of [`lexis`](crate::scan::lexis).

use memchr::{memchr, memmem};

use super::keys::is_name_key;
use super::{Balance, Skip, is_word};
use crate::formats::Role;
use crate::scan::lexis::{
    Close, Ends, Inside, Place, QuoteKind, is_letter, key_ahead, quote_at, value_follows_half_key,
};
use crate::scan::tag::{Found, read_tag};

impl Balance {
    /// A quote opens a string where a string may stand, not inside a word; false when more text
    /// is needed.
    pub(super) fn open_quote(&mut self, text: &str, byte: u8, finished: bool) -> bool {
        let is_after_mark = matches!(self.last, b',' | b':' | b'{' | b'[' | b'(' | b'=');
        if !is_after_mark && self.is_part_of_word(text.as_bytes(), byte) {
            return self.pass(byte);
        }
        let rest = text.get(self.at..).unwrap_or_default();
        let is_short = match rest.as_bytes() {
            [b'\\' | b'"' | b'\'' | b'`'] => true,
            [one, two] => one == two,
            _ => false,
        };
        if is_short && !finished {
            return false;
        }
        if rest.starts_with("```") {
            self.at += 3;
            self.last = byte;
            return true;
        }
        let Some(quote) = quote_at(rest) else {
            return self.pass(byte);
        };
        let Some(place) = self.place(rest.as_bytes(), finished) else {
            return false;
        };
        let skip = match quote.kind {
            QuoteKind::Double | QuoteKind::Single if place == Place::Key => Skip::Key(byte),
            kind => Skip::String(kind),
        };
        self.begin_string(skip, quote.open_len, place);
        true
    }

    pub(super) fn begin_string(&mut self, skip: Skip, open_len: usize, place: Place) {
        self.skip = Some(skip);
        self.place = place;
        self.at += open_len;
        self.string = self.at..self.at;
    }

    /// Python's prefixes are not part of the word: `r"..."`.
    fn is_part_of_word(&self, bytes: &[u8], byte: u8) -> bool {
        if !is_word(self.last) {
            return false;
        }
        let before = bytes.get(..self.at).unwrap_or_default();
        let is_letter = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u');
        match before {
            [.., last] if *last != self.last => !matches!(byte, b'"' | b'\\'),
            [.., word, one, two] if is_letter(one) && is_letter(two) && !is_word(*word) => false,
            [.., word, one] if is_letter(one) && !is_word(*word) => false,
            [one] if is_letter(one) => false,
            _ => true,
        }
    }

    /// Where what begins at `rest` stands; nothing when more text is needed.
    pub(super) fn place(&self, rest: &[u8], finished: bool) -> Option<Place> {
        Some(if self.brackets.is_in_object() {
            match self.last {
                b'{' | b',' => Place::Key,
                b':' | b'=' => Place::Member,
                // A comma is missing, or Python joins this string with the one before.
                _ => match key_ahead(rest, finished) {
                    Ends::Yes => Place::Key,
                    Ends::No => Place::Member,
                    Ends::Unclear => return None,
                },
            }
        } else if self.brackets.is_in_list() {
            Place::Item
        } else if self.brackets.is_in_parentheses() {
            Place::Argument
        } else {
            Place::Alone
        })
    }

    /// Skips to the end of a string or a comment; false when that has not come yet.
    pub(super) fn skip(&mut self, text: &str, finished: bool) -> bool {
        let bytes = text.as_bytes();
        loop {
            match self.skip {
                None => return true,
                Some(Skip::String(kind)) => return self.skip_string(text, kind, finished),
                Some(Skip::Key(quote)) => {
                    if !self.skip_key(text, quote, finished) {
                        return false;
                    }
                }
                Some(Skip::Line) => {
                    let end = memchr(b'\n', bytes.get(self.at..).unwrap_or_default());
                    return self.end_comment(bytes, end, bytes.len());
                }
                Some(Skip::Block) => {
                    let end = memmem::find(bytes.get(self.at..).unwrap_or_default(), b"*/");
                    let is_half = !finished && bytes.ends_with(b"*");
                    let rest = bytes.len().saturating_sub(usize::from(is_half));
                    return self.end_comment(bytes, end.map(|end| end + 2), rest.max(self.at));
                }
            }
        }
    }

    fn end_comment(&mut self, bytes: &[u8], end: Option<usize>, rest: usize) -> bool {
        match end {
            Some(end) => {
                self.at = (self.at + end).min(bytes.len());
                self.skip = None;
                true
            }
            None => {
                self.at = rest;
                false
            }
        }
    }

    fn skip_string(&mut self, text: &str, kind: QuoteKind, finished: bool) -> bool {
        let search = Inside {
            text: text.as_bytes(),
            place: self.place,
            finished,
        };
        let close = kind.close_at(&search, self.at);
        let close = match kind.end_of_call() {
            Some(token) => self.before_end_of_call(text, (token, close), finished),
            None => close,
        };
        match close {
            Close::At { at, len, .. } => {
                self.end_string(text, at, len);
                true
            }
            Close::More(at) => {
                self.at = at;
                false
            }
            Close::Never => {
                self.at = text.len();
                false
            }
        }
    }

    /// Where a string ends that would close at `close`, or never: earlier, if the `token` that ends
    /// its call comes before that, and the reply goes on behind it as it does after calls. The
    /// closing quote was left out then.
    fn before_end_of_call(
        &self,
        text: &str,
        (token, close): (&str, Close),
        finished: bool,
    ) -> Close {
        let end = match close {
            Close::At { at, .. } => at,
            Close::More(_) | Close::Never => text.len(),
        };
        let (mut at, mut known) = (self.at, self.at);
        while let Some(found) = memchr(b'<', text.as_bytes().get(at..end).unwrap_or_default()) {
            at += found;
            let rest = text.get(at..end).unwrap_or_default();
            if !rest.starts_with(token) {
                at += 1;
                continue;
            }
            let after = text.get(at + token.len()..).unwrap_or_default();
            let (closers, are_all) = self.brackets.closers_before(text, self.string.start..at);
            let is_over = match after.as_bytes().first() {
                Some(b'\n' | b'\r') if are_all => Ends::Yes,
                _ => is_between_calls(after, finished),
            };
            match is_over {
                Ends::Yes => {
                    let (at, inner) = (at - closers, false);
                    return Close::At { at, len: 0, inner };
                }
                Ends::Unclear => return Close::More(at),
                Ends::No => at += token.len(),
            }
            known = at;
        }
        match close {
            // The last bytes may begin the token.
            Close::More(from) => {
                let last = text.len().saturating_sub(token.len() - 1);
                Close::More(from.min(text.floor_char_boundary(last)).max(known))
            }
            close => close,
        }
    }

    /// Skips the letters of a key; most end with them, and one that lost its last quote is told
    /// by the sign after them.
    fn skip_key(&mut self, text: &str, quote: u8, finished: bool) -> bool {
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let Some(len) = rest.iter().position(|byte| !is_letter(*byte)) else {
            self.at = text.len();
            return false;
        };
        let rest = rest.get(len..).unwrap_or_default();
        if rest.starts_with(&[quote, b':']) {
            self.end_string(text, self.at + len, 1);
            return true;
        }
        self.at += len;
        if rest == [quote] && !finished {
            return false;
        }
        let is_half = match rest {
            [b':' | b'=', ..] if self.at > self.string.start => {
                value_follows_half_key(rest, quote, finished)
            }
            _ => Ends::No,
        };
        match is_half {
            Ends::Yes => self.end_string(text, self.at, 0),
            Ends::No if quote == b'"' => self.skip = Some(Skip::String(QuoteKind::Double)),
            Ends::No => self.skip = Some(Skip::String(QuoteKind::Single)),
            Ends::Unclear => return false,
        }
        true
    }

    /// Ends the string before `end`, and notes the names of members and the name of the call.
    fn end_string(&mut self, text: &str, end: usize, close_len: usize) {
        self.string.end = end;
        self.at = end + close_len;
        self.skip = None;
        self.last = b'"';
        if self.brackets.depth() == self.level && self.brackets.is_in_object() {
            if self.place == Place::Key {
                self.key = self.string.clone();
            } else if self.name.is_none() && is_name_key(self.key(text)) {
                self.name = Some(self.string.clone());
            }
        }
    }

    /// A comment stands between the parts of a value; false when more text is needed.
    pub(super) fn open_comment(&mut self, bytes: &[u8], byte: u8, finished: bool) -> bool {
        let next = bytes.get(self.at + 1).copied();
        let is_after_blank = || {
            let before = self.at.checked_sub(1).and_then(|at| bytes.get(at));
            matches!(before, Some(b' ' | b'\t' | b'\n' | b'\r'))
        };
        let may_stand = match self.last {
            // `#ff0000` is a value, and so is `https://example.org`.
            b':' | b'=' if byte == b'/' => is_after_blank(),
            b':' | b'=' => !next.is_some_and(|next| next.is_ascii_alphanumeric()),
            // Text without quotes may hold the sign, and stands between parentheses mostly.
            last if is_word(last) => is_after_blank() && !self.brackets.is_in_parentheses(),
            _ => true,
        };
        if !may_stand {
            return self.pass(byte);
        }
        if next.is_none() && !finished {
            return false;
        }
        self.skip = match (byte, next) {
            (b'#', _) | (_, Some(b'/')) => Some(Skip::Line),
            (_, Some(b'*')) => Some(Skip::Block),
            _ => return self.pass(byte),
        };
        self.at += if byte == b'#' { 1 } else { 2 };
        true
    }
}

/// True where a reply stands between two calls or after the last: it is over, or a token follows
/// that is no quote.
fn is_between_calls(after: &str, finished: bool) -> Ends {
    let after = after.trim_ascii_start();
    if after.is_empty() {
        return if finished { Ends::Yes } else { Ends::Unclear };
    }
    match read_tag(after, finished) {
        Found::More => Ends::Unclear,
        Found::Yes(tag) => match tag.marker.map(|marker| marker.role) {
            None | Some(Role::Quote) => Ends::No,
            Some(_) => Ends::Yes,
        },
        Found::No => Ends::No,
    }
}
