//! Corrects misspelt words by edit distance, where guessing is allowed.
//!
//! `key` matches names that differ only in case and separators, `scalar` does so for allowed
//! values.

use haft_core::Arguments;
use serde_json::Value;
use strsim::osa_distance;

use super::key::{Rename, normalize_key, renames_by};
use crate::view::View;

/// The minimum length in letters of a word that is corrected.
const MIN_LETTERS: usize = 5;

/// The maximum edit distance: a missing, doubled, wrong or swapped letter counts as one edit.
const MAX_EDITS: usize = 2;

/// No other known word may be within this edit distance.
const MAX_RIVAL_EDITS: usize = 3;

/// The maximum length of a compared word in bytes; the cost of edit distance is the product of both
/// lengths.
const MAX_WORD: usize = 64;

/// The unknown keys of `map` that are misspelt properties.
pub(super) fn renames<'s>(root: &'s Value, view: &View<'s>, map: &Arguments) -> Vec<Rename<'s>> {
    if map.keys().all(|key| view.has_property(key)) {
        return Vec::new();
    }
    let names = view.properties();
    renames_by(root, view, map, |key| nearest(key, names.iter().copied()))
}

/// The only one of `words` that `written` may be a misspelling of.
pub(super) fn nearest<'w>(written: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let written = normalize_key(written);
    if !is_word(&written) {
        return None;
    }
    let mut near = words.filter_map(|word| {
        let known = normalize_key(word);
        let edits = (known.len() <= MAX_WORD).then(|| osa_distance(&written, &known))?;
        (edits <= MAX_RIVAL_EDITS).then_some((edits, word, known))
    });
    let (edits, word, known) = near.next()?;
    let is_only = near.next().is_none();
    let is_slip = edits <= MAX_EDITS && is_word(&known) && !is_prefixed(&written, &known);
    (is_only && is_slip).then_some(word)
}

fn is_word(word: &str) -> bool {
    let letters = word.chars().filter(|character| character.is_alphabetic());
    word.len() <= MAX_WORD && letters.count() >= MIN_LETTERS
}

/// True if one word is the other one with a prefix: `locked` is not a misspelling of `unlocked`.
fn is_prefixed(one: &str, other: &str) -> bool {
    let before = one.strip_suffix(other).or_else(|| other.strip_suffix(one));
    before.is_some_and(|before| before.chars().count() > 1)
}

#[cfg(test)]
mod tests;
