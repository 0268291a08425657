//! The record of what a reader mended: one repair of each kind, however often it was made.

use haft_schema::{Repair, RepairKind};

/// Characters of a text that are shown in a repair.
const SHOWN: usize = 60;

/// A step from a value into one of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'t> {
    /// Into a member, by its name as written.
    Member(&'t str),
    /// Into an item, from 0.
    Item(usize),
}

/// What was mended so far, and where the reader is.
#[derive(Debug, Default)]
pub(super) struct Mends<'t> {
    mends: Vec<Mend>,
    /// The steps from the whole value to the one being read.
    pub(super) path: Vec<Step<'t>>,
}

#[derive(Clone, Debug)]
pub(super) struct Mend {
    repair: Repair,
    count: usize,
}

impl Mends<'_> {
    /// Records a repair of the value being read.
    pub(super) fn add(&mut self, kind: RepairKind, before: &str, after: &str) {
        let known = self.mends.iter_mut().find(|mend| mend.repair.kind == kind);
        if let Some(mend) = known {
            mend.count += 1;
            if kind == RepairKind::ClosersSupplied {
                mend.repair.after.push_str(after);
            }
            return;
        }
        let repair = Repair::new(self.pointer(), kind, clip(before), clip(after));
        self.mends.push(Mend { repair, count: 1 });
    }

    /// The state to [go back](Self::restore) to.
    pub(super) fn save(&self) -> (Vec<Mend>, usize) {
        (self.mends.clone(), self.path.len())
    }

    pub(super) fn restore(&mut self, (mends, steps): (Vec<Mend>, usize)) {
        self.mends = mends;
        self.path.truncate(steps);
    }

    /// All repairs.
    pub(super) fn finish(self) -> Vec<Repair> {
        let finish = |mend: Mend| {
            let Mend { mut repair, count } = mend;
            if count > 1 && repair.kind != RepairKind::ClosersSupplied {
                repair.path.clear();
                repair.before = format!("{} and {} more", repair.before, count - 1);
            }
            repair
        };
        self.mends.into_iter().map(finish).collect()
    }

    /// JSON pointer to the value being read.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Member(name) => {
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
