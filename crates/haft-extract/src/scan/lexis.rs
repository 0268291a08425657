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

use super::{More, Seen};
use crate::scan::bytes::is_letter;
use ahead::Ahead;

pub(crate) use bullet::{BULLET_LEN, bullet};
pub(crate) use closer::{MAX_DEPTH, Stray, closers_before, stray_closer};
pub(crate) use quote::{Close, GEMMA_BAR, Inside, Quote, QuoteKind, quote_at};

/// Whether something is so, such as that a quote ends its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// It is.
    Yes,
    /// It is not: the quote belongs to the string.
    No,
    /// More text is needed.
    Unclear,
}

impl Ends {
    /// What is known.
    pub(crate) fn known(self) -> Seen<bool> {
        match self {
            Self::Yes => Ok(true),
            Self::No => Ok(false),
            Self::Unclear => Err(More),
        }
    }
}

impl From<Result<bool, Self>> for Ends {
    fn from(answer: Result<bool, Self>) -> Self {
        match answer {
            Ok(true) => Self::Yes,
            Ok(false) => Self::No,
            Err(end) => end,
        }
    }
}

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
/// `after`. A `Yes` or `No` does not change when more text is appended.
pub(crate) fn quote_ends(after: &[u8], place: Place, finished: bool) -> Ends {
    match (place, after) {
        (Place::Key, [b':', ..]) => Ends::Yes,
        (_, [byte, ..]) if byte.is_ascii_alphanumeric() => Ends::No,
        (_, []) if !finished => Ends::Unclear,
        // What follows most strings: the next key.
        (Place::Member, [b',', b' ', b'"', key @ ..] | [b',', b'"', key @ ..])
            if is_plain_key(key) =>
        {
            Ends::Yes
        }
        _ => Ahead::new(after, finished).ends_string(place).into(),
    }
}

/// True for letters, a quote and a colon.
fn is_plain_key(text: &[u8]) -> bool {
    let end = text.iter().position(|byte| !is_letter(*byte));
    end.is_some_and(|end| matches!(text.get(end..), Some([b'"', b':', ..])))
}

/// Says whether `text` begins with a key and the sign after it: `"a":`, `b =`.
pub(crate) fn key_follows(text: &[u8]) -> bool {
    key_ahead(text, true) == Ends::Yes
}

/// As [`key_follows`], of a text that may go on.
pub(crate) fn key_ahead(text: &[u8], finished: bool) -> Ends {
    Ahead::doubting(text, finished).key().into()
}

/// Says whether `text`, from a colon on, shows that the key before it lost its last `quote`, as
/// in `"name: "x"`.
pub(crate) fn value_follows_half_key(text: &[u8], quote: u8, finished: bool) -> Ends {
    Ahead::doubting(text, finished)
        .value_of_half_key(quote)
        .into()
}

#[cfg(test)]
pub(crate) mod tests;
