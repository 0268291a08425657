//! Coerces arguments to the form that the schema requires, if nothing is lost.
//!
//! A walk goes through the arguments together with the part of the schema that applies to each
//! value (the [`View`]), and repairs values and names on the way: `reading` decides what a value of
//! the wrong type may mean, `scalar` converts between strings, numbers and booleans, `key`,
//! `position` and `misspelling` map names to properties, `arithmetic` evaluates expressions,
//! `envelope` unwraps arguments and values, `object` repairs the members of an object, `list` makes
//! lists of single values, and `choice` decides between alternatives. Walks are repeated until one
//! changes nothing, so coercion is idempotent.
//!
//! The values of a valid document are never changed. Only names that the schema does not know, and
//! integers written with a fraction, are repaired there, and only if the document stays valid.

mod arithmetic;
mod choice;
mod envelope;
mod key;
mod list;
mod literal;
mod misspelling;
mod object;
mod position;
mod reading;
mod scalar;

use serde_json::Value;

pub(crate) use key::{Rename, is_same_name, rename};
pub use key::{match_key, normalize_key};

use crate::Guessing;
use crate::coerce::choice::Alternative;
use crate::coerce::reading::{Reading, Wanted};
use crate::compiled::document::{Document, Parts};
use crate::limits::{MAX_VALUE_DEPTH, is_within_depth};
use crate::path::Path;
use crate::repair::{Repair, RepairKind};
use crate::shorten::shorten;
use crate::view::{Kinds, Place, View};

/// The maximum number of values that one walk visits or copies: far more than arguments contain,
/// far fewer than the combinations of alternatives in a hostile schema.
const MAX_STEPS: usize = 20_000;

/// The maximum number of walks until the arguments must be stable.
const MAX_WALKS: usize = 8;

/// The result of coercion.
pub(crate) struct Outcome {
    /// The arguments, still an object.
    pub(crate) value: Value,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) is_valid: bool,
}

/// Coerces `arguments`, an object. Parts that cannot be decided within the limits are unchanged.
pub(crate) fn coerce(document: &Document, arguments: Value, guessing: Guessing) -> Outcome {
    let mut value = arguments;
    if !is_within_depth(&value, MAX_VALUE_DEPTH) {
        return Outcome {
            value,
            repairs: Vec::new(),
            is_valid: false,
        };
    }
    let given = value.clone();
    let given_is_valid = document.root.is_valid(&value);
    let mut is_valid = given_is_valid;
    let mut walk = Walk {
        root: &document.schema,
        parts: Parts::new(document),
        repairs: Vec::new(),
        steps: MAX_STEPS,
        tidy_only: is_valid,
        guessing,
        alternative: None,
    };
    for _ in 0..MAX_WALKS {
        let before = walk.repairs.len();
        walk.steps = MAX_STEPS;
        walk.tidy_only = is_valid;
        walk.whole(&mut value, &document.root_place());
        if walk.steps == 0 || (walk.repairs.len() == before && given_is_valid && !is_valid) {
            break;
        }
        if walk.repairs.len() == before {
            return Outcome {
                value,
                repairs: walk.repairs,
                is_valid,
            };
        }
        is_valid = document.root.is_valid(&value);
    }
    Outcome {
        value: given,
        repairs: Vec::new(),
        is_valid: given_is_valid,
    }
}

/// A value or a name before and after a repair, for the report. Empty means that there is none.
struct Change {
    before: String,
    after: String,
}

impl Change {
    fn of(before: &Value, after: &Value) -> Self {
        Self {
            before: shorten(before),
            after: shorten(after),
        }
    }

    /// The removal of something, or its wrapping around other values.
    fn without_after(before: impl Into<String>) -> Self {
        Self {
            before: before.into(),
            after: String::new(),
        }
    }
}

/// One walk over the arguments.
struct Walk<'s> {
    root: &'s Value,
    parts: Parts<'s>,
    repairs: Vec<Repair>,
    /// The remaining number of values that may be visited; zero after the walk was abandoned.
    steps: usize,
    /// The document is valid, so its values must not change.
    tidy_only: bool,
    guessing: Guessing,
    /// The alternative that is being tried, if any.
    alternative: Option<Alternative>,
}

