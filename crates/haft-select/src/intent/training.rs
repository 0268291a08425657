//! What a program needs that trains the classifier anew: the features of a text, and the file
//! that the classifier reads. `examples/train_intents` is that program.

use super::features::{BUCKETS, Features};
use super::weights::{CLASSES, KNOWN, LEVELS, MAGIC, marks};
use super::words::Words;

/// So many numbers that features can have.
pub const FEATURES: usize = BUCKETS;

/// The features of a text, each once, in no order; below [`FEATURES`].
#[must_use]
pub fn features(text: &str) -> Vec<u16> {
    Features::of(&Words::of(text)).as_slice().to_vec()
}

/// The words of a text as the classifier sees them.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    Words::of(text).iter().map(str::to_owned).collect()
}

/// The result of a training.
#[derive(Clone, Debug)]
pub struct Training {
    /// The values that weights have, at most sixteen.
    pub levels: Vec<f32>,
    /// What speaks for each intent without any feature, in the order of `Intent::ALL`.
    pub bias: [f32; CLASSES],
    /// For each feature and intent which of the levels; [`FEATURES`] of them.
    pub rows: Vec<[u8; CLASSES]>,
    /// Words that English queries have.
    pub known: Vec<String>,
}

impl Training {
    /// The file for [`Weights::from_bytes`](super::Weights::from_bytes).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let levels = self.levels.iter().copied().chain(std::iter::repeat(0.0));
        for value in levels.take(LEVELS).chain(self.bias) {
            bytes.extend(value.to_le_bytes());
        }
        for row in &self.rows {
            bytes.extend(
                row.as_chunks::<2>()
                    .0
                    .iter()
                    .map(|[low, high]| low | high << 4),
            );
        }
        let mut known = vec![0; KNOWN];
        for bit in self.known.iter().flat_map(|word| marks(word)) {
            if let Some(byte) = known.get_mut(bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
        bytes.extend(known);
        bytes
    }
}
