//! Finds the violations in a value that the validator refused.
//!
//! The validator's own errors are about keywords, and their number grows exponentially with the
//! depth of a recursive schema with alternatives. This walk visits each value once instead: it
//! descends into the children that are refused, and into an alternative only if one is clearly
//! meant.

use haft_core::Arguments;
use serde_json::Value;

use crate::coerce::Outcome;
use crate::compiled::document::{Document, Parts};
use crate::describe::{describe, describe_properties};
use crate::limits::{MAX_VALUE_DEPTH, is_within_depth};
use crate::path::Path;
use crate::shorten::{clip, shorten};
use crate::view::{Choice, Kinds, Place, View};
use crate::violation::{Violation, Violations};

/// The maximum number of violations that are reported; a model cannot repair more at once.
const MAX_VIOLATIONS: usize = 16;

/// The maximum length of a name in characters.
const MAX_NAME: usize = 80;

/// The maximum length of the list of known names in characters.
const MAX_KNOWN: usize = 240;

/// The minimum similarity of a suggested name, from 0 to 1 (Jaro-Winkler).
const ALIKE: f64 = 0.85;

/// The violations in `value`, which the document refuses. `subject` is the name of the whole value.
pub(crate) fn explain(document: &Document, value: &Value, subject: &'static str) -> Violations {
    let place = document.root_place();
    let view = View::of(&document.schema, std::slice::from_ref(&place));
    let mut search = Search::new(document, subject);
    search.whole(value, place);
    search.violations(&view)
}

/// The violations in the arguments of a call: unknown names, and whatever else the document
/// refuses.
pub(crate) fn explain_call(
    document: &Document,
    outcome: &Outcome,
    unknown: &[String],
) -> Violations {
    let place = document.root_place();
    let view = View::of(&document.schema, std::slice::from_ref(&place));
    let mut search = Search::new(document, "the arguments");
    for key in unknown {
        let path = Path::Key(&Path::Root, key);
        search.add(&path, unknown_argument(key, &view));
    }
    let mut rest = outcome.value.clone();
    if let Value::Object(map) = &mut rest {
        map.retain(|key, _| !unknown.contains(key));
    }
    let is_deep = !is_within_depth(&rest, MAX_VALUE_DEPTH);
    if is_deep || !document.root.is_valid(&rest) {
        search.whole(&rest, place);
    }
    search.violations(&view)
}

struct Search<'s> {
    root: &'s Value,
    parts: Parts<'s>,
    subject: &'static str,
    found: Vec<Violation>,
}

impl<'s> Search<'s> {
    fn new(document: &'s Document, subject: &'static str) -> Self {
        Self {
            root: &document.schema,
            parts: Parts::new(document),
            subject,
            found: Vec::new(),
        }
    }

    /// Adds at least one violation for a refused document.
    fn whole(&mut self, value: &Value, place: Place<'s>) {
        if is_within_depth(value, MAX_VALUE_DEPTH) {
            self.refused(value, &[place], &Path::Root);
        } else {
            let subject = self.subject;
            let message =
                format!("{subject} must not be nested deeper than {MAX_VALUE_DEPTH} levels");
            self.add(&Path::Root, message);
        }
    }

    fn violations(self, view: &View<'s>) -> Violations {
        let expected = describe_properties(self.root, view, 1);
        Violations::new(self.found, expected)
    }

