//! Strings and comments in a scan: where they begin, and how they are skipped.
//!
//! Where strings end is the rule of [`lexis`](crate::scan::lexis).

use memchr::{memchr, memchr_iter, memmem};

use super::Balance;
use super::keys::is_name_key;
use crate::scan::bytes::{is_bare, is_blank, is_letter, is_prefix};
use crate::scan::lexis::{
    Close, Place, QuoteKind, QuoteSearch, closers_before, key_ahead, quote_at,
    value_follows_half_key,
};
use crate::scan::tag::tag_at;
use crate::scan::{More, Seen, Text};
use crate::{formats::Role, limits};

/// What is being skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    /// A string in these quotes.
    String(QuoteKind),
    /// A comment, by the end of the line.
    Line,
    /// A comment, by `*/`.
    Block,
}

impl Balance {
    /// A quote opens a string where a string may stand, not inside a word.
    pub(super) fn open_quote(&mut self, text: Text<'_>, byte: u8) -> Seen<()> {
        let quote = match text.bytes(self.at) {
            _ if self.is_part_of_word(text, byte) => None,
            [b'\\' | b'"' | b'\'' | b'`'] if !text.finished => return Err(More),
            [one, two] if one == two && !text.finished => return Err(More),
            // A fence, up to its last tick.
            [b'`', b'`', b'`', ..] => {
                self.at += 2;
                None
            }
            _ => quote_at(text.rest(self.at)),
        };
        let Some(quote) = quote else {
            self.pass(byte);
            return Ok(());
        };
        let place = self.place(text)?;
        let ended_key = match place {
            Place::Key if matches!(quote.kind, QuoteKind::Double | QuoteKind::Single) => {
                ended_key(text, self.at + 1, byte)?
            }
            _ => None,
        };
        self.begin_string(quote.kind, quote.open_len, place);
        match ended_key {
            Some((end, close_len)) => self.end_string(text, end, close_len),
            None => self.skip_string(text, quote.kind)?,
        }
        Ok(())
    }

    /// Steps over a string that begins as strict JSON has it, as nearly all do, and over the colon
    /// behind a key; false where more has to be looked at.
    pub(super) fn strict_string(&mut self, text: Text<'_>) -> Seen<bool> {
        let place = match (self.open.last(), self.last) {
            (Some(b'}'), b'{' | b',') => Place::Key,
            (Some(b'}'), b':') => Place::Member,
            (Some(b']'), b'[' | b',') => Place::Item,
            _ => return Ok(false),
        };
        let content = text.bytes(self.at + 1);
        if place != Place::Key {
            // Two quotes may open a longer one.
            let is_single = content.first().is_some_and(|byte| *byte != b'"');
            if is_single {
                self.begin_string(QuoteKind::Double, 1, place);
                self.skip_string(text, QuoteKind::Double)?;
            }
            return Ok(is_single);
        }
        let len = letters_len(content);
        let is_key = len > 0 && matches!(content.get(len..), Some([b'"', b':', ..]));
        if is_key {
            self.begin_string(QuoteKind::Double, 1, place);
            self.end_string(text, self.at + len, 1);
            self.pass(b':');
        }
        Ok(is_key)
    }

    pub(super) fn begin_string(&mut self, kind: QuoteKind, open_len: usize, place: Place) {
        self.skip = Some(Skip::String(kind));
        self.place = place;
        self.at += open_len;
        self.string = self.at..self.at;
    }

    /// Python's prefixes are not part of the word: `r"..."`.
    fn is_part_of_word(&self, text: Text<'_>, byte: u8) -> bool {
        let before = text.text.as_bytes().get(..self.at).unwrap_or_default();
        match before {
            _ if !is_bare(self.last) => false,
            [.., last] if *last != self.last => !matches!(byte, b'"' | b'\\'),
            [.., word, one, two] if is_prefix(*one) && is_prefix(*two) && !is_bare(*word) => false,
            [.., word, one] if is_prefix(*one) && !is_bare(*word) => false,
            [one] if is_prefix(*one) => false,
            _ => true,
        }
    }

    /// Where what begins here stands.
    pub(super) fn place(&self, text: Text<'_>) -> Seen<Place> {
        Ok(match (self.open.last(), self.last) {
            (Some(b'}'), b'{' | b',') => Place::Key,
            (Some(b'}'), b':' | b'=') => Place::Member,
            // A comma is missing, or Python joins this string with the one before.
            (Some(b'}'), _) => match key_ahead(text.bytes(self.at), text.finished)? {
                true => Place::Key,
                false => Place::Member,
            },
            (Some(b']'), _) => Place::Item,
            (Some(_), _) => Place::Argument,
            (None, _) => Place::Alone,
        })
    }

    /// Skips to the end of the string or the comment at hand, if there is one.
    // Each chunk of a long string comes here.
    #[inline(always)]
    pub(super) fn go_on_skipping(&mut self, text: Text<'_>) -> Seen<()> {
        let rest = text.bytes(self.at);
        let (end, known) = match self.skip {
            None => return Ok(()),
            Some(Skip::String(kind)) => return self.skip_string(text, kind),
            Some(Skip::Line) => (memchr(b'\n', rest), rest.len()),
            Some(Skip::Block) => {
                let is_half = !text.finished && rest.ends_with(b"*");
                let end = memmem::find(rest, b"*/").map(|end| end + 2);
                (end, rest.len() - usize::from(is_half))
            }
        };
        self.at += end.unwrap_or(known);
        self.skip = self.skip.filter(|_| end.is_none());
        end.map(|_| ()).ok_or(More)
    }

