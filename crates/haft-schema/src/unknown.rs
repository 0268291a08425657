//! Handles arguments that no parameter takes. None is dropped silently: each is renamed if its
//! meaning is certain, left out and recorded if it is blank, and refused otherwise.
//!
//! `sense` has the meanings of words, `view` the names that an object accepts; spellings and
//! misspellings were already handled in `coerce`.

use haft_core::Arguments;
use serde_json::Value;

use crate::Guessing;
use crate::coerce::{Outcome, Rename, coerce, rename};
use crate::compiled::document::{Document, Parts};
use crate::limits::{MAX_VALUE_DEPTH, is_within_depth};
use crate::path::escape;
use crate::repair::{Repair, RepairKind};
use crate::sense::{Sense, sense};
use crate::shorten::shorten;
use crate::view::View;

/// Words that models write for no value.
const NOTHING: [&str; 3] = ["null", "None", "none"];

/// Handles the unknown arguments in `outcome`; returns the names that remain unknown.
pub(crate) fn settle(
    document: &Document,
    outcome: &mut Outcome,
    guessing: Guessing,
) -> Vec<String> {
    let places = [document.root_place()];
    let view = View::of(&document.schema, &places);
    let unknown = |value: &Value| -> Vec<String> {
        let keys = value.as_object().into_iter().flat_map(|map| map.keys());
        let unknown = view.unknown(&document.schema, keys);
        unknown.into_iter().cloned().collect()
    };
    let names = unknown(&outcome.value);
    if names.is_empty() || !is_within_depth(&outcome.value, MAX_VALUE_DEPTH) {
        return names;
    }
    let before = outcome.repairs.len();
    leave_out_blanks(outcome, &names);
    rename_by_sense(document, &view, outcome);
    if outcome.repairs.len() > before {
        let again = coerce(document, outcome.value.take(), guessing);
        outcome.repairs.extend(again.repairs);
        outcome.value = again.value;
        outcome.is_valid = again.is_valid;
    }
    unknown(&outcome.value)
}

/// Small models call tools without parameters with `{"dummy": ""}`. A blank argument has no effect,
/// so such a call may run.
fn leave_out_blanks(outcome: &mut Outcome, names: &[String]) {
    let Value::Object(map) = &mut outcome.value else {
        return;
    };
    for name in names {
        if map.get(name).is_some_and(is_blank)
            && let Some(value) = map.remove(name)
        {
            let path = format!("/{}", escape(name));
            let kind = RepairKind::BlankUnknownDropped;
            outcome
                .repairs
                .push(Repair::new(path, kind, shorten(&value), ""));
        }
    }
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty() || NOTHING.contains(&text.as_str()),
        Value::Array(items) => items.iter().all(is_blank),
        Value::Object(map) => map.values().all(is_blank),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Renames unknown arguments to the only free parameter that they can mean.
fn rename_by_sense(document: &Document, view: &View<'_>, outcome: &mut Outcome) {
    let Value::Object(map) = &outcome.value else {
        return;
    };
    let unknown = view.unknown(&document.schema, map.keys());
    let meant = unknown.into_iter().filter_map(|key| {
        Some(Rename {
            from: key.clone(),
            to: meaning(key, map, view)?,
        })
    });
    let meant: Vec<Rename<'_>> = meant.collect();
    let is_only = |target: &str| meant.iter().filter(|other| other.to == target).count() == 1;
    let fits = |rename: &&Rename<'_>| {
        let claim = Claim {
            map,
            key: &rename.from,
            target: rename.to,
        };
        is_only(rename.to) && is_taken(document, view, claim)
    };
    let renames: Vec<Rename<'_>> = meant.iter().filter(fits).cloned().collect();
    let Value::Object(map) = &mut outcome.value else {
        return;
    };
    rename(map, &renames);
    for Rename { from, to } in renames {
        let path = format!("/{}", escape(to));
        outcome
            .repairs
            .push(Repair::new(path, RepairKind::Synonym, from, to));
    }
}

/// The parameter that `key` means, if only one with its subject is free.
fn meaning<'s>(key: &str, map: &Arguments, view: &View<'s>) -> Option<&'s str> {
    let mut free = view.properties();
    free.retain(|name| !map.contains_key(*name) && sense(key, name) != Sense::Other);
    match free.as_slice() {
        [only] if sense(key, only) == Sense::Same => Some(only),
        _ => None,
    }
}

/// An unknown argument that may mean a parameter.
#[derive(Clone, Copy)]
struct Claim<'a> {
    /// All arguments.
    map: &'a Arguments,
    /// The given name.
    key: &'a str,
    /// The parameter that it may mean.
    target: &'a str,
}

/// True if the value of `key` is valid for the parameter `target`, directly or as a string. A
/// number in place of a string may be something else than a name.
fn is_taken(document: &Document, view: &View<'_>, claim: Claim<'_>) -> bool {
    let Claim { map, key, target } = claim;
    let mut trial = map.clone();
    let from = key.to_owned();
    rename(&mut trial, &[Rename { from, to: target }]);
    let trial = coerce(document, Value::Object(trial), Guessing::Forbidden);
    let (given, value) = (map.get(key), trial.value.get(target));
    let is_near = given == value || given.is_some_and(Value::is_string);
    let is_accepted = |value| Parts::new(document).all_accept(&view.property(target), value, false);
    is_near && value.is_some_and(is_accepted)
}

#[cfg(test)]
mod tests;