    /// Adds at least one violation for a value that `places` refuse.
    fn refused(&mut self, value: &Value, places: &[Place<'s>], path: &Path<'_>) {
        if self.is_full() {
            return;
        }
        let before = self.found.len();
        let view = View::of(self.root, places);
        if view.takes(value) {
            match value {
                Value::Object(map) => self.refused_object(map, &view, path),
                Value::Array(items) => self.refused_items(items, &view, path),
                _ => {}
            }
            if self.found.len() == before
                && let Some(branch) = self.meant(value, &view)
            {
                self.refused(value, &[branch], path);
            }
        }
        if self.found.len() == before {
            let wanted = describe(self.root, places);
            let is_shape = value.is_object() && view.kinds.overlap(Kinds::OBJECT);
            let message = if is_shape {
                format!(
                    "{} must fit together as described: {wanted}, but {} arrived",
                    self.name(path),
                    shorten(value)
                )
            } else {
                format!(
                    "{} must be {wanted}, but {} arrived",
                    self.name(path),
                    shorten(value)
                )
            };
            self.add(path, message);
        }
    }

    fn refused_object(&mut self, map: &Arguments, view: &View<'s>, path: &Path<'_>) {
        for (key, value) in map {
            if self.is_full() {
                return;
            }
            let path = Path::Key(path, key);
            let places = view.property(key);
            if view.refuses(key) {
                let message = self.unknown(key, view, &path);
                self.add(&path, message);
            } else if !self.parts.all_accept(&places, value, true) {
                self.refused(value, &places, &path);
            }
        }
        let mut missing: Vec<&str> = Vec::new();
        for name in view.required().filter(|name| !map.contains_key(*name)) {
            if !missing.contains(&name) && !self.is_full() {
                missing.push(name);
                let path = Path::Key(path, name);
                let wanted = describe(self.root, &view.property(name));
                let message = format!("{} is missing ({wanted})", self.name(&path));
                self.add(&path, message);
            }
        }
    }

    fn refused_items(&mut self, items: &[Value], view: &View<'s>, path: &Path<'_>) {
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                return;
            }
            let places = view.item(index);
            if !self.parts.all_accept(&places, item, true) {
                self.refused(item, &places, &Path::Index(path, index));
            }
        }
    }

    /// A violation for an unknown name, with a suggestion.
    fn unknown(&self, key: &str, view: &View<'s>, path: &Path<'_>) -> String {
        let name = self.name(path);
        let names = view.properties();
        match closest(key, &names) {
            Some(meant) => format!("{name} is not known (did you mean {meant}?)"),
            None if names.is_empty() => format!("{name} is not known, none are taken here"),
            None => {
                let known = clip(&names.join(", "), MAX_KNOWN);
                format!("{name} is not known (known are {known})")
            }
        }
    }

    /// The alternative that a refused value was meant for: the only one of its type whose constant
    /// properties, such as a `type` tag, match.
    fn meant(&mut self, value: &Value, view: &View<'s>) -> Option<Place<'s>> {
        let undecided = |choice: &&Choice<'s>| {
            !choice
                .branches
                .iter()
                .any(|branch| self.parts.accepts(branch, value).unwrap_or(false))
        };
        let choice = view.choices.iter().find(undecided)?;
        let mut fitting = choice.branches.iter().filter(|branch| {
            let view = View::of(self.root, std::slice::from_ref(*branch));
            view.kinds.include(value) && self.has_tags(value, &view)
        });
        let first = fitting.next()?;
        fitting.next().is_none().then(|| first.clone())
    }

    fn has_tags(&self, value: &Value, view: &View<'s>) -> bool {
        view.properties().into_iter().all(|name| {
            let property = View::of(self.root, &view.property(name));
            let mut tags = property.members.iter().filter(|member| {
                member.schema.get("const").is_some() || member.schema.get("enum").is_some()
            });
            match value.get(name) {
                Some(value) => tags.next().is_none() || property.takes(value),
                None => true,
            }
        })
    }

    fn name(&self, path: &Path<'_>) -> String {
        match path {
            Path::Root => self.subject.to_owned(),
            _ => clip(&path.to_string(), MAX_NAME),
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= MAX_VIOLATIONS
    }

    fn add(&mut self, path: &Path<'_>, message: String) {
        if !self.is_full() {
            self.found.push(Violation {
                path: path.pointer(),
                message,
            });
        }
    }
}

/// A violation for an argument that no parameter takes, with a suggestion. The parameters
/// themselves are listed after all violations.
fn unknown_argument(key: &str, view: &View<'_>) -> String {
    let key_shown = shorten(&Value::from(key));
    let names = view.properties();
    match closest(key, &names) {
        Some(meant) => format!("unknown argument {key_shown} (did you mean {meant}?)"),
        None if names.is_empty() => {
            format!("unknown argument {key_shown}, there are no parameters")
        }
        None => format!("unknown argument {key_shown}"),
    }
}

/// The known name that `key` is most similar to.
fn closest<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    let alike = |name: &str| strsim::jaro_winkler(&key.to_lowercase(), &name.to_lowercase());
    names
        .iter()
        .map(|name| (alike(name), *name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests;
