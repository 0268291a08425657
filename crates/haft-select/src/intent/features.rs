//! The features of a text: words, pairs of words, fragments of words, and the number of words,
//! hashed into [`BUCKETS`] buckets.
//!
//! Two features may share a bucket; a query has so many features that this does not matter.

use super::words::Words;

/// The number of buckets, a power of two. Half as many lose half a point of accuracy, twice as many
/// gain nothing.
pub(crate) const BUCKETS: usize = 1 << 15;

/// The maximum number of features of a query, enough for eighty words; further ones are ignored.
const MOST: usize = 1536;

/// The maximum length in bytes of the part of a word that is split into fragments.
const WORD: usize = 32;

/// The number of words from which on queries count as equally long.
const LONG: u8 = 12;

/// The features of a query, without duplicates.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    seen: [u64; BUCKETS / 64],
    found: [u16; MOST],
    count: usize,
}

impl Features {
    pub(crate) fn of(words: &Words) -> Self {
        let mut features = Self {
            seen: [0; BUCKETS / 64],
            found: [0; MOST],
            count: 0,
        };
        features.fill(words);
        features
    }

    pub(crate) fn as_slice(&self) -> &[u16] {
        self.found.get(..self.count).unwrap_or_default()
    }

    fn fill(&mut self, words: &Words) {
        let mut before = Hash::of(0, b"^");
        let mut two_before: Option<Hash> = None;
        for (index, word) in words.iter().enumerate() {
            let this = Hash::of(1, word.as_bytes());
            self.add(this);
            self.add(before.and(this));
            if let Some(two_before) = two_before {
                // The context of a word: "turn _ off".
                self.add(two_before.and(Hash::of(2, b"_")).and(this));
            }
            if index == 1 {
                // The beginning of a query is the most informative part.
                self.add(Hash::of(3, b"^^").and(before).and(this));
            }
            self.pieces(word.as_bytes());
            two_before = Some(before);
            before = this;
        }
        self.add(before.and(Hash::of(0, b"$")));
        // A single word is more often small talk than a command.
        let length = u8::try_from(words.len()).unwrap_or(u8::MAX);
        self.add(Hash::of(5, &[length.min(LONG)]));
    }

    /// Fragments of three to five letters, including the boundaries of the word.
    fn pieces(&mut self, word: &[u8]) {
        let mut framed = [b' '; WORD + 2];
        let length = word.len().min(WORD);
        if let (Some(place), Some(word)) = (framed.get_mut(1..=length), word.get(..length)) {
            place.copy_from_slice(word);
        }
        let framed = framed.get(..length + 2).unwrap_or_default();
        for size in 3..=5 {
            for piece in framed.windows(size) {
                self.add(Hash::of(4, piece));
            }
        }
    }

    fn add(&mut self, hash: Hash) {
        let number = hash.bucket();
        let Some(bits) = self.seen.get_mut(usize::from(number) / 64) else {
            return;
        };
        let bit = 1_u64 << (number % 64);
        if *bits & bit != 0 {
            return;
        }
        if let Some(place) = self.found.get_mut(self.count) {
            *bits |= bit;
            *place = number;
            self.count += 1;
        }
    }
}

/// FNV-1a, 64 bits.
#[derive(Clone, Copy, Debug)]
struct Hash(u64);

impl Hash {
    const PRIME: u64 = 0x0100_0000_01b3;

    /// `kind` distinguishes a word from a fragment with equal letters.
    fn of(kind: u8, bytes: &[u8]) -> Self {
        let mut hash = (0xcbf2_9ce4_8422_2325 ^ u64::from(kind)).wrapping_mul(Self::PRIME);
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(Self::PRIME);
        }
        Self(hash)
    }

    fn and(self, next: Self) -> Self {
        Self((self.0.rotate_left(5) ^ next.0).wrapping_mul(Self::PRIME))
    }

    fn bucket(self) -> u16 {
        let mixed = self.0 ^ (self.0 >> 32);
        let mixed = mixed ^ (mixed >> 15);
        // Fifteen bits always fit.
        u16::try_from(mixed % BUCKETS as u64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