    /// Inlined, as nearly all strings are of one kind, which is known while compiling.
    #[inline]
    fn skip_string(&mut self, text: Text<'_>, kind: QuoteKind) -> Seen<()> {
        let close = kind.close_at(text, self.place, self.string.start..self.at);
        let close = match kind.end_of_call() {
            Some(token) => self.before_end_of_call(text, token, close),
            None => close,
        };
        let Close { at, len, .. } = close.map_err(|at| {
            self.at = if text.finished { text.text.len() } else { at };
            More
        })?;
        self.end_string(text, at, len);
        Ok(())
    }

    /// Where a string ends that would close at `close`, or never: earlier, if the `token` that ends
    /// its call comes before that, and the reply goes on behind it as it does after calls. The
    /// closing quote was left out then.
    #[inline(never)]
    fn before_end_of_call(&self, text: Text<'_>, token: &str, close: QuoteSearch) -> QuoteSearch {
        let end = close.map_or(text.text.len(), |close| close.at);
        let mut known = self.at;
        let before = text.text.as_bytes().get(..end).unwrap_or_default();
        let find = |from: usize| find_token(before.get(from..)?, token);
        while let Some(found) = find(known) {
            let at = known + found;
            let string = before.get(self.string.start..at);
            let (closers, are_all) = closers_before(&self.open, string.unwrap_or_default());
            let after = text.rest(at + token.len());
            let is_over = match after.as_bytes().first() {
                Some(b'\n' | b'\r') if are_all => Ok(true),
                _ => is_between_calls(after, text.finished),
            };
            match is_over {
                Ok(true) => {
                    let (at, inner) = (at - closers, false);
                    return Ok(Close { at, len: 0, inner });
                }
                Ok(false) => known = at + token.len(),
                Err(More) => return Err(at),
            }
        }
        close.map_err(|from| {
            // The last bytes may begin the token.
            let last = text.text.len().saturating_sub(token.len() - 1);
            from.min(text.text.floor_char_boundary(last)).max(known)
        })
    }

    /// Ends the string before `end`, and notes the names of members and the name of the call.
    fn end_string(&mut self, text: Text<'_>, end: usize, close_len: usize) {
        self.string.end = end;
        self.at = end + close_len;
        self.skip = None;
        self.last = b'"';
        if self.open.len() == self.level && self.is_in(b'}') {
            if self.place == Place::Key {
                self.key = self.string.clone();
            } else if self.name.is_none() && is_name_key(self.key(text.text)) {
                self.name = Some(self.string.clone());
            }
        }
    }

    /// A comment stands between the parts of a value.
    pub(super) fn open_comment(&mut self, text: Text<'_>, byte: u8) -> Seen<()> {
        let next = text.byte(self.at + 1);
        let before = self.at.checked_sub(1).and_then(|at| text.byte(at));
        let is_after_blank = before.is_some_and(is_blank);
        let may_stand = match self.last {
            // `#ff0000` is a value, and so is `https://example.org`.
            b':' | b'=' if byte == b'/' => is_after_blank,
            b':' | b'=' => !next.is_some_and(|next| next.is_ascii_alphanumeric()),
            // Text without quotes may hold the sign, and stands between parentheses mostly.
            last if is_bare(last) => is_after_blank && !self.is_in(b')'),
            _ => true,
        };
        if may_stand && next.is_none() && !text.finished {
            return Err(More);
        }
        self.skip = match (byte, next) {
            (b'#', _) | (_, Some(b'/')) if may_stand => Some(Skip::Line),
            (_, Some(b'*')) if may_stand => Some(Skip::Block),
            _ => {
                self.pass(byte);
                return Ok(());
            }
        };
        self.at += if byte == b'#' { 1 } else { 2 };
        self.go_on_skipping(text)
    }
}

/// Where a token stands that begins with `<`: most texts hold no such sign.
fn find_token(text: &[u8], token: &str) -> Option<usize> {
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    memchr_iter(b'<', text).find(|at| rest(*at).starts_with(token.as_bytes()))
}

/// The length of the letters at the beginning, as far as those of a key are counted.
fn letters_len(text: &[u8]) -> usize {
    let near = text.get(..limits::KEY).unwrap_or(text);
    let end = near.iter().position(|byte| !is_letter(*byte));
    end.unwrap_or(near.len())
}

/// Where a key of letters ends that begins at `start`, and the length of its last quote: most
/// keys are like that. One that lost its last quote is told by the sign after it.
fn ended_key(text: Text<'_>, start: usize, quote: u8) -> Seen<Option<(usize, usize)>> {
    let content = text.bytes(start);
    let len = letters_len(content);
    let end = start + len;
    match text.bytes(end) {
        [] if !text.finished && len < limits::KEY => Err(More),
        [last, b':', ..] if *last == quote => Ok(Some((end, 1))),
        rest @ [b':' | b'=', ..] if len > 0 => {
            let is_half = value_follows_half_key(rest, quote, text.finished)?;
            Ok(is_half.then_some((end, 0)))
        }
        _ => Ok(None),
    }
}

/// True where a reply stands between two calls or after the last: it is over, or a token follows
/// that is no quote.
fn is_between_calls(after: &str, finished: bool) -> Seen<bool> {
    let text = after.trim_ascii_start();
    if text.is_empty() {
        return finished.then_some(true).ok_or(More);
    }
    let marker = tag_at(Text { text, finished }, 0)?.and_then(|tag| tag.marker);
    Ok(marker.is_some_and(|marker| marker.role != Role::Quote))
}
