//! What a closing bracket means that does not fit the innermost open one.
//!
//! Models leave out closers, write too many, and mix them up. What follows tells which it was,
//! by a rule that the scanner of streams and the reader of values share, as for quotes in the
//! parent, [`lexis`](super).

use super::{Ahead, Ends};

/// Where a closing bracket stands that does not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The closer of the innermost open bracket.
    pub(crate) innermost: u8,
    /// The closer of the one around it, 0 if there is none.
    pub(crate) parent: u8,
    /// The closer of the one around that, 0 likewise.
    pub(crate) grandparent: u8,
    /// The closer that was found fits one further out.
    pub(crate) fits_outer: bool,
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
    /// More text is needed.
    Unclear,
}

/// Says what the closer `found` just before `after` does. `finished`: nothing follows `after`.
pub(crate) fn stray_closer(found: u8, around: Around, after: &[u8], finished: bool) -> Stray {
    let ahead = Ahead::doubting(after, finished);
    let is_so = |answer: Ends, yes: Stray, no: Stray| match answer {
        Ends::Yes => yes,
        Ends::No => no,
        Ends::Unclear => Stray::Unclear,
    };
    if around.fits_outer {
        // `{"a": [1, 2}, "b": 3}`: the object goes on, so only the list ended. In another object
        // it may be that one which goes on.
        if found != b'}' || around.parent != b'}' || around.grandparent == b'}' {
            return Stray::Outer;
        }
        return is_so(ahead.next_member(), Stray::Instead, Stray::Outer);
    }
    is_so(
        ahead.goes_on(around.innermost),
        Stray::Nothing,
        Stray::Instead,
    )
}

impl Ahead<'_> {
    /// A comma, and a key after it.
    fn next_member(mut self) -> Ends {
        self.blanks();
        match self.sign() {
            Ok(b',') => {}
            Ok(_) => return Ends::No,
            Err(end) => return end,
        }
        self.skip_sign();
        self.blanks();
        self.key()
    }

    /// True when the bracket that `closer` closes goes on, or ends, here.
    fn goes_on(mut self, closer: u8) -> Ends {
        self.blanks();
        let sign = match self.sign() {
            Ok(sign) => sign,
            Err(end) => return end,
        };
        if sign != b',' {
            return super::yes_if(sign == closer);
        }
        if closer == b'}' {
            return self.next_member();
        }
        self.skip_sign();
        self.blanks();
        match self.byte(0) {
            Ok(byte) => super::yes_if(byte != b'['),
            // A comma at the end: the list went on.
            Err(Ends::No) => Ends::Yes,
            Err(end) => end,
        }
    }
}
