//! The calls that a reply has made, by which a repetition is known.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use haft_core::Arguments;

/// Hashes of calls: a call that is taken for a repetition of another hurts only its own reply.
#[derive(Debug, Default)]
pub(super) struct Marks(HashSet<u64>);

impl Marks {
    /// Notes a call; false if there was one with this name and these arguments, in whatever order.
    pub(super) fn insert(&mut self, name: &str, arguments: &Arguments) -> bool {
        let mut hasher = DefaultHasher::new();
        (name, arguments).hash(&mut hasher);
        self.0.insert(hasher.finish())
    }
}

#[cfg(test)]
mod tests;
