//! The learned model: the weight of each feature for each intent, and the known words. `training`
//! writes the same format.
//!
//! Weights are quantised to sixteen values, four bits each: the accuracy is the same as with the
//! original numbers, at a twentieth of their size.

use std::sync::LazyLock;

use super::features::{BUCKETS, Features};
use super::words::Words;

pub(crate) const CLASSES: usize = 6;

/// The number of different weights.
pub(crate) const LEVELS: usize = 16;

/// The size of the weights of a feature in bytes, with two weights per byte.
pub(crate) const ROW: usize = CLASSES / 2;

/// The size of the Bloom filter in bytes: with about 4,500 words one bit in five is set, so that
/// one unknown word in 1,600 seems known.
pub(crate) const KNOWN: usize = 8 * 1024;

/// The number of bits that a known word sets.
const MARKS: u32 = 5;

/// The first bytes of the file; the digit is the version of the format and the features.
pub(crate) const MAGIC: &[u8; 8] = b"haftint2";

/// The learned model.
#[derive(Clone)]
pub struct Weights {
    levels: [f32; LEVELS],
    bias: [f32; CLASSES],
    rows: Box<[[u8; ROW]]>,
    known: Box<[u8]>,
}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    /// The weights that are compiled into the program.
    pub(crate) fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Weights> = LazyLock::new(|| {
            // A test reads this file; if it were broken, no tools would ever be withheld.
            Weights::from_bytes(include_bytes!("../../data/intents.bin"))
                .unwrap_or_else(Weights::none)
        });
        &EMBEDDED
    }

    /// Parses the output of `Training::to_bytes`; `None` for anything else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (levels, rest) = floats(rest)?;
        let (bias, rest) = floats(rest)?;
        let (rows, known) = rest.split_at_checked(BUCKETS * ROW)?;
        let (rows, _) = rows.as_chunks::<ROW>();
        (known.len() == KNOWN).then(|| Self {
            levels,
            bias,
            rows: rows.into(),
            known: known.into(),
        })
    }

    /// Weights without any information.
    fn none() -> Self {
        Self {
            levels: [0.0; LEVELS],
            bias: [0.0; CLASSES],
            rows: Box::default(),
            known: Box::default(),
        }
    }

    /// The probability of each class; the sum is one.
    pub(crate) fn probabilities(&self, words: &Words) -> [f32; CLASSES] {
        let features = Features::of(words);
        let features = features.as_slice();
        let mut sums = [0.0; CLASSES];
        for feature in features {
            let Some(row) = self.rows.get(usize::from(*feature)) else {
                continue;
            };
            for (pair, byte) in sums.chunks_exact_mut(2).zip(row) {
                for (sum, level) in pair.iter_mut().zip([byte & 15, byte >> 4]) {
                    *sum += self.levels.get(usize::from(level)).copied().unwrap_or(0.0);
                }
            }
        }
        let length = f32::from(u16::try_from(features.len()).unwrap_or(u16::MAX).max(1)).sqrt();
        for (sum, bias) in sums.iter_mut().zip(self.bias) {
            *sum = *sum / length + bias;
        }
        softmax(sums)
    }

    /// True for a word that occurred in training, and rarely for another one.
    pub(crate) fn knows(&self, word: &str) -> bool {
        marks(word).all(|bit| {
            let byte = self.known.get(bit / 8).copied().unwrap_or(0);
            byte & (1 << (bit % 8)) != 0
        })
    }
}

/// The bits of a word in the set of known words (a Bloom filter).
pub(crate) fn marks(word: &str) -> impl Iterator<Item = usize> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in word.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let (first, step) = (hash >> 32, (hash & 0xffff_ffff) | 1);
    (0..u64::from(MARKS)).map(move |mark| {
        let bit = first.wrapping_add(mark.wrapping_mul(step)) % (KNOWN as u64 * 8);
        usize::try_from(bit).unwrap_or(0)
    })
}

pub(crate) fn softmax(mut values: [f32; CLASSES]) -> [f32; CLASSES] {
    let largest = values.iter().copied().fold(f32::MIN, f32::max);
    for value in &mut values {
        *value = (*value - largest).exp();
    }
    let sum: f32 = values.iter().sum();
    values.map(|value| value / sum)
}

fn floats<const N: usize>(bytes: &[u8]) -> Option<([f32; N], &[u8])> {
    let (head, rest) = bytes.split_at_checked(4 * N)?;
    let mut floats = [0.0; N];
    for (float, bytes) in floats.iter_mut().zip(head.as_chunks::<4>().0) {
        *float = f32::from_le_bytes(*bytes);
    }
    floats
        .iter()
        .all(|f| f.is_finite())
        .then_some((floats, rest))
}

#[cfg(test)]
mod tests;
