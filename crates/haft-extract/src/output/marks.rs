//! Marks by which a call is known that a reply repeats.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use haft_core::Arguments;
use serde_json::Value;

use crate::quick_hash::QuickHasher;

/// So many are compared faster than one is hashed.
const FEW: usize = 16;

/// The marks of the calls so far.
#[derive(Debug, Default)]
pub(super) struct Marks {
    few: Vec<u64>,
    /// What comes after the first few, for replies that are made to be slow.
    many: HashSet<u64, BuildHasherDefault<QuickHasher>>,
}

impl Marks {
    /// Adds a mark; false if it is there already.
    pub(super) fn insert(&mut self, mark: u64) -> bool {
        if self.few.contains(&mark) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(mark);
            return true;
        }
        self.many.insert(mark)
    }
}

/// A mark of a call by which a repetition is known.
pub(super) fn mark(name: &str, arguments: &Arguments) -> u64 {
    let mut hasher = QuickHasher::default();
    name.hash(&mut hasher);
    for (key, value) in arguments {
        key.hash(&mut hasher);
        hash(value, &mut hasher);
    }
    hasher.finish()
}

fn hash(value: &Value, hasher: &mut QuickHasher) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(boolean) => boolean.hash(hasher),
        Value::Number(number) => number.hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => items.iter().for_each(|item| hash(item, hasher)),
        Value::Object(map) => {
            for (key, value) in map {
                key.hash(hasher);
                hash(value, hasher);
            }
        }
    }
}

#[cfg(test)]
mod tests;
