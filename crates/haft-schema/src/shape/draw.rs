//! Derives the shape of a schema when it is compiled.
//!
//! Every keyword that coercion uses (see `View`) is either part of the shape or makes its part
//! match nothing; all other keywords can only forbid more, and are left to the validator.

use serde_json::{Map, Value};

use super::{Field, Fields, Limits, Part, Shape};
use crate::number::{is_plain, is_same};
use crate::view::Kinds;

/// The maximum number of parts; a recursive schema is expanded until the limit.
const MAX_PARTS: usize = 500;

/// The maximum nesting depth.
const MAX_LEVELS: usize = 12;

/// The maximum number of properties of one object, limited by the bit mask.
const MAX_FIELDS: usize = 64;

/// The largest number up to which every integer is a float: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Keywords without requirements.
const NOTES: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$defs",
    "definitions",
];

/// Keywords without requirements at the root.
const ROOT_NOTES: [&str; 2] = ["$schema", "$id"];

impl Shape {
    pub(crate) fn of(schema: &Value) -> Self {
        let mut drawing = Drawing {
            root: schema,
            is_complete: true,
            parts: MAX_PARTS,
        };
        let mut root = drawing.part(schema, 0);
        // Arguments are always an object, so other types are not needed.
        if root.allowed.is_some() || !root.alternatives.is_empty() {
            root = Part::nothing();
        }
        Self {
            root,
            is_complete: drawing.is_complete,
        }
    }
}

struct Drawing<'s> {
    root: &'s Value,
    is_complete: bool,
    /// The number of parts that may still be created.
    parts: usize,
}

impl<'s> Drawing<'s> {
    fn part(&mut self, schema: &'s Value, level: usize) -> Part {
        self.parts = self.parts.saturating_sub(1);
        let drawn = match schema {
            _ if self.parts == 0 || level > MAX_LEVELS => None,
            Value::Bool(true) => Some(Part::anything()),
            Value::Object(map) => self.keywords(schema, map, level),
            _ => None,
        };
        drawn.unwrap_or_else(Part::nothing)
    }

    fn keywords(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        level: usize,
    ) -> Option<Part> {
        let is_note = |key: &str| {
            NOTES.contains(&key)
                || key.starts_with("x-")
                || (level == 0 && ROOT_NOTES.contains(&key))
        };
        let mut demands = map.iter().filter(|(key, _)| !is_note(key));
        // A reference or choice must have no other keywords beside it, which would have to be
        // merged.
        if let (Some((key, value)), None) = (demands.next(), demands.next()) {
            match key.as_str() {
                "$ref" => return self.referred(value, level),
                "anyOf" => return self.any_of(value, level),
                "oneOf" => return self.one_of(value, level),
                _ => {}
            }
        }
        let mut part = Part {
            kinds: Kinds::of_schema(schema),
            ..Part::anything()
        };
        for (key, value) in map.iter().filter(|(key, _)| !is_note(key)) {
            match key.as_str() {
                "type" => {}
                "enum" => part.allow(value.as_array()?)?,
                "const" => part.allow(std::slice::from_ref(value))?,
                "properties" => self.named(&mut part.fields, value, level)?,
                "required" => {}
                "additionalProperties" => part.fields.others = self.others(map, value, level),
                "items" if !value.is_array() => {
                    part.items = Some(Box::new(self.part(value, level + 1)));
                }
                "minLength" => part.length.least = size(value)?,
                "maxLength" => part.length.most = size(value)?,
                "minItems" => part.count.least = size(value)?,
                "maxItems" => part.count.most = size(value)?,
                "minimum" => part.limits().least = limit(value)?,
                "maximum" => part.limits().most = limit(value)?,
                "exclusiveMinimum" => part.limits().above = limit(value)?,
                "exclusiveMaximum" => part.limits().below = limit(value)?,
                "$ref" | "anyOf" | "oneOf" | "allOf" | "items" | "prefixItems"
                | "additionalItems" | "patternProperties" => return None,
                _ => self.is_complete = false,
            }
        }
        part.fields.require(map.get("required"))?;
        Some(part)
    }

