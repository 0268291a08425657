//! A simplified form of common schemas, for a fast check of valid arguments.
//!
//! A shape is a sufficient condition: arguments that match it would pass `coerce` without a repair.
//! If the shape is complete, they are also valid; if the schema has further keywords, the validator
//! decides. Arguments that do not match take the slow path, so a part with unusual keywords simply
//! gets a shape that matches nothing.

mod draw;
mod fit;

use serde_json::Value;

use crate::view::Kinds;

/// The shape of arguments that need no repair.
#[derive(Debug)]
pub(crate) struct Shape {
    root: Part,
    /// Whether the shape covers all requirements of the schema.
    pub(crate) is_complete: bool,
}

/// The requirements for one value.
#[derive(Debug)]
struct Part {
    kinds: Kinds,
    /// The allowed values, if limited.
    allowed: Option<Vec<Value>>,
    /// The length of a string in characters.
    length: Bounds,
    limits: Option<Limits>,
    /// The number of items of a list.
    count: Bounds,
    items: Option<Box<Self>>,
    fields: Fields,
    /// If not empty, one of these must match.
    alternatives: Vec<Self>,
}

/// The smallest and the largest allowed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    least: usize,
    most: usize,
}

impl Bounds {
    const NONE: Self = Self {
        least: 0,
        most: usize::MAX,
    };

    fn include(self, size: usize) -> bool {
        (self.least..=self.most).contains(&size)
    }
}

/// The limits of a number.
#[derive(Clone, Copy, Debug)]
struct Limits {
    least: f64,
    most: f64,
    /// The value must be between these exclusive limits.
    above: f64,
    below: f64,
}

/// The requirements for the members of an object.
#[derive(Debug, Default)]
struct Fields {
    /// The named properties in the order of the schema; at most as many as a bit mask can hold.
    named: Vec<Field>,
    /// One bit for each required property.
    required: u64,
    /// The requirements for other names, if no names are known; `None` if anything is allowed.
    others: Option<Box<Part>>,
}

#[derive(Debug)]
struct Field {
    name: String,
    part: Part,
}

impl Part {
    /// Matches every value.
    fn anything() -> Self {
        Self {
            kinds: Kinds::ANY,
            allowed: None,
            length: Bounds::NONE,
            limits: None,
            count: Bounds::NONE,
            items: None,
            fields: Fields::default(),
            alternatives: Vec::new(),
        }
    }

    /// Matches no value, so that the slow path is taken.
    fn nothing() -> Self {
        Self {
            kinds: Kinds::NONE,
            ..Self::anything()
        }
    }
}

#[cfg(test)]
mod tests;
