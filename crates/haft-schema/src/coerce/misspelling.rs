//! Words with a slip of the finger, corrected by edit distance where that may be guessed.
//!
//! The neighbour `key` knows names that differ in spelling alone, `scalar` such choices.

use haft_core::Arguments;
use serde_json::Value;
use strsim::osa_distance;

use super::key::{Renames, normalize_key, renames_by};
use crate::view::View;

/// Letters below which a word is too short to tell a slip from another word.
const MIN_LETTERS: usize = 5;

/// Edits that a slip takes at most: a letter missing, doubled or wrong, two swapped.
const MAX_EDITS: usize = 2;

/// Edits within which no other known word may be.
const MAX_RIVAL_EDITS: usize = 3;

/// Bytes of the longest word that is compared; edit distance takes the product of both.
const MAX_WORD: usize = 64;

/// Which unknown keys of `map` are a misspelt property.
pub(super) fn renames<'s>(root: &'s Value, view: &View<'s>, map: &Arguments) -> Renames<'s> {
    if map.keys().all(|key| view.has_property(key)) {
        return Vec::new();
    }
    let names = view.properties();
    renames_by(root, view, map, |key| nearest(key, names.iter().copied()))
}

/// The only one of `words` that `written` can be a slip of.
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

/// True when one is the other after a syllable: `locked` is no slip of `unlocked`.
fn is_prefixed(one: &str, other: &str) -> bool {
    let before = one.strip_suffix(other).or_else(|| other.strip_suffix(one));
    before.is_some_and(|before| before.chars().count() > 1)
}

#[cfg(test)]
mod tests;
