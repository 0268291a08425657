//! How often each rung was needed, tried and of help, for one agent and so for one model.

use haft_core::Rung;

/// The counters of an agent's ladder since it was made; all clones of the agent share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecoveryCounts {
    blank_replies: u64,
    rungs: Vec<(Rung, RungCount)>,
}

/// The counters of one rung.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RungCount {
    /// How often its cause was seen, also while it was switched off.
    pub seen: u64,
    /// How often it was tried.
    pub tried: u64,
    /// How often what came then was of use.
    pub recovered: u64,
}

impl RecoveryCounts {
    /// How many first replies had neither a call nor a text.
    #[must_use]
    pub fn blank_replies(&self) -> u64 {
        self.blank_replies
    }

    /// The counters of a rung.
    #[must_use]
    pub fn of(&self, rung: Rung) -> RungCount {
        let found = self.rungs.iter().find(|(known, _)| *known == rung);
        found.map_or_else(RungCount::default, |(_, count)| *count)
    }

    pub(super) fn saw_blank(&mut self) {
        self.blank_replies += 1;
    }

    pub(super) fn saw(&mut self, rung: Rung) {
        self.change(rung, |count| count.seen += 1);
    }

    pub(super) fn tried(&mut self, rung: Rung) {
        self.change(rung, |count| count.tried += 1);
    }

    pub(super) fn recovered(&mut self, rung: Rung) {
        self.change(rung, |count| count.recovered += 1);
    }

    fn change(&mut self, rung: Rung, change: impl Fn(&mut RungCount)) {
        match self.rungs.iter_mut().find(|(known, _)| *known == rung) {
            Some((_, count)) => change(count),
            None => {
                let mut count = RungCount::default();
                change(&mut count);
                self.rungs.push((rung, count));
            }
        }
    }
}
