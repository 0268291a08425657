//! Marks by which a call is known that a reply repeats.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

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
    hasher.write(name.as_bytes());
    hash_members(arguments, &mut hasher);
    hasher.finish()
}

fn hash_members(members: &Arguments, hasher: &mut QuickHasher) {
    hasher.write_usize(members.len());
    for (key, value) in members {
        hasher.write(key.as_bytes());
        hash(value, hasher);
    }
}

fn hash(value: &Value, hasher: &mut QuickHasher) {
    // The first number tells the sorts apart.
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Bool(boolean) => hasher.write_u8(1 + u8::from(*boolean)),
        Value::Number(number) => {
            hasher.write_u8(3);
            hasher.write(number.as_str().as_bytes());
        }
        Value::String(text) => {
            hasher.write_u8(4);
            hasher.write(text.as_bytes());
        }
        Value::Array(items) => {
            hasher.write_u8(5);
            hasher.write_usize(items.len());
            items.iter().for_each(|item| hash(item, hasher));
        }
        Value::Object(members) => {
            hasher.write_u8(6);
            hash_members(members, hasher);
        }
    }
}

#[cfg(test)]
mod tests;
