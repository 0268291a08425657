//! Where strings end: the one rule that the scanner of streams and the reader of values share.
//!
//! In valid JSON a quote that is not escaped ends its string, and so it does here. Models also
//! write quotes inside strings without escaping them; then what follows a quote tells whether
//! it ends the string or belongs to it. Next door, `quote` knows the kinds of quotes, and `closer`
//! what a wrong closing bracket means; whole values are read in [`value`](crate::arguments::value).

mod ahead;
mod bullet;
mod closer;
mod quote;

use ahead::{Ahead, yes_if};

pub(crate) use bullet::{BULLET_LEN, Bullet, bullet};
pub(crate) use closer::{Around, Stray, stray_closer};
pub(crate) use quote::{
    Close, GEMMA_BAR, Inside, Quote, QuoteKind, next_quote, quote_at, string_end,
};

/// Whether a quote ends its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// It does.
    Yes,
    /// It belongs to the string.
    No,
    /// More text is needed.
    Unclear,
}

/// Where a string stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Alone,
}

/// Says whether the quote just before `after` ends its string. `finished`: nothing follows
/// `after`. A `Yes` or `No` does not change when more text is appended.
pub(crate) fn quote_ends(after: &[u8], place: Place, finished: bool) -> Ends {
    match (place, after) {
        (Place::Key, [b':', ..]) => Ends::Yes,
        (_, [byte, ..]) if byte.is_ascii_alphanumeric() => Ends::No,
        (Place::Member, [b',', b' ', b'"', key @ ..] | [b',', b'"', key @ ..]) => {
            match plain_key(key) {
                Ends::Yes => Ends::Yes,
                Ends::Unclear if !finished => Ends::Unclear,
                _ => Ahead::new(after, finished).decide(place),
            }
        }
        (_, []) if !finished => Ends::Unclear,
        _ => Ahead::new(after, finished).decide(place),
    }
}

/// Whether a key of letters, its quote and a colon, which follow most strings, begin `text`.
fn plain_key(text: &[u8]) -> Ends {
    // Shorter than what the long way looks at.
    const LONG: usize = 128;
    match text.iter().position(|byte| !is_letter(*byte)) {
        None if text.len() < LONG => Ends::Unclear,
        Some(len) => match text.get(len..) {
            Some([b'"', b':', ..]) => Ends::Yes,
            Some([b'"']) if len < LONG => Ends::Unclear,
            _ => Ends::No,
        },
        None => Ends::No,
    }
}

/// Says whether `text` begins with a key and the sign after it: `"a":`, `b =`.
pub(crate) fn key_follows(text: &[u8]) -> bool {
    key_ahead(text, true) == Ends::Yes
}

/// As [`key_follows`], of a text that may go on.
pub(crate) fn key_ahead(text: &[u8], finished: bool) -> Ends {
    Ahead::doubting(text, finished).key()
}

/// Says whether `text`, from a colon on, shows that the key before it lost its last `quote`, as
/// in `"name: "x"`.
pub(crate) fn value_follows_half_key(text: &[u8], quote: u8, finished: bool) -> Ends {
    let mut ahead = Ahead::doubting(text, finished);
    ahead.skip_sign();
    ahead.blanks();
    match ahead.byte(0) {
        Err(end) => return end,
        Ok(byte) if byte != quote => return Ends::No,
        Ok(_) => ahead.at += 1,
    }
    ahead.blanks();
    match ahead.sign() {
        Err(end) => end,
        Ok(sign) => yes_if(!matches!(sign, b':' | b',' | b'}')),
    }
}

/// True for a byte that begins a name.
pub(crate) const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\\') || byte >= 0x80
}

/// True for a byte of a name.
pub(crate) const fn is_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// True for a byte of a name that stands for itself in quotes too.
pub(crate) const fn is_letter(byte: u8) -> bool {
    // Asked for nearly every byte of every key.
    is_word(byte) && byte != b'\\'
}

/// True where a full-width colon or comma, or a space that does not break, ends a name.
pub(crate) fn begins_wide_sign(text: &[u8]) -> bool {
    matches!(text, [0xEF, 0xBC, 0x9A | 0x8C, ..] | [0xC2, 0xA0, ..])
}

#[cfg(test)]
pub(crate) mod tests;
