//! The learned model: a vector for each of some thousand words, such that the sum over a query's
//! words is close to the sum over its tool's words; and the weight of each feature.
//!
//! `examples/selector` trains it, and `docs/selection.md` describes the data.

use std::sync::LazyLock;

use super::score::SIGNS;

/// The number of dimensions of a vector.
pub const DIMENSIONS: usize = 32;

/// The vector of a word or a text.
pub type Vector = [f32; DIMENSIONS];

/// The first bytes of the file; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"haftsel1";

/// Vectors and weights.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Hashes of stems, ascending.
    words: Vec<u32>,
    /// A vector for each word, quantised in steps of `step`.
    rows: Vec<[i8; DIMENSIONS]>,
    step: f32,
    weights: [f32; SIGNS],
}

impl Learned {
    /// The model that is compiled into the program.
    pub(crate) fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Learned> = LazyLock::new(|| {
            Learned::from_bytes(include_bytes!("../../data/selector.bin")).unwrap_or_default()
        });
        &EMBEDDED
    }

    /// Quantises vectors to 255 steps. Words are given as
    /// [`word_hash`](super::training::word_hash)es.
    #[must_use]
    pub fn new(vectors: impl IntoIterator<Item = (u32, Vector)>, weights: [f32; SIGNS]) -> Self {
        let mut vectors: Vec<_> = vectors.into_iter().collect();
        vectors.sort_by_key(|(word, _)| *word);
        vectors.dedup_by_key(|(word, _)| *word);
        let numbers = vectors.iter().flat_map(|(_, vector)| vector);
        let largest = numbers.fold(0.0f32, |largest, number| largest.max(number.abs()));
        let step = (largest / 127.0).max(f32::MIN_POSITIVE);
        Self {
            words: vectors.iter().map(|(word, _)| *word).collect(),
            rows: vectors
                .iter()
                .map(|(_, vector)| vector.map(|number| (number / step).round() as i8))
                .collect(),
            step,
            weights,
        }
    }

    /// Parses the output of [`to_bytes`](Self::to_bytes); `None` for anything else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let count = usize::try_from(u32::from_le_bytes(take(&mut rest)?)).ok()?;
        let step = f32::from_le_bytes(take(&mut rest)?);
        let mut weights = [0.0; SIGNS];
        for weight in &mut weights {
            *weight = f32::from_le_bytes(take(&mut rest)?);
        }
        if rest.len() != count.checked_mul(4 + DIMENSIONS)? {
            return None;
        }
        let (words, rows) = rest.split_at_checked(count * 4)?;
        let (words, _) = words.as_chunks::<4>();
        let (rows, _) = rows.as_chunks::<DIMENSIONS>();
        Some(Self {
            words: words.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            rows: rows.iter().map(|row| row.map(u8::cast_signed)).collect(),
            step,
            weights,
        })
    }

    /// The content of a model file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(
            self.rows
                .iter()
                .flatten()
                .map(|number| number.cast_unsigned()),
        );
        bytes
    }

    /// The weight of each feature.
    #[must_use]
    pub fn weights(&self) -> &[f32; SIGNS] {
        &self.weights
    }

    /// Replaces the weights.
    #[must_use]
    pub fn with_weights(mut self, weights: [f32; SIGNS]) -> Self {
        self.weights = weights;
        self
    }

    /// Adds `weight` times the vector of a word. Returns false for an unknown word.
    pub(crate) fn add(&self, word: u32, weight: f32, sum: &mut Vector) -> bool {
        let Ok(at) = self.words.binary_search(&word) else {
            return false;
        };
        let Some(row) = self.rows.get(at) else {
            return false;
        };
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += weight * self.step * f32::from(*number);
        }
        true
    }
}

/// Has no vectors, and scores only equal words.
impl Default for Learned {
    fn default() -> Self {
        let mut weights = [0.0; SIGNS];
        if let Some(first) = weights.first_mut() {
            *first = 1.0;
        }
        Self::new([], weights)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

/// Scales a vector to length 1, unless it is zero.
pub(crate) fn normalised(mut vector: Vector) -> Vector {
    let length = vector
        .iter()
        .map(|number| number * number)
        .sum::<f32>()
        .sqrt();
    if length > 0.0 {
        for number in &mut vector {
            *number /= length;
        }
    }
    vector
}

#[cfg(test)]
mod tests;
