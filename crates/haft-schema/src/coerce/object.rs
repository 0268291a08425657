//! Repairs the members of an object: their names, and blanks that mean that there is none.

use haft_core::Arguments;
use serde_json::Value;

use super::{Change, Rename, Walk, key, misspelling, position, rename};
use crate::Guessing;
use crate::path::Path;
use crate::repair::RepairKind;
use crate::shorten::shorten;
use crate::view::{Kinds, View};

/// Keys to be renamed.
struct Renaming<'a> {
    /// The reason for renaming them.
    kind: RepairKind,
    renames: Vec<Rename<'a>>,
}

impl<'s> Walk<'s> {
    /// Repairs the names of the members, leaves out blank ones, and coerces the values.
    pub(super) fn fit_object(&mut self, map: &mut Arguments, view: &View<'s>, path: &Path<'_>) {
        if !self.spend(map.len()) {
            return;
        }
        let renames = key::renames(self.root, view, map);
        let kind = RepairKind::KeyRenamed;
        self.rename(map, Renaming { kind, renames }, path);
        if self.guessing == Guessing::Allowed {
            let renames = misspelling::renames(self.root, view, map);
            let kind = RepairKind::Misspelling;
            self.rename(map, Renaming { kind, renames }, path);
        }
        if matches!(path, Path::Root) {
            let renames = position::renames(self.root, view, map);
            let kind = RepairKind::PositionNamed;
            self.rename(map, Renaming { kind, renames }, path);
        }
        if !self.tidy_only {
            self.drop_blanks(map, view, path);
        }
        for (key, value) in map.iter_mut() {
            self.fit(value, &view.property(key), &Path::Key(path, key));
        }
    }

    fn rename(&mut self, map: &mut Arguments, renaming: Renaming<'_>, path: &Path<'_>) {
        let Renaming { kind, renames } = renaming;
        rename(map, &renames);
        for Rename { from, to } in renames {
            let change = Change {
                before: from,
                after: to.to_owned(),
            };
            self.record(&Path::Key(path, to), kind, change);
        }
    }

    /// Removes `null`, also as a word, and empty strings from optional properties that do not allow
    /// them.
    fn drop_blanks(&mut self, map: &mut Arguments, view: &View<'s>, path: &Path<'_>) {
        map.retain(|key, value| {
            let (kind, meant) = match value {
                Value::Null => (RepairKind::NullDropped, Kinds::NULL),
                Value::String(text) if text.is_empty() => (RepairKind::EmptyDropped, Kinds::TEXT),
                Value::String(text) if matches!(text.as_str(), "null" | "None") => {
                    (RepairKind::NullDropped, Kinds::TEXT)
                }
                _ => return true,
            };
            if view.requires(key) || !view.has_property(key) {
                return true;
            }
            let places = view.property(key);
            let wanted = View::of(self.root, &places);
            let may_be_meant = wanted.may_be(self.root, meant);
            if may_be_meant && self.parts.all_accept(&places, value, true) {
                return true;
            }
            let change = Change::without_after(shorten(value));
            self.record(&Path::Key(path, key), kind, change);
            false
        });
    }
}
