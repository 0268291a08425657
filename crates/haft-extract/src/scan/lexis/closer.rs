//! What a closing bracket means that does not fit the innermost open one.
//!
//! Models leave out closers, write too many, and mix them up. What follows tells which it was,
//! by a rule that the scanner of streams and the reader of values share, as for quotes in the
//! parent, [`lexis`](super).

use super::ahead::Ahead;
use super::{Seen, known};

/// How deep brackets may be nested: more than any tool wants, less than any stack holds.
pub(crate) const MAX_DEPTH: usize = 64;

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
/// `finished`: nothing follows `after`.
pub(crate) fn stray_closer(
    found: u8,
    (open, around): (&[u8], usize),
    after: &[u8],
    finished: bool,
) -> Seen<Stray> {
    let ahead = Ahead::doubting(after, finished);
    let seen = open.get(around..).unwrap_or_default();
    let closer = |levels: usize| seen.iter().rev().nth(levels).copied().unwrap_or(0);
    let fits_outer = open.iter().rev().skip(1).any(|outer| *outer == found);
    if !fits_outer {
        let goes_on = known(ahead.goes_on(closer(0)))?;
        return Ok(if goes_on {
            Stray::Nothing
        } else {
            Stray::Instead
        });
    }
    // `{"a": [1, 2}, "b": 3}`: the object goes on, so only the list ended. In another object it may
    // be that one which goes on.
    let may_go_on = found == b'}' && closer(1) == b'}' && closer(2) != b'}';
    let goes_on = may_go_on && known(ahead.next_member())?;
    Ok(if goes_on {
        Stray::Instead
    } else {
        Stray::Outer
    })
}

/// How many of the last bytes of `text` close `open` brackets, whose closers these are, outermost
/// first, with blanks among them, and whether they close all.
pub(crate) fn closers_before(open: &[u8], text: &[u8]) -> (usize, bool) {
    let mut open = open.iter();
    let mut len = 0;
    // The last closes the outermost.
    for (at, byte) in text.iter().rev().enumerate() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        if open.as_slice().first() != Some(byte) {
            break;
        }
        open.next();
        len = at + 1;
    }
    (len, open.as_slice().is_empty())
}
