//! The features of how well a tool fits a query, and their weighted sum.
//!
//! Each feature is a number for every tool; the weights were learned. The softmax of the sums over
//! all tools approximates the probability of each tool to be the right one.

use super::fields::{Field, Fields, ToolText};
use super::index::{Builder, Index, Kind};
use super::learned::{DIMENSIONS, Learned, Vector, normalised};
use super::terms::{QueryTerms, weighted, word_hash};

/// The number of features.
pub const SIGNS: usize = 8;

/// What a query says about every tool.
pub(crate) struct PerTool<T> {
    pub(crate) values: T,
    /// Whether the query contains any information.
    pub(crate) is_known: bool,
}

impl<T> PerTool<T> {
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> PerTool<U> {
        PerTool {
            values: convert(self.values),
            is_known: self.is_known,
        }
    }
}

/// The data of a set of tools that scoring needs.
#[derive(Debug)]
pub(crate) struct Scorer {
    tools: usize,
    words: Index,
    fragments: Index,
    /// The words of names: the tools, and the share of the name that each word makes up.
    names: super::names::Names,
    /// The logarithm of the number of words of each tool.
    lengths: Vec<f32>,
    /// Stored by column, so that one dimension of the query is multiplied with all tools in one
    /// loop.
    vectors: Vec<Vec<f32>>,
    learned: Learned,
}

impl Scorer {
    pub(crate) fn new<'a>(tools: impl Iterator<Item = ToolText<'a>>, learned: Learned) -> Self {
        let (mut words, mut fragments) = (Builder::default(), Builder::default());
        let mut scorer = Self {
            tools: 0,
            words: Index::default(),
            fragments: Index::default(),
            names: super::names::Names::default(),
            lengths: Vec::new(),
            vectors: vec![Vec::new(); DIMENSIONS],
            learned,
        };
        for tool in tools {
            let fields = Fields::of(&tool);
            words.add(&fields, Kind::Words);
            fragments.add(&fields, Kind::Fragments);
            let name = fields.words(Field::Name);
            scorer
                .names
                .add(scorer.tools, name.iter().map(|word| word_hash(word)));
            let length =
                fields.words(Field::Description).len() + fields.words(Field::ParameterText).len();
            scorer.lengths.push((1.0 + length as f32).ln());
            let vector = scorer.vector(&weighted(&fields)).unwrap_or_default();
            for (column, number) in scorer.vectors.iter_mut().zip(vector) {
                column.push(number);
            }
            scorer.tools += 1;
        }
        scorer.words = words.build();
        scorer.fragments = fragments.build();
        scorer
    }

    pub(crate) fn len(&self) -> usize {
        self.tools
    }

    pub(crate) fn scores(&self, query: &str) -> PerTool<Vec<f32>> {
        let mut scores = vec![0.0; self.tools];
        let PerTool {
            values: signs,
            is_known,
        } = self.signs(query);
        for (sign, weight) in signs.iter().zip(self.learned.weights()) {
            for (score, number) in scores.iter_mut().zip(sign) {
                *score += weight * number;
            }
        }
        PerTool {
            values: scores,
            is_known,
        }
    }

    pub(crate) fn signs(&self, query: &str) -> PerTool<[Vec<f32>; SIGNS]> {
        let terms = QueryTerms::of(query);
        let mut words = vec![0.0; self.tools];
        let known_words = self.words.score(&terms.words, &mut words);
        self.add_kinds(&terms, &mut words);
        let mut fragments = vec![0.0; self.tools];
        let known_fragments = self.fragments.score(&terms.fragments, &mut fragments);
        let mut name = vec![0.0; self.tools];
        self.names.score(&terms.words, &mut name);
        let near = self.near(&terms);
        let is_known = known_fragments > 0.0 || near.iter().any(|near| *near != 0.0);
        // Too little of a query in another language is understood to withhold anything.
        let is_known = is_known && !terms.is_foreign;
        let values = [
            divided(&words, largest(&words)),
            divided(&fragments, largest(&fragments)),
            divided(&words, known_words),
            divided(&fragments, known_fragments),
            name,
            self.lengths.clone(),
            divided(&near, largest(&near)),
            near,
        ];
        PerTool { values, is_known }
    }

    /// Adds scores for the kinds of the query's values to tools that share a word with the query;
    /// alone, kinds say nothing.
    fn add_kinds(&self, terms: &QueryTerms, words: &mut [f32]) {
        if terms.kinds.is_empty() {
            return;
        }
        let mut kinds = vec![0.0; self.tools];
        self.words.score(&terms.kinds, &mut kinds);
        for (score, kind) in words.iter_mut().zip(kinds) {
            if *score > 0.0 {
                *score += kind;
            }
        }
    }

    /// The cosine similarity of the query and each tool.
    fn near(&self, terms: &QueryTerms) -> Vec<f32> {
        let mut near = vec![0.0; self.tools];
        let words: Vec<_> = terms.words.iter().map(|word| (*word, 1.0)).collect();
        let Some(query) = self.vector(&words) else {
            return near;
        };
        for (column, number) in self.vectors.iter().zip(query) {
            for (near, other) in near.iter_mut().zip(column) {
                *near += number * other;
            }
        }
        near
    }

    /// The vector of these words; `None` if no word is known.
    fn vector(&self, words: &[(u32, f32)]) -> Option<Vector> {
        let mut sum = [0.0; DIMENSIONS];
        let mut any = false;
        for (word, weight) in words {
            any |= self.learned.add(*word, *weight, &mut sum);
        }
        any.then(|| normalised(sum))
    }
}

fn largest(numbers: &[f32]) -> f32 {
    numbers
        .iter()
        .fold(0.0, |largest, number| largest.max(*number))
}

/// Divides all numbers; all are zero if the divisor is zero.
fn divided(numbers: &[f32], divisor: f32) -> Vec<f32> {
    let factor = if divisor > 0.0 { divisor.recip() } else { 0.0 };
    numbers.iter().map(|number| number * factor).collect()
}
