//! Chooses between the alternatives of `anyOf` and `oneOf`: the one with the cheapest repairs.

use serde_json::Value;

use super::Walk;
use crate::limits::weight;
use crate::number::is_same;
use crate::path::Path;
use crate::repair::{Repair, cost};
use crate::view::{Choice, Kinds, View};

/// The alternative that is being tried.
#[derive(Clone, Copy)]
pub(super) struct Alternative {
    /// The depth of the value for which it is tried.
    depth: usize,
    /// The types that the other alternatives accept.
    kinds: Kinds,
}

impl<'s> Walk<'s> {
    /// All types that the value at `path` may have in any alternative.
    pub(super) fn overall(&self, view: &View<'s>, path: &Path<'_>) -> Kinds {
        match self.alternative {
            Some(tried) if tried.depth == path.depth() => view.kinds.or(tried.kinds),
            _ => view.kinds,
        }
    }

    /// Tries each alternative if none fits, and keeps the one with the cheapest repairs, unless two
    /// equally cheap ones give different values.
    pub(super) fn choose(&mut self, value: &mut Value, choice: &Choice<'s>, path: &Path<'_>) {
        if self.is_decided(choice, value) {
            return;
        }
        let outer = self.alternative;
        self.alternative = Some(self.alternative_of(choice, path));
        let mut best: Option<(Value, Vec<Repair>)> = None;
        let mut is_unclear = false;
        for branch in &choice.branches {
            if !self.spend(weight(value)) {
                break;
            }
            let before = self.repairs.len();
            let mut trial = value.clone();
            self.fit(&mut trial, std::slice::from_ref(branch), path);
            let repairs = self.repairs.split_off(before);
            if !self.is_decided(choice, &trial) {
                continue;
            }
            match &best {
                Some((_, least)) if cost(least) < cost(&repairs) => {}
                Some((other, least)) if cost(least) == cost(&repairs) => {
                    is_unclear |= !is_same(other, &trial);
                }
                _ => {
                    best = Some((trial, repairs));
                    is_unclear = false;
                }
            }
        }
        self.alternative = outer;
        if let Some((chosen, repairs)) = best.filter(|_| !is_unclear && self.steps > 0) {
            *value = chosen;
            self.repairs.extend(repairs);
        }
    }

    fn alternative_of(&self, choice: &Choice<'s>, path: &Path<'_>) -> Alternative {
        let depth = path.depth();
        let outer = self.alternative.filter(|tried| tried.depth == depth);
        let kinds = choice.branches.iter().map(|branch| {
            let view = View::of(self.root, std::slice::from_ref(branch));
            view.kinds
        });
        let start = outer.map_or(Kinds::NONE, |tried| tried.kinds);
        Alternative {
            depth,
            kinds: kinds.fold(start, Kinds::or),
        }
    }

    fn is_decided(&mut self, choice: &Choice<'s>, value: &Value) -> bool {
        let fitting = choice
            .branches
            .iter()
            .filter(|branch| self.parts.accepts(branch, value).unwrap_or(false));
        match fitting.count() {
            0 => false,
            1 => true,
            _ => !choice.exactly_one,
        }
    }
}
