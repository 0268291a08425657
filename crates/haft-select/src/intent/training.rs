//! For the training program, `examples/train_intents`: the features of a text, and the weights file
//! of the classifier.

use super::features::{BUCKETS, Features};
use super::weights::{CLASSES, KNOWN, LEVELS, MAGIC, marks};
use super::words::Words;

/// The number of features.
pub const FEATURES: usize = BUCKETS;

/// The features of a text, without duplicates and in no order; each is below [`FEATURES`].
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
    /// The possible values of weights, at most sixteen.
    pub levels: Vec<f32>,
    /// The bias of each intent, in the order of `Intent::ALL`.
    pub bias: [f32; CLASSES],
    /// For each feature and intent the index of its level; [`FEATURES`] rows.
    pub rows: Vec<[u8; CLASSES]>,
    /// Words that occur in English queries.
    pub known: Vec<String>,
}

impl Training {
    /// The content of a file for [`Weights::from_bytes`](super::Weights::from_bytes).
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
