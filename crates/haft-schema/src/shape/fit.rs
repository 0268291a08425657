//! Matches arguments against a shape: one pass without allocation.

use haft_core::Arguments;
use serde_json::{Number, Value};

use super::{Bounds, Fields, Limits, Part, Shape};
use crate::limits::{MAX_VALUE_DEPTH, is_within_depth};
use crate::number::is_plain;
use crate::view::Kinds;

/// The maximum number of digits of integers that a float represents exactly.
const EXACT_DIGITS: usize = 15;

impl Shape {
    /// True if `arguments` are valid, as far as the shape covers.
    pub(crate) fn matches(&self, arguments: &Arguments) -> bool {
        self.root.kinds.overlap(Kinds::OBJECT) && self.root.fields.match_all(arguments, 1)
    }

    /// True if names are listed: matching arguments have no others.
    pub(crate) fn has_names(&self) -> bool {
        !self.root.fields.named.is_empty()
    }
}

impl Part {
    /// True if `value`, at the given depth of the document, matches.
    fn matches(&self, value: &Value, level: usize) -> bool {
        if !self.alternatives.is_empty() {
            let mut alternatives = self.alternatives.iter();
            return alternatives.any(|alternative| alternative.matches(value, level));
        }
        let is_of_sort = match value {
            Value::Null => self.kinds.overlap(Kinds::NULL),
            Value::Bool(_) => self.kinds.overlap(Kinds::BOOLEAN),
            Value::Number(number) => self.matches_number(number),
            Value::String(text) => self.kinds.overlap(Kinds::TEXT) && self.matches_length(text),
            Value::Array(items) => self.kinds.overlap(Kinds::LIST) && self.match_all(items, level),
            Value::Object(map) => {
                self.kinds.overlap(Kinds::OBJECT) && self.fields.match_all(map, level)
            }
        };
        let allowed = || {
            self.allowed
                .as_ref()
                .is_none_or(|list| list.contains(value))
        };
        level <= MAX_VALUE_DEPTH && is_of_sort && allowed()
    }

    /// An integer must be written without a fraction, because coercion would change it.
    fn matches_number(&self, number: &Number) -> bool {
        let is_whole = is_plain(number);
        let kind = if is_whole {
            Kinds::INTEGER
        } else {
            Kinds::FRACTION
        };
        let is_within = || {
            self.limits.is_none_or(|limits| {
                let is_exact = !is_whole || number.as_str().len() <= EXACT_DIGITS;
                let float = number.as_f64().filter(|_| is_exact);
                float.is_some_and(|float| limits.include(float))
            })
        };
        self.kinds.overlap(kind) && is_within()
    }

    fn matches_length(&self, text: &str) -> bool {
        // A string has at most as many characters as bytes, and at least a quarter of them.
        let Bounds { least, most } = self.length;
        let is_surely_within = least <= text.len() / 4 && text.len() <= most;
        is_surely_within || self.length.include(text.chars().count())
    }

    fn match_all(&self, items: &[Value], level: usize) -> bool {
        self.count.include(items.len())
            && items.iter().all(|item| match &self.items {
                Some(part) => part.matches(item, level + 1),
                None => is_shallow(item, level + 1),
            })
    }
}

impl Fields {
    fn match_all(&self, map: &Arguments, level: usize) -> bool {
        if self.named.is_empty() {
            return map.values().all(|value| match &self.others {
                Some(part) => part.matches(value, level + 1),
                None => is_shallow(value, level + 1),
            });
        }
        let mut seen = 0_u64;
        let mut next = 0;
        for (key, value) in map {
            // Most models keep the order of the schema.
            let is_next = self.named.get(next).is_some_and(|field| field.name == *key);
            let position = match is_next {
                true => Some(next),
                false => self.named.iter().position(|field| field.name == *key),
            };
            let Some((at, field)) = position.and_then(|at| Some((at, self.named.get(at)?))) else {
                return false;
            };
            if !field.part.matches(value, level + 1) {
                return false;
            }
            seen |= 1 << at;
            next = at + 1;
        }
        seen & self.required == self.required
    }
}

impl Limits {
    fn include(self, number: f64) -> bool {
        self.least <= number && number <= self.most && self.above < number && number < self.below
    }
}

/// True for a value of any type that is not too deep.
fn is_shallow(value: &Value, level: usize) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) => MAX_VALUE_DEPTH
            .checked_sub(level - 1)
            .is_some_and(|levels| is_within_depth(value, levels)),
        _ => level <= MAX_VALUE_DEPTH,
    }
}
