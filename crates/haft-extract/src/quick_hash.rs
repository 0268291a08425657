//! A quick hash for names and calls: a multiplication for eight bytes. It withstands no attack:
//! whoever binds tools chooses their names, and a call that is taken for a repetition of another
//! hurts only the reply that has both.

use std::hash::Hasher;

/// An odd number without a pattern in its bits: 2 to the power of 64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hasher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let last = match (bytes.last_chunk::<8>(), rest) {
            // The last eight, of which some were hashed already: no loop over single bytes.
            (Some(last), _) => u64::from_le_bytes(*last),
            (None, rest) => rest
                .iter()
                .fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        self.add(last ^ ((bytes.len() as u64) << 56));
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
