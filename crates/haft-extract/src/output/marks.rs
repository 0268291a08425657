//! Marks by which a call is known that a reply repeats.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use haft_core::Arguments;
use serde_json::Value;

use crate::quick_hash::QuickHasher;

/// So many are compared faster than one is hashed.
const FEW: usize = 4;

/// The marks of the calls so far.
#[derive(Debug, Default)]
pub(super) struct Marks {
    few: [u64; FEW],
    /// So many of these there are.
    count: usize,
    /// What comes after the first few, for replies that are made to be slow.
    many: HashSet<u64, BuildHasherDefault<QuickHasher>>,
}

impl Marks {
    /// Adds a mark; false if it is there already.
    pub(super) fn insert(&mut self, mark: Mark) -> bool {
        let mark = mark.finish();
        let known = self.few.get(..self.count).unwrap_or_default();
        if known.contains(&mark) {
            return false;
        }
        let Some(place) = self.few.get_mut(self.count) else {
            return self.many.insert(mark);
        };
        *place = mark;
        self.count += 1;
        true
    }
}

/// A mark of a call by which a repetition is known: of its tool's name, and of its arguments in
/// whatever order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    tool: QuickHasher,
    /// The sum of what each argument makes.
    members: u64,
}

impl Mark {
    /// Of a call of this tool.
    pub(crate) fn of_tool(name: &str) -> Self {
        let mut hasher = QuickHasher::default();
        hasher.write(name.as_bytes());
        Self {
            tool: hasher,
            members: 0,
        }
    }

    /// Of a call with all these arguments.
    pub(crate) fn with(mut self, arguments: &Arguments) -> Self {
        self.members = sum_of(arguments);
        self.of(arguments.len())
    }

    /// Adds an argument by the hash of its name.
    #[inline]
    pub(crate) fn member(&mut self, name: u64, value: &Value) {
        self.members = self.members.wrapping_add(hash_of_member(name, value));
    }

    /// Of so many arguments, all of which were added.
    pub(crate) fn of(mut self, count: usize) -> Self {
        self.tool.write_usize(count);
        self
    }

    fn finish(mut self) -> u64 {
        self.tool.write_u64(self.members);
        self.tool.finish()
    }
}

/// The hash of an argument's name.
pub(crate) fn hash_of_name(name: &str) -> u64 {
    let mut hasher = QuickHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// The sum over all members: their order says nothing.
fn sum_of(members: &Arguments) -> u64 {
    let hashes = members
        .iter()
        .map(|(key, value)| hash_of_member(hash_of_name(key), value));
    hashes.fold(0, u64::wrapping_add)
}

#[inline]
fn hash_of_member(name: u64, value: &Value) -> u64 {
    let mut hasher = QuickHasher::default();
    hasher.write_u64(name);
    match value {
        Value::String(text) => hash_written(TEXT, text, &mut hasher),
        Value::Number(number) => hash_written(NUMBER, number.as_str(), &mut hasher),
        value => hash(value, &mut hasher),
    }
    spread(hasher.finish())
}

/// Makes each bit hang on all others: sums of what the quick hash gives are the same when two
/// members swap their values.
fn spread(word: u64) -> u64 {
    let word = word.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    word ^ (word >> 32)
}

/// What tells numbers from other values, as [`hash`] does with the rest.
const NUMBER: u8 = 3;
/// The same of texts.
const TEXT: u8 = 4;

fn hash_written(sort: u8, text: &str, hasher: &mut QuickHasher) {
    hasher.write_u8(sort);
    hasher.write(text.as_bytes());
}

#[inline(never)]
fn hash(value: &Value, hasher: &mut QuickHasher) {
    // The first number tells the sorts apart.
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Bool(boolean) => hasher.write_u8(1 + u8::from(*boolean)),
        Value::Number(number) => hash_written(NUMBER, number.as_str(), hasher),
        Value::String(text) => hash_written(TEXT, text, hasher),
        Value::Array(items) => {
            hasher.write_u8(5);
            hasher.write_usize(items.len());
            items.iter().for_each(|item| hash(item, hasher));
        }
        Value::Object(members) => {
            hasher.write_u8(6);
            hasher.write_usize(members.len());
            hasher.write_u64(sum_of(members));
        }
    }
}

#[cfg(test)]
mod tests;
