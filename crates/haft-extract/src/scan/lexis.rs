//! Where strings end: the one rule that the scanner of streams and the reader of values share.
//!
//! In valid JSON a quote that is not escaped ends its string, and so it does here. Models also
//! write quotes inside strings without escaping them; then what follows a quote tells whether
//! it ends the string or belongs to it. Next door, `lookahead` looks at what follows and `string_end`
//! decides by it, and `quote` knows the kinds of quotes; whole values are read in
//! [`value`](crate::arguments::value).
//!
//! Models leave out closing brackets too, write too many, and mix them up. What follows tells here
//! as well which it was.

mod lookahead;
mod quote;
mod string_end;

use super::{More, Seen, Text};
use crate::scan::bytes::{is_closer, is_letter};
use lookahead::{Answer, Lookahead};

pub(crate) use quote::{Close, GEMMA_BAR, Quote, QuoteKind, QuoteSearch, quote_at};

/// Where a string stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// The key of an object.
    Key,
    /// A value in an object.
    Member,
    /// A value in a list.
    Item,
    /// Between the parentheses of a call: `f(a="x", "y")`.
    Argument,
    /// At top level.
    #[default]
    Alone,
}

/// Says whether the quote just before `after` ends its string. `finished`: nothing follows
/// `after`. A yes or no does not change when more text is appended.
pub(crate) fn quote_ends(after: &[u8], place: Place, finished: bool) -> Seen<bool> {
    match (place, after) {
        (Place::Key, [b':', ..]) => Ok(true),
        (_, [byte, ..]) if byte.is_ascii_alphanumeric() => Ok(false),
        (_, []) if !finished => Err(More),
        // What follows most strings: the next key or the next item.
        (Place::Member, [b',', b' ', b'"', key @ ..] | [b',', b'"', key @ ..])
            if let Some(answer) = plain_key(key, finished) =>
        {
            answer
        }
        (Place::Item, [b',', b' ', b'"', ..] | [b',', b'"', ..]) => Ok(true),
        // What stands behind the closing brackets is no quote that could end the string in its place.
        (Place::Member, [b'}', rest @ ..])
            if let Some(next) = rest.iter().find(|byte| !is_closer(**byte))
                && !matches!(next, b'"' | b'\'') =>
        {
            Ok(true)
        }
        _ => known(Lookahead::new(after, finished).ends_string(place)),
    }
}

/// Says whether nothing but the end of a call follows a string in which the bracket `open` is open.
fn only_ends_follow(open: u8, after: &[u8], finished: bool) -> Seen<bool> {
    known(Lookahead::new(after, finished).ends_call(open))
}

/// Yes for letters, a quote and a colon. A short key may go on; a longer one is left to the look
/// ahead.
fn plain_key(text: &[u8], finished: bool) -> Option<Seen<bool>> {
    match text.iter().position(|byte| !is_letter(*byte)) {
        Some(end) => matches!(text.get(end..), Some([b'"', b':', ..])).then_some(Ok(true)),
        None => (!finished && text.len() < 32).then_some(Err(More)),
    }
}

/// Says whether `text` begins with a key and the sign after it: `"a":`, `b =`.
pub(crate) fn key_follows(text: &[u8]) -> bool {
    key_ahead(text, true) == Ok(true)
}

/// As [`key_follows`], of a text that may go on.
pub(crate) fn key_ahead(text: &[u8], finished: bool) -> Seen<bool> {
    known(Lookahead::doubting(text, finished).key())
}

/// Says whether `text`, from a colon on, shows that the key before it lost its last `quote`, as
/// in `"name: "x"`.
pub(crate) fn value_follows_half_key(text: &[u8], quote: u8, finished: bool) -> Seen<bool> {
    known(Lookahead::doubting(text, finished).value_of_half_key(quote))
}

/// What a look ahead came to, at its end or before.
fn known(answer: Answer) -> Seen<bool> {
    answer.map_or_else(|at_end| at_end, Ok)
}

/// What a closing bracket does that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stray {
    /// It was meant to be the closer of the innermost bracket.
    Instead,
    /// It closes one further out; the closers of those inside it are missing.
    Outer,
    /// It is one too many.
    Nothing,
}

/// Says what the closer `found` just before `after` does. `open`: the closers of the open
/// brackets, outermost first, of which the first `around` are not seen by what is read.
pub(crate) fn stray_closer(found: u8, open: &[u8], around: usize, after: Text<'_>) -> Seen<Stray> {
    let ahead = Lookahead::doubting(after.bytes(0), after.finished);
    let seen = open.get(around..).unwrap_or_default();
    let closer = |levels: usize| seen.iter().rev().nth(levels).copied().unwrap_or(0);
    let fits_outer = open.iter().rev().skip(1).any(|outer| *outer == found);
    if !fits_outer {
        return Ok(match known(ahead.goes_on(closer(0)))? {
            true => Stray::Nothing,
            false => Stray::Instead,
        });
    }
    // `{"a": [1, 2}, "b": 3}`: the object goes on, so only the list ended. In another object it may
    // be that one which goes on.
    let may_go_on = found == b'}' && closer(1) == b'}' && closer(2) != b'}';
    Ok(match may_go_on && known(ahead.next_member())? {
        true => Stray::Instead,
        false => Stray::Outer,
    })
}

/// How many of the last bytes of `text` close `open` brackets, whose closers these are, outermost
/// first, with blanks among them, and whether they close all.
pub(crate) fn closers_before(open: &[u8], text: &[u8]) -> (usize, bool) {
    let signs = text.iter().rev().enumerate();
    let signs = signs.filter(|(_, byte)| !byte.is_ascii_whitespace());
    // The last closes the outermost.
    let pairs = signs.zip(open);
    let closers = pairs.take_while(|((_, byte), closer)| byte == closer);
    let (count, len) = closers.fold((0, 0), |(count, _), ((at, _), _)| (count + 1, at + 1));
    (len, count == open.len())
}

#[cfg(test)]
pub(crate) mod tests;
