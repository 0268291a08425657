//! Hashes words and fragments of words, for the index and the vectors.

use std::collections::BTreeMap;

use super::fields::{Field, Fields};
use super::foreign::in_english;
use super::kinds::kinds;
use crate::words::{stem, words};

/// The length of a fragment in characters.
const FRAGMENT: usize = 4;

/// The maximum number of words of a query that are used.
const MAX_QUERY: usize = 256;

/// The weight of a word in each field, in the order of [`Field::ALL`], for the sum of vectors.
const FIELD_WEIGHTS: [f32; 5] = [1.0, 0.6, 0.3, 0.15, 0.6];

/// The terms of a query, without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryTerms {
    /// Hashes of stems.
    pub(crate) words: Vec<u32>,
    /// Hashes of fragments.
    pub(crate) fragments: Vec<u32>,
    /// Hashes of common names of parameters that take values like those in the query.
    pub(crate) kinds: Vec<u32>,
    /// Some words were translated to English; most others may be unknown.
    pub(crate) is_foreign: bool,
}

impl QueryTerms {
    pub(crate) fn of(query: &str) -> Self {
        let mut terms = Self::default();
        let mut add = |word: &str| {
            if terms.words.len() < MAX_QUERY {
                terms.words.push(word_hash(word));
                fragments(word, |fragment| terms.fragments.push(fragment));
            }
        };
        words(query, &mut add);
        let mut is_foreign = false;
        in_english(query, |word| {
            is_foreign = true;
            add(word);
        });
        terms.is_foreign = is_foreign;
        terms.kinds = kinds(query).map(word_hash).collect();
        for list in [&mut terms.words, &mut terms.fragments] {
            list.sort_unstable();
            list.dedup();
        }
        terms
    }
}

/// The words of a tool with their weights, for the sum of vectors.
pub(crate) fn weighted(fields: &Fields) -> Vec<(u32, f32)> {
    let mut sums: BTreeMap<u32, f32> = BTreeMap::new();
    for (field, weight) in Field::ALL.into_iter().zip(FIELD_WEIGHTS) {
        let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
        for word in fields.words(field) {
            *counts.entry(word_hash(word)).or_default() += 1.0;
        }
        for (word, count) in counts {
            *sums.entry(word).or_default() += weight * count.sqrt();
        }
    }
    sums.into_iter()
        .map(|(word, sum)| (word, sum.sqrt()))
        .collect()
}

/// The hash of the stem of a word in lower case.
pub(crate) fn word_hash(word: &str) -> u32 {
    stem(word).bytes().fold(FNV_OFFSET, fnv)
}

/// Calls `each` with every fragment of a word in lower case.
pub(crate) fn fragments(word: &str, mut each: impl FnMut(u32)) {
    let mut window = [EDGE; FRAGMENT];
    let mut filled = 1;
    for c in word.chars().chain([EDGE]) {
        if filled == FRAGMENT {
            window.rotate_left(1);
            filled -= 1;
        }
        if let Some(place) = window.get_mut(filled) {
            *place = c;
        }
        filled += 1;
        if filled == FRAGMENT {
            each(hash_of(&window));
        }
    }
    if filled < FRAGMENT {
        each(hash_of(window.get(..filled).unwrap_or_default()));
    }
}

/// Marks the beginning and the end of a word.
const EDGE: char = '#';

fn hash_of(chars: &[char]) -> u32 {
    chars
        .iter()
        .flat_map(|c| u32::from(*c).to_le_bytes())
        .fold(FNV_OFFSET, fnv)
}

/// The 32-bit FNV-1a hash (RFC 9923).
const FNV_OFFSET: u32 = 0x811c_9dc5;

fn fnv(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

#[cfg(test)]
mod tests;
