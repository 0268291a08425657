//! The record of what a reader repaired: one repair of each kind, however often it was made.

use haft_schema::{Repair, RepairKind};

/// Characters of a text that are shown in a repair.
const SHOWN: usize = 60;

/// What was repaired so far, and where the reader is.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs {
    /// The repairs, and how often each was made.
    repairs: Vec<(Repair, usize)>,
    /// JSON pointer to the value being read.
    pointer: String,
}

impl Repairs {
    /// Records a repair of the value being read.
    pub(super) fn add(&mut self, kind: RepairKind, before: &str, after: &str) {
        let mut known = self.repairs.iter_mut();
        let Some((repair, count)) = known.find(|(repair, _)| repair.kind == kind) else {
            let repair = Repair::new(&self.pointer, kind, clip(before), clip(after));
            return self.repairs.push((repair, 1));
        };
        *count += 1;
        if kind == RepairKind::ClosersSupplied {
            repair.after.push_str(after);
        }
    }

    /// Goes into a part of the value: a member by its name, or an item by its number. Returns where to [come out](Self::leave).
    pub(super) fn enter(&mut self, step: &str) -> usize {
        let outer = self.pointer.len();
        self.pointer.push('/');
        for c in step.chars() {
            match c {
                '~' => self.pointer.push_str("~0"),
                '/' => self.pointer.push_str("~1"),
                c => self.pointer.push(c),
            }
        }
        outer
    }

    pub(super) fn leave(&mut self, outer: usize) {
        self.pointer.truncate(outer);
    }

    /// All repairs.
    pub(super) fn finish(self) -> Vec<Repair> {
        let finish = |(mut repair, count): (Repair, usize)| {
            if count > 1 && repair.kind != RepairKind::ClosersSupplied {
                repair.path.clear();
                repair.before.push_str(&format!(" and {} more", count - 1));
            }
            repair
        };
        self.repairs.into_iter().map(finish).collect()
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
