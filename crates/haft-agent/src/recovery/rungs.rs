//! Which rungs are in use.

use haft_core::Rung;

/// A choice of rungs; all of them by default.
///
/// ```
/// use haft_agent::Rungs;
/// use haft_core::Rung;
///
/// let rungs = Rungs::all().without(Rung::MoreRoom);
/// assert!(rungs.has(Rung::WithoutTools) && !rungs.has(Rung::MoreRoom));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rungs(u8);

impl Rungs {
    /// The whole ladder.
    #[must_use]
    pub fn all() -> Self {
        Rung::ALL
            .into_iter()
            .fold(Self::none(), |rungs, rung| Self(rungs.0 | bit(rung)))
    }

    /// No ladder: a reply is what it is. Every call is still answered.
    #[must_use]
    pub fn none() -> Self {
        Self(0)
    }

    /// The same choice without this rung.
    #[must_use]
    pub fn without(self, rung: Rung) -> Self {
        Self(self.0 & !bit(rung))
    }

    /// True when this rung is in use.
    #[must_use]
    pub fn has(self, rung: Rung) -> bool {
        self.0 & bit(rung) != 0
    }
}

impl Default for Rungs {
    fn default() -> Self {
        Self::all()
    }
}

fn bit(rung: Rung) -> u8 {
    1 << (rung as u8)
}