impl<'s> Walk<'s> {
    fn whole(&mut self, value: &mut Value, place: &Place<'s>) {
        if let Value::Object(map) = value {
            let view = View::of(self.root, std::slice::from_ref(place));
            let name = envelope::unwrap(self.root, &view, map);
            let lifted = || envelope::lift(self.root, &view, map);
            if let Some(name) = name.or_else(|| (!self.tidy_only).then(lifted).flatten()) {
                self.record(
                    &Path::Root,
                    RepairKind::Unwrapped,
                    Change::without_after(name),
                );
            } else if !self.tidy_only
                && let Some(name) = envelope::enclose(self.root, &view, map)
            {
                let path = Path::Key(&Path::Root, name);
                let change = Change {
                    before: "an object".to_owned(),
                    after: name.to_owned(),
                };
                self.record(&path, RepairKind::PositionNamed, change);
            }
        }
        self.fit(value, std::slice::from_ref(place), &Path::Root);
    }

    /// Coerces `value` to satisfy all `places`.
    fn fit(&mut self, value: &mut Value, places: &[Place<'s>], path: &Path<'_>) {
        if places.is_empty() || !self.spend(1) {
            return;
        }
        let view = View::of(self.root, places);
        self.convert(value, &view, path);
        if !self.tidy_only && self.wrap(value, &view, path) {
            return;
        }
        match value {
            Value::Object(map) => self.fit_object(map, &view, path),
            Value::Array(items) => self.fit_items(items, &view, path),
            _ => {}
        }
        if !self.tidy_only {
            for choice in &view.choices {
                self.choose(value, choice, path);
            }
        }
    }

    /// Converts a value of the wrong type, or one that is not among the allowed values.
    fn convert(&mut self, value: &mut Value, view: &View<'s>, path: &Path<'_>) {
        let wanted = Wanted {
            view,
            overall: self.overall(view, path),
        };
        if !self.tidy_only && !view.takes(value) {
            self.take_out(value, wanted, path);
        }
        let converted = match reading::whole_number(value, view) {
            None if self.tidy_only || view.takes(value) => None,
            None => self.read(value, wanted),
            whole => whole,
        };
        let room = MAX_VALUE_DEPTH.saturating_sub(path.depth());
        let converted = converted.filter(|read| is_within_depth(&read.value, room));
        if let Some(read) = converted {
            self.record(path, read.kind, Change::of(value, &read.value));
            *value = read.value;
        }
    }

    fn read(&self, value: &Value, wanted: Wanted<'_, 's>) -> Option<Reading> {
        let reading = reading::other_sort(value, wanted);
        reading.or_else(|| match self.guessing {
            Guessing::Allowed => reading::guessed(value, wanted.view),
            Guessing::Forbidden => None,
        })
    }

    /// Takes a value out of a schema that it was filled into, and out of a list with one item if no
    /// list is allowed.
    fn take_out(&mut self, value: &mut Value, wanted: Wanted<'_, 's>, path: &Path<'_>) {
        if let Some(inner) = envelope::filled_in(self.root, value, wanted) {
            let change = Change::of(value, &inner);
            self.record(path, RepairKind::Unwrapped, change);
            *value = inner;
        }
        let Value::Array(items) = value else {
            return;
        };
        let [item] = items.as_mut_slice() else {
            return;
        };
        let is_wanted = wanted.view.takes(item) || self.read(item, wanted).is_some();
        if is_wanted && !wanted.overall.overlap(Kinds::LIST) {
            let inner = item.take();
            let change = Change::of(&Value::Array(vec![inner.clone()]), &inner);
            self.record(path, RepairKind::Unlisted, change);
            *value = inner;
        }
    }

    fn fit_items(&mut self, items: &mut [Value], view: &View<'s>, path: &Path<'_>) {
        for (index, item) in items.iter_mut().enumerate() {
            self.fit(item, &view.item(index), &Path::Index(path, index));
        }
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    fn record(&mut self, path: &Path<'_>, kind: RepairKind, change: Change) {
        self.repairs.push(Repair {
            path: path.pointer(),
            kind,
            before: change.before,
            after: change.after,
        });
    }
}

#[cfg(test)]
mod tests;
