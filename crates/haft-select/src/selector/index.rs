//! An inverted index from words to tools, built once and used for every query.
//!
//! BM25F (Robertson, Zaragoza and Taylor 2004): the counts of all fields are weighted by field and
//! by length before saturation.

use std::collections::HashMap;

use super::fields::{Field, Fields};
use super::terms::{fragments, word_hash};

/// The weight of each field, in the order of [`Field::ALL`].
const WEIGHTS: [f32; 5] = [3.0, 2.0, 1.0, 0.5, 2.0];

/// The length normalisation of each field, from 0 to 1.
const LENGTH: [f32; 5] = [0.3, 0.35, 0.35, 0.4, 0.35];

/// The saturation parameter of counts.
const SATURATION: f32 = 1.2;

/// An occurrence of a word in a tool, while the index is built.
struct Entry {
    term: u32,
    tool: u32,
    field: usize,
    count: f32,
}

/// The postings of a term, and the weight of the term.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: usize,
    end: usize,
    rarity: f32,
}

/// An index of one kind of terms.
#[derive(Debug, Default)]
pub(crate) struct Index {
    ranges: HashMap<u32, Range>,
    /// Tools and their scores.
    postings: Vec<(u32, f32)>,
}

/// Builds an index by adding tools.
#[derive(Default)]
pub(crate) struct Builder {
    entries: Vec<Entry>,
    /// Sums of the field lengths over all tools.
    lengths: [f32; 5],
    /// The field lengths of each tool.
    lengths_of: Vec<[f32; 5]>,
}

/// The two kinds of terms.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Words,
    Fragments,
}

impl Builder {
    pub(crate) fn add(&mut self, fields: &Fields, kind: Kind) {
        let tool = u32::try_from(self.lengths_of.len()).unwrap_or(u32::MAX);
        let mut lengths = [0.0; 5];
        for ((field, length), sum) in Field::ALL
            .into_iter()
            .zip(&mut lengths)
            .zip(&mut self.lengths)
        {
            let mut terms = Vec::new();
            for word in fields.words(field) {
                match kind {
                    Kind::Words => terms.push(word_hash(word)),
                    Kind::Fragments => fragments(word, |fragment| terms.push(fragment)),
                }
            }
            *length = terms.len() as f32;
            *sum += *length;
            terms.sort_unstable();
            self.entries
                .extend(terms.chunk_by(|a, b| a == b).filter_map(|same| {
                    Some(Entry {
                        term: *same.first()?,
                        tool,
                        field: field as usize,
                        count: same.len() as f32,
                    })
                }));
        }
        self.lengths_of.push(lengths);
    }

    pub(crate) fn build(mut self) -> Index {
        let tools = self.lengths_of.len() as f32;
        self.entries
            .sort_unstable_by_key(|entry| (entry.term, entry.tool, entry.field));
        let mut index = Index::default();
        for same in self.entries.chunk_by(|a, b| a.term == b.term) {
            let start = index.postings.len();
            for of_tool in same.chunk_by(|a, b| a.tool == b.tool) {
                let count: f32 = of_tool.iter().map(|entry| self.weighted(entry)).sum();
                let score = count * (SATURATION + 1.0) / (count + SATURATION);
                if let Some(entry) = of_tool.first() {
                    index.postings.push((entry.tool, score));
                }
            }
            let end = index.postings.len();
            let having = (end - start) as f32;
            let rarity = (1.0 + (tools - having + 0.5) / (having + 0.5)).ln();
            for (_, score) in index.postings.iter_mut().skip(start) {
                *score *= rarity;
            }
            if let Some(entry) = same.first() {
                index
                    .ranges
                    .insert(entry.term, Range { start, end, rarity });
            }
        }
        index
    }

    fn weighted(&self, entry: &Entry) -> f32 {
        let at = entry.field;
        let own = usize::try_from(entry.tool)
            .ok()
            .and_then(|tool| self.lengths_of.get(tool));
        let own = own
            .and_then(|lengths| lengths.get(at))
            .copied()
            .unwrap_or_default();
        let sum = self.lengths.get(at).copied().unwrap_or_default();
        let mean = (sum / self.lengths_of.len() as f32).max(f32::MIN_POSITIVE);
        let (Some(weight), Some(part)) = (WEIGHTS.get(at), LENGTH.get(at)) else {
            return 0.0;
        };
        weight * entry.count / (1.0 - part + part * own / mean)
    }
}

impl Index {
    /// Adds the score of each tool for the terms to `scores`. Returns the total weight of all terms
    /// that occur in any tool.
    pub(crate) fn score(&self, terms: &[u32], scores: &mut [f32]) -> f32 {
        let mut rarity = 0.0;
        for term in terms {
            let Some(range) = self.ranges.get(term) else {
                continue;
            };
            rarity += range.rarity;
            for (tool, score) in self
                .postings
                .get(range.start..range.end)
                .unwrap_or_default()
            {
                if let Some(sum) = usize::try_from(*tool)
                    .ok()
                    .and_then(|tool| scores.get_mut(tool))
                {
                    *sum += score;
                }
            }
        }
        rarity
    }
}

#[cfg(test)]
mod tests;
