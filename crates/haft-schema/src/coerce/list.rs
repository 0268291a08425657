//! Makes a list of a single value where a list of such values is required.

use serde_json::Value;

use super::{Change, Walk, reading};
use crate::limits::{MAX_VALUE_DEPTH, weight};
use crate::path::Path;
use crate::repair::RepairKind;
use crate::shorten::shorten;
use crate::view::{Kinds, View};

/// The position of a value in the arguments, and the part of the schema that applies to it.
#[derive(Clone, Copy)]
struct Target<'a, 's> {
    view: &'a View<'s>,
    path: &'a Path<'a>,
}

/// The items of a list that is built from a single value.
struct ListItems {
    /// How the items were obtained.
    kind: RepairKind,
    items: Vec<Value>,
}

impl<'s> Walk<'s> {
    /// Turns a single value into a list if a list of such values is required. A string that is not
    /// a valid item is split at its commas if all parts are valid.
    pub(super) fn wrap(&mut self, value: &mut Value, view: &View<'s>, path: &Path<'_>) -> bool {
        let is_single = !view.kinds.include(value);
        let has_room = path.depth() + 1 < MAX_VALUE_DEPTH;
        if !is_single || !has_room || !view.kinds.overlap(Kinds::LIST) || !self.spend(weight(value))
        {
            return false;
        }
        let target = Target { view, path };
        if let Some(object) = reading::object_in(value) {
            return self.wrap_read(value, object, target);
        }
        if !reading::is_something(value) {
            return false;
        }
        let parts = reading::parts(value);
        let wrapped = ListItems {
            kind: RepairKind::WrappedInList,
            items: vec![value.clone()],
        };
        self.as_list(value, wrapped, target)
            || parts.is_some_and(|parts| {
                let split = ListItems {
                    kind: RepairKind::SplitIntoList,
                    items: parts,
                };
                self.spend(split.items.len()) && self.as_list(value, split, target)
            })
    }

    /// Turns the `object` in the string `value` into a list with one item, if that is allowed.
    fn wrap_read(&mut self, value: &mut Value, object: Value, target: Target<'_, 's>) -> bool {
        let before = self.repairs.len();
        let change = Change::of(value, &object);
        self.record(target.path, RepairKind::ParsedJson, change);
        let mut list = object.clone();
        let wrapped = ListItems {
            kind: RepairKind::WrappedInList,
            items: vec![object],
        };
        let is_wanted = self.as_list(&mut list, wrapped, target);
        self.keep_if(is_wanted, before, || *value = list)
    }

    /// Replaces `value` by the list of `items`, if that is allowed.
    fn as_list(&mut self, value: &mut Value, made: ListItems, target: Target<'_, 's>) -> bool {
        let before = self.repairs.len();
        let change = Change::without_after(shorten(value));
        self.record(target.path, made.kind, change);
        let mut items = made.items;
        self.fit_items(&mut items, target.view, target.path);
        let list = Value::Array(items);
        let places = &target.view.places;
        let is_wanted = self.parts.all_accept(places, &list, false);
        self.keep_if(is_wanted, before, || *value = list)
    }

    /// Keeps the repairs since `before` and makes the `change`, or undoes the repairs.
    fn keep_if(&mut self, is_wanted: bool, before: usize, change: impl FnOnce()) -> bool {
        if is_wanted {
            change();
        } else {
            self.repairs.truncate(before);
        }
        is_wanted
    }
}