    fn referred(&mut self, reference: &Value, level: usize) -> Option<Part> {
        let target = self.root.pointer(reference.as_str()?.strip_prefix('#')?)?;
        Some(self.part(target, level + 1))
    }

    fn any_of(&mut self, branches: &'s Value, level: usize) -> Option<Part> {
        let branches = branches.as_array()?.iter();
        let alternatives: Vec<Part> = branches.map(|part| self.part(part, level + 1)).collect();
        // The types of an unusual alternative are unknown.
        let kinds = alternatives
            .iter()
            .fold(Kinds::NONE, |all, part| match part.kinds {
                Kinds::NONE => Kinds::ANY,
                kinds => all.or(kinds),
            });
        Some(Part {
            kinds,
            alternatives,
            ..Part::anything()
        })
    }

    /// Alternatives that exclude each other, by their types or their constants.
    fn one_of(&mut self, branches: &'s Value, level: usize) -> Option<Part> {
        let part = self.any_of(branches, level)?;
        let mut earlier: Vec<&Part> = Vec::new();
        for alternative in &part.alternatives {
            let is_apart = |other: &&Part| other.is_apart_from(alternative);
            if alternative.kinds == Kinds::NONE || !earlier.iter().all(is_apart) {
                return None;
            }
            earlier.push(alternative);
        }
        Some(part)
    }

    fn named(&mut self, fields: &mut Fields, properties: &'s Value, level: usize) -> Option<()> {
        let properties = properties
            .as_object()
            .filter(|map| map.len() <= MAX_FIELDS)?;
        let field = |(name, schema): (&String, &'s Value)| Field {
            name: name.clone(),
            part: self.part(schema, level + 1),
        };
        fields.named = properties.iter().map(field).collect();
        Some(())
    }

    /// The requirements for additional names; if some names are known, no others match anyway.
    fn others(
        &mut self,
        map: &Map<String, Value>,
        schema: &'s Value,
        level: usize,
    ) -> Option<Box<Part>> {
        let has_names = map
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|properties| !properties.is_empty());
        (!has_names).then(|| Box::new(self.part(schema, level + 1)))
    }
}

impl Part {
    /// Allows only the values in `list`. Numbers with a fraction take the slow path.
    fn allow(&mut self, list: &[Value]) -> Option<()> {
        let is_simple = |value: &Value| match value {
            Value::Number(number) => is_plain(number),
            Value::Array(_) | Value::Object(_) => false,
            _ => true,
        };
        let is_first = self.allowed.is_none();
        self.allowed = Some(list.to_vec());
        (is_first && list.iter().all(is_simple)).then_some(())
    }

    fn limits(&mut self) -> &mut Limits {
        self.limits.get_or_insert(Limits {
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
            above: f64::NEG_INFINITY,
            below: f64::INFINITY,
        })
    }

    /// True if no value can match both.
    fn is_apart_from(&self, other: &Self) -> bool {
        let in_both = |one: &[Value], other: &[Value]| {
            one.iter()
                .any(|value| other.iter().any(|other| is_same(value, other)))
        };
        let are_other_values = match (&self.allowed, &other.allowed) {
            (Some(one), Some(other)) => !in_both(one, other),
            _ => false,
        };
        are_other_values || !self.kinds.overlap(other.kinds)
    }
}

impl Fields {
    /// Marks the required names; each must be known.
    fn require(&mut self, required: Option<&Value>) -> Option<()> {
        let names = required.and_then(Value::as_array).into_iter().flatten();
        for name in names {
            let at = self
                .named
                .iter()
                .position(|field| name == field.name.as_str())?;
            self.required |= 1 << at;
        }
        Some(())
    }
}

/// A length in characters or items.
fn size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// A limit that is exact as a float.
fn limit(value: &Value) -> Option<f64> {
    let limit = value.as_f64()?;
    (limit.abs() <= EXACT).then_some(limit)
}
