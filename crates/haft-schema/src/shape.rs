//! The simple shape of common schemas, to recognise arguments that are right already.
//!
//! A shape is a sufficient condition: what matches it would pass the walk of `coerce` without a
//! repair. Whether it is valid too is settled by the match alone, unless the schema says more
//! than shapes express; then the validator has the last word. What does not match takes the long
//! way, so wherever a part of a schema is unusual its shape simply matches nothing.

mod draw;
mod fit;

use serde_json::Value;

use crate::view::Kinds;

/// Arguments of a schema that need neither repair nor a closer look.
#[derive(Debug)]
pub(crate) struct Shape {
    root: Part,
    /// The schema demands nothing that the shape does not.
    pub(crate) is_complete: bool,
}

/// What one value must be like.
#[derive(Debug)]
struct Part {
    kinds: Kinds,
    /// Values of which it must be one.
    allowed: Option<Vec<Value>>,
    /// Least and most characters of a text.
    length: (usize, usize),
    limits: Option<Limits>,
    /// Least and most items of a list.
    count: (usize, usize),
    items: Option<Box<Self>>,
    fields: Fields,
    /// Of which it must match one, where there are any.
    alternatives: Vec<Self>,
}

/// Limits of a number.
#[derive(Clone, Copy, Debug)]
struct Limits {
    least: f64,
    most: f64,
    /// Both of these are outside.
    above: f64,
    below: f64,
}

/// What the members of an object must be like.
#[derive(Debug, Default)]
struct Fields {
    /// In the order of the schema; at most as many as a mask of them has bits.
    named: Vec<Field>,
    /// One bit for each that must be there.
    required: u64,
    /// What any name holds, where none is known; nothing where anything may stand.
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
            length: (0, usize::MAX),
            limits: None,
            count: (0, usize::MAX),
            items: None,
            fields: Fields::default(),
            alternatives: Vec::new(),
        }
    }

    /// Matches no value, so that the long way is taken.
    fn nothing() -> Self {
        Self {
            kinds: Kinds::NONE,
            ..Self::anything()
        }
    }
}

#[cfg(test)]
mod tests;
